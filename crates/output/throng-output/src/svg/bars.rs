//! Horizontal bars, one per name.

use super::text::{Anchor, text_at, width};
use super::{Graphic, WIDTH, colour, open, push};
use crate::html::{escape, grouped};

/// One bar per name; the longest bar takes the full width. Each value is written after its bar.
#[derive(Debug, Clone, Default)]
pub struct BarChart {
    /// Alternative text.
    pub label: String,
    /// Unit, written after each value.
    pub unit: String,
    /// Decimals of the values.
    pub digits: usize,
    /// Name and non-negative value of each bar.
    pub bars: Vec<(String, f64)>,
}

const ROW: f64 = 28.0;
const GAP: f64 = 10.0;
/// Maximum width of the names and of the values; longer ones are truncated.
const MAX_NAME: f64 = 300.0;

impl Graphic for BarChart {
    fn render(&self) -> String {
        let mut out = String::new();
        open(&mut out, ROW * self.bars.len().max(1) as f64, &self.label);
        let values: Vec<String> = self.bars.iter().map(|(_, value)| self.value(*value)).collect();
        let widest = |texts: &mut dyn Iterator<Item = &String>| texts.map(|text| width(text)).fold(0.0, f64::max);
        let left = widest(&mut self.bars.iter().map(|(name, _)| name)).min(MAX_NAME) + GAP;
        let value_room = widest(&mut values.iter()).min(MAX_NAME);
        let room = WIDTH - left - GAP - value_room;
        let longest = self.bars.iter().map(|b| b.1).filter(|v| v.is_finite()).fold(0.0, f64::max);
        for (i, ((name, value), text)) in self.bars.iter().zip(&values).enumerate() {
            let top = ROW * i as f64;
            let share = if longest > 0.0 && value.is_finite() { (value / longest).max(0.0) } else { 0.0 };
            let (long, base, fill) = (share * room, top + 20.0, colour(0));
            push(&mut out, format_args!("<g><title>{}: {}</title>", escape(name), escape(text)));
            text_at(&mut out, [left - GAP, base], Anchor::End, MAX_NAME, name);
            push(
                &mut out,
                format_args!(
                    "<rect x=\"{left:.1}\" y=\"{:.1}\" width=\"{long:.1}\" height=\"{:.1}\" rx=\"3\" fill=\"{fill}\"/>",
                    top + 4.0,
                    ROW - 8.0
                ),
            );
            text_at(&mut out, [left + long + GAP, base], Anchor::Start, MAX_NAME, text);
            out.push_str("</g>");
        }
        out.push_str("</svg>");
        out
    }

    fn points(&self) -> usize {
        self.bars.len()
    }
}

impl BarChart {
    fn value(&self, value: f64) -> String {
        format!("{} {}", grouped(value, self.digits), self.unit).trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bar_widths_are_proportional_to_values() {
        let bars = vec![("17_b".into(), 2000.0), ("<x>".into(), 500.0), ("none".into(), f64::NAN)];
        let chart = BarChart { unit: "veh".into(), bars, ..BarChart::default() };
        let svg = chart.render();
        let widths: Vec<f64> =
            svg.split(" width=\"").skip(1).map(|s| s.split('"').next().unwrap().parse().unwrap()).collect();
        assert!((widths[0] - 4.0 * widths[1]).abs() < 0.5 && widths[2] == 0.0, "{svg}");
        assert!(svg.contains("&lt;x&gt;") && svg.contains("2\u{202f}000 veh") && chart.points() == 3, "{svg}");
    }
}
