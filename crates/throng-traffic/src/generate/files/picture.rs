//! A picture of the network, coloured by class.

use std::fmt::Write as _;

use crate::generate::RoadClass;
use crate::scenario::Network;

/// Width of the picture.
const WIDTH: f64 = 1000.0;
const MARGIN: f64 = 12.0;

/// Colour and width of the lines of a class; dark and broad for fast roads.
fn line(class: RoadClass) -> (&'static str, f64) {
    match class {
        RoadClass::Residential => ("#b9c2cc", 0.6),
        RoadClass::Collector => ("#8fa1b3", 0.8),
        RoadClass::Arterial => ("#e0a83c", 1.1),
        RoadClass::MajorArterial => ("#d9822b", 1.6),
        RoadClass::Ramp => ("#7d5ba6", 0.9),
        RoadClass::Motorway => ("#b3392f", 2.0),
        RoadClass::RingMotorway => ("#8c1d2f", 2.4),
    }
}

/// One path per class; both directions of a street are drawn once.
pub(super) fn svg(network: &Network, classes: &[RoadClass]) -> String {
    let bounds = |v: &[f64]| {
        let low = v.iter().copied().fold(f64::INFINITY, f64::min);
        let high = v.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (low, high)
    };
    let ((left, right), (bottom, top)) = (bounds(&network.node_x), bounds(&network.node_y));
    let scale = (WIDTH - 2.0 * MARGIN) / (right - left).max(1.0);
    let height = (top - bottom) * scale + 2.0 * MARGIN;
    // Tenths of a unit: finer than a pixel, and short.
    let place = |node: u32| {
        let x = MARGIN + (network.node_x[node as usize] - left) * scale;
        let y = MARGIN + (top - network.node_y[node as usize]) * scale;
        ((x * 10.0).round() as i64, (y * 10.0).round() as i64)
    };
    let pairs: std::collections::BTreeSet<(u32, u32)> =
        network.from.iter().copied().zip(network.to.iter().copied()).collect();

    let mut out = String::new();
    let (w, h) = (WIDTH * 10.0, (height * 10.0).round());
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{WIDTH}\" height=\"{height:.0}\" \
         role=\"img\" aria-label=\"Road network\">\n<rect width=\"{w}\" height=\"{h}\" fill=\"#fbfaf7\"/>\n"
    );
    for class in RoadClass::ALL {
        let (colour, width) = line(class);
        let stroke = width * 10.0;
        let name = class.name();
        let _ = write!(
            out,
            "<path fill=\"none\" stroke=\"{colour}\" stroke-width=\"{stroke}\" stroke-linecap=\"round\" d=\""
        );
        for link in (0..network.links()).filter(|&l| classes[l] == class) {
            let (from, to) = (network.from[link], network.to[link]);
            if from > to && pairs.contains(&(to, from)) {
                continue;
            }
            let ((x, y), (to_x, to_y)) = (place(from), place(to));
            let _ = write!(out, "M{x} {y}l{} {}", to_x - x, to_y - y);
        }
        let _ = writeln!(out, "\"><title>{name}</title></path>");
    }
    out.push_str("</svg>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::svg;
    use crate::generate::RoadClass;
    use crate::scenario::NetworkBuilder;

    #[test]
    fn streets_are_drawn_once() {
        let network = NetworkBuilder::new()
            .node("a", 0.0, 0.0)
            .node("b", 976.0, 488.0)
            .link("ab", "a", "b", 1100.0, 10.0, 1000.0, 1.0)
            .link("ba", "b", "a", 1100.0, 10.0, 1000.0, 1.0)
            .build();
        let picture = svg(&network, &[RoadClass::Arterial; 2]);
        assert!(picture.contains("d=\"M120 5000l9760 -4880\"><title>arterial"), "{picture}");
        assert!(picture.contains("viewBox=\"0 0 10000 5120\""));
    }
}
