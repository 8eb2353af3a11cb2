//! Horizontal bars, one per named thing.

use std::fmt::Write as _;

use super::{TEXT, WIDTH, colour, open};
use crate::html::{escape, grouped};

/// A bar per name, longest bar over the full width; values are written after the bars.
#[derive(Debug, Clone, Default)]
pub struct BarChart {
    /// Text for screen readers.
    pub label: String,
    /// Unit, written after each value.
    pub unit: String,
    /// Decimals of the values.
    pub digits: usize,
    /// Name and value; values are not negative.
    pub bars: Vec<(String, f64)>,
}

const ROW: f64 = 26.0;
const NAMES: f64 = 190.0;
const VALUES: f64 = 130.0;
/// Longer names are cut: they would run into the bars.
const NAME_LETTERS: usize = 26;

impl BarChart {
    /// The chart as SVG text.
    pub fn render(&self) -> String {
        let mut out = String::new();
        open(&mut out, ROW * self.bars.len().max(1) as f64 + 4.0, &self.label);
        let longest = self.bars.iter().map(|b| b.1).filter(|v| v.is_finite()).fold(0.0, f64::max);
        for (i, (name, value)) in self.bars.iter().enumerate() {
            let top = ROW * i as f64 + 4.0;
            let share = if longest > 0.0 && value.is_finite() { (value / longest).max(0.0) } else { 0.0 };
            let width = share * (WIDTH - NAMES - VALUES);
            let (middle, fill) = (top + ROW / 2.0 + 2.0, colour(0));
            let (shown, full) = (escape(&shortened(name)), escape(name));
            let value = escape(format!("{} {}", grouped(*value, self.digits), self.unit).trim_end());
            write!(
                out,
                "<g><title>{full}: {value}</title>\
                 <text x=\"{:.0}\" y=\"{middle:.1}\" text-anchor=\"end\" fill=\"var(--text, #1f2328)\">{shown}</text>\
                 <rect x=\"{NAMES}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{:.1}\" rx=\"3\" fill=\"{fill}\"/>\
                 <text x=\"{:.1}\" y=\"{middle:.1}\" fill=\"{TEXT}\">{value}</text></g>",
                NAMES - 10.0,
                ROW - 7.0,
                NAMES + width + 8.0,
            )
            .expect("writing to a String cannot fail");
        }
        out.push_str("</svg>");
        out
    }
}

fn shortened(name: &str) -> String {
    if name.chars().count() <= NAME_LETTERS {
        return name.to_owned();
    }
    let kept: String = name.chars().take(NAME_LETTERS - 1).collect();
    kept + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_in_proportion() {
        let bars = vec![("17_b".into(), 2000.0), ("<x>".into(), 500.0), ("none".into(), f64::NAN)];
        let svg = BarChart { unit: "veh".into(), bars, ..BarChart::default() }.render();
        assert!(svg.contains("width=\"540.0\"") && svg.contains("width=\"135.0\""), "{svg}");
        assert!(svg.contains("&lt;x&gt;") && svg.contains("2\u{202f}000 veh"), "{svg}");
    }

    #[test]
    fn long_names_are_cut() {
        assert_eq!(shortened(&"ä".repeat(30)).chars().count(), 26);
    }
}
