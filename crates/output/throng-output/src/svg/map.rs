//! A map of straight lines in classes, each with a colour and a width.

use std::fmt::Write as _;

use super::text::fitted;
use super::{FONT, Graphic, TEXT, WIDTH};
use crate::html::escape;

const MARGIN: f64 = 10.0;
/// Height of a line of the legend.
const LEGEND: f64 = 24.0;
/// Left end of the names in the legend.
const NAMES: f64 = 46.0;

/// A map; classes are drawn on top of each other, in order.
#[derive(Debug, Clone, Default)]
pub struct LineMap {
    /// Alternative text.
    pub label: String,
    /// Line classes.
    pub classes: Vec<LineClass>,
}

/// Lines with the same appearance.
#[derive(Debug, Clone, Default)]
pub struct LineClass {
    /// Legend text.
    pub name: String,
    /// CSS colour.
    pub colour: &'static str,
    /// Width in image units; the image is 860 units wide.
    pub width: f64,
    /// End points of each line: x to the right, y up, in any unit.
    pub lines: Vec<[(f64, f64); 2]>,
}

impl Graphic for LineMap {
    /// Takes about 20 bytes per line.
    fn render(&self) -> String {
        let ends = || self.classes.iter().flat_map(|class| class.lines.iter().flatten());
        let range = |of: fn(&(f64, f64)) -> f64| {
            ends().map(of).fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
        };
        let ((left, right), (bottom, top)) = (range(|p| p.0), range(|p| p.1));
        let scale = (WIDTH - 2.0 * MARGIN) / (right - left).max(1e-9);
        // Without this limit, a long and narrow network would fill a whole page.
        let scale = scale.min(WIDTH / (top - bottom).max(1e-9));
        let margin_left = if right > left { (WIDTH - (right - left) * scale) / 2.0 } else { MARGIN };
        let drawn = if top > bottom { (top - bottom) * scale } else { 0.0 };
        let height = drawn + 2.0 * MARGIN + LEGEND * (self.classes.len() as f64 + 0.5);

        let mut out = String::new();
        // A tenth of a unit is finer than a pixel, and is short in the file.
        let tenths = |v: f64| (v * 10.0).round() as i64;
        let place = |(x, y): (f64, f64)| (tenths(margin_left + (x - left) * scale), tenths(MARGIN + (top - y) * scale));
        let _ = write!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\" \
             font-family=\"system-ui, sans-serif\" font-size=\"{}\">",
            tenths(WIDTH),
            tenths(height),
            escape(&self.label),
            tenths(FONT)
        );
        for (i, class) in self.classes.iter().enumerate() {
            let (colour, width, name) = (class.colour, tenths(class.width), escape(&class.name));
            let shown = escape(&fitted(&class.name, WIDTH - NAMES));
            let _ = write!(
                out,
                "<path fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linecap=\"round\" d=\""
            );
            for &[from, to] in &class.lines {
                let ((x, y), (to_x, to_y)) = (place(from), place(to));
                let _ = write!(out, "M{x} {y}l{} {}", to_x - x, to_y - y);
            }
            let _ = write!(out, "\"><title>{name}</title></path>");
            let y = tenths(drawn + 2.0 * MARGIN + LEGEND * (i as f64 + 0.5));
            let _ = write!(
                out,
                "<path stroke=\"{colour}\" stroke-width=\"{}\" d=\"M100 {y}h300\"/>\
                 <text x=\"{}\" y=\"{}\" fill=\"{TEXT}\">{shown}</text>",
                width.max(20),
                tenths(NAMES),
                y + 50
            );
        }
        out.push_str("</svg>\n");
        out
    }

    fn points(&self) -> usize {
        let lines: usize = self.classes.iter().map(|class| class.lines.len()).sum();
        2 * lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn y_points_upwards_and_the_legend_is_below() {
        let lines = vec![[(0.0, 0.0), (840.0, 420.0)]];
        let class = LineClass { name: "slow & jammed".into(), colour: "red", width: 1.5, lines };
        let map = LineMap { label: "Speeds".into(), classes: vec![class] };
        let picture = map.render();
        assert!(picture.contains("viewBox=\"0 0 8600 4760\""), "{picture}");
        assert!(
            picture.contains("stroke-width=\"15\" stroke-linecap=\"round\" d=\"M100 4300l8400 -4200\""),
            "{picture}"
        );
        assert!(
            picture.contains("<text x=\"460\" y=\"4570\"") && picture.contains("slow &amp; jammed</text>"),
            "{picture}"
        );
    }

    #[test]
    fn a_map_without_lines_or_with_a_single_point_is_a_valid_image() {
        let empty = LineMap::default().render();
        assert!(empty.starts_with("<svg") && empty.ends_with("</svg>\n") && !empty.contains("NaN"), "{empty}");
        let point = LineClass { lines: vec![[(5.0, 5.0); 2]], ..LineClass::default() };
        let point = LineMap { classes: vec![point], ..LineMap::default() }.render();
        assert!(point.contains("M100 100l0 0"), "{point}");
    }
}
