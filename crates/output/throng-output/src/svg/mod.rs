//! Plain charts as SVG: lines, areas, histograms, bars, quantile bands, matrices and maps, with axes, units and legend.
//!
//! A chart lays itself out. It measures its labels, reserves space for tick labels, and wraps its legend, so that no
//! text leaves the image or covers another text, even with long names and extreme numbers. Colours are CSS variables
//! with a fallback (`var(--series-1, #2563a8)`), so a chart looks right as a separate file, and follows the light or
//! dark style of the report that embeds it.

mod axis;
mod bands;
mod bars;
mod heat_map;
mod legend;
mod lines;
mod map;
mod plot;
mod text;

pub use axis::{Axis, Notation};
pub use bands::{Band, BandChart, BandStyle};
pub use bars::BarChart;
pub use heat_map::HeatMap;
pub use lines::{Chart, Series, Style};
pub use map::{LineClass, LineMap};

use crate::film::LEGIBLE_PX;

/// A chart that can be embedded in a page or stored in a file.
pub trait Graphic {
    /// Returns the chart as SVG.
    fn render(&self) -> String;

    /// Returns the number of visible items: points along the x axis, bars, cells or line ends.
    fn points(&self) -> usize;

    /// Whether the chart contains more than a sentence could: it has at least three points.
    fn is_worth_drawing(&self) -> bool {
        self.points() >= 3
    }
}

/// Width of the narrowest chart with legible text, CSS pixels.
pub(crate) const MIN_CHART_PX: f64 = WIDTH * LEGIBLE_PX / FONT;

/// Colours that remain distinguishable for colour-blind readers.
const SERIES: [&str; 8] = ["#2563a8", "#d9772b", "#2f8f6b", "#8a5bb0", "#c2476b", "#6c7a89", "#b09a2e", "#3fa3c4"];
/// Width of all charts, in image units.
const WIDTH: f64 = 860.0;
/// Font size, in image units.
const FONT: f64 = 15.0;

/// Returns the default colour of the series with this index.
fn colour(index: usize) -> String {
    let slot = index % SERIES.len();
    format!("var(--series-{}, {})", slot + 1, SERIES[slot])
}

const TEXT: &str = "var(--muted, #59636e)";
const GRID: &str = "var(--grid, #e3e7eb)";

/// Appends a fragment of SVG.
fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    use std::fmt::Write as _;
    out.write_fmt(text).expect("writing to a String cannot fail");
}

/// Opens an SVG element of the standard width; `label` is its alternative text.
fn open(out: &mut String, height: f64, label: &str) {
    let label = crate::html::escape(label);
    push(
        out,
        format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" role=\"img\" aria-label=\"{label}\" \
             font-family=\"system-ui, sans-serif\" font-size=\"{FONT}\">"
        ),
    );
}

#[cfg(test)]
mod tests;
