//! Plain charts as SVG text: lines, areas, histograms, bars, bands of quantiles, matrices and maps, with axes, units and a legend.
//!
//! Colours come from CSS variables with a fallback (`var(--series-1, #2563a8)`), so a chart looks right alone in a file
//! and follows the page, light or dark, inside a report.

mod axis;
mod bands;
mod bars;
mod heat_map;
mod lines;
mod map;
mod plot;

pub use axis::{Scale, Unit};
pub use bands::{Band, BandChart, BandStyle};
pub use bars::BarChart;
pub use heat_map::HeatMap;
pub use lines::{Chart, Series, Style};
pub use map::{LineClass, LineMap};

/// Colours that remain distinct for colour-blind readers.
const SERIES: [&str; 8] = ["#2563a8", "#d9772b", "#2f8f6b", "#8a5bb0", "#c2476b", "#6c7a89", "#b09a2e", "#3fa3c4"];
const WIDTH: f64 = 860.0;

/// The default colour of the series with number `index`.
fn colour(index: usize) -> String {
    let slot = index % SERIES.len();
    format!("var(--series-{}, {})", slot + 1, SERIES[slot])
}

const TEXT: &str = "var(--muted, #59636e)";
const GRID: &str = "var(--grid, #e3e7eb)";

/// Appends a piece of SVG.
fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    use std::fmt::Write as _;
    out.write_fmt(text).expect("writing to a String cannot fail");
}

/// Opens an SVG element of the standard width; `label` is for screen readers.
fn open(out: &mut String, height: f64, label: &str) {
    let label = crate::html::escape(label);
    push(
        out,
        format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{label}\" \
             font-family=\"system-ui, sans-serif\" font-size=\"12\">"
        ),
    );
}

/// A text at `x`, `y` with the given anchor (`start`, `middle` or `end`).
fn text_at(out: &mut String, x: f64, y: f64, anchor: &str, text: &str) {
    let text = crate::html::escape(text);
    push(out, format_args!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{TEXT}\">{text}</text>"));
}
