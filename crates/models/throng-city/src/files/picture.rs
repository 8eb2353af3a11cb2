//! An SVG map of the network, coloured by road class.

use rayon::prelude::*;
use throng_output::svg::{Graphic, LineClass, LineMap};

use crate::RoadClass;
use throng_traffic_scenario::Network;

/// Returns colour and width of the lines of a class; dark and wide for fast roads.
fn line(class: RoadClass) -> (&'static str, f64) {
    match class {
        RoadClass::Residential => ("#b9c2cc", 0.6),
        RoadClass::Collector => ("#8fa1b3", 0.8),
        RoadClass::Arterial => ("#e0a83c", 1.1),
        RoadClass::MajorArterial => ("#d9822b", 1.6),
        RoadClass::Ramp => ("#7d5ba6", 0.9),
        RoadClass::Motorway => ("#b3392f", 2.0),
        RoadClass::RingMotorway => ("#8c1d2f", 2.4),
        RoadClass::Railway => ("#2b2b2b", 1.0),
    }
}

/// Returns the smallest class that is drawn; no viewer opens images of millions of lines.
fn smallest(links: usize) -> RoadClass {
    match links {
        0..=100_000 => RoadClass::Residential,
        100_001..=1_000_000 => RoadClass::Collector,
        _ => RoadClass::Arterial,
    }
}

/// Draws the network as SVG. Both directions of a street are drawn as one line; small streets of large networks are
/// omitted.
pub(super) fn svg(network: &Network, classes: &[RoadClass]) -> String {
    let mut pairs: Vec<(u32, u32)> = network.from.iter().copied().zip(network.to.iter().copied()).collect();
    pairs.par_sort_unstable();
    let end = |node: u32| (network.node_x[node as usize], network.node_y[node as usize]);
    let class = |class: RoadClass| {
        let (colour, width) = line(class);
        let links = (0..network.links()).filter(|&l| classes[l] == class);
        let once = links
            .map(|l| (network.from[l], network.to[l]))
            .filter(|&(a, b)| a <= b || pairs.binary_search(&(b, a)).is_err());
        let lines = once.map(|(a, b)| [end(a), end(b)]).collect();
        LineClass { name: class.name().to_owned(), colour, width, lines }
    };
    let drawn = RoadClass::ALL.into_iter().filter(|&class| class >= smallest(network.links()));
    let drawn = drawn.filter(|class| *class != RoadClass::Railway || classes.contains(class));
    LineMap { label: "Road network".into(), classes: drawn.map(class).collect() }.render()
}

#[cfg(test)]
mod tests {
    use super::svg;
    use crate::RoadClass;
    use throng_traffic_scenario::NetworkBuilder;

    #[test]
    fn streets_are_drawn_once() {
        let network = NetworkBuilder::new()
            .node("a", 0.0, 0.0)
            .node("b", 976.0, 488.0)
            .link("ab", "a", "b", 1100.0, 10.0, 1000.0, 1.0)
            .link("ba", "b", "a", 1100.0, 10.0, 1000.0, 1.0)
            .build()
            .unwrap();
        let picture = svg(&network, &[RoadClass::Arterial; 2]);
        assert_eq!(picture.matches("l8400 -4200").count(), 1, "{picture}");
        assert!(picture.contains("<title>arterial</title>"), "{picture}");
    }
}
