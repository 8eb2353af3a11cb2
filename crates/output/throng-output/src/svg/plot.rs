//! The plot area of a chart between its axes, with margins for titles and labels.

use super::axis::{Axis, Scale};
use super::legend::Legend;
use super::text::{Anchor, fitted, text_at, width};
use super::{GRID, TEXT, WIDTH, open, push};

/// Height of the plot area.
const AREA: f64 = 250.0;
/// Minimum right margin.
const RIGHT: f64 = 12.0;
/// Top margin, which contains the title of the y axis.
const TITLE: f64 = 30.0;
/// Bottom margin, which contains the ticks and the title of the x axis.
const BELOW: f64 = 54.0;
/// Distance between a tick and its label.
const GAP: f64 = 8.0;
/// Minimum distance between two labels.
const BETWEEN: f64 = 12.0;
/// Minimum width for column labels. Labels are omitted rather than cut shorter, because the beginnings of names are
/// often alike.
const MIN_LABEL: f64 = 180.0;

/// The x axis of a plot: a range of numbers, or columns with labels.
pub(super) enum XAxis<'a> {
    Range(&'a Axis, (f64, f64)),
    /// The x of the first and the last column, and the x and label of each column in ascending order.
    Columns(&'a Axis, (f64, f64), Vec<(f64, String)>),
}

/// A plot area with its scales.
pub(super) struct Plot {
    pub x: Scale,
    pub y: Scale,
    titles: [String; 2],
    ticks: Vec<(f64, String)>,
    legend: Legend,
    left: f64,
    right: f64,
    bottom: f64,
}

impl Plot {
    pub fn new(x_axis: XAxis<'_>, (y_axis, y_range): (&Axis, (f64, f64)), legend: Legend) -> Self {
        let top = legend.height() + TITLE;
        let bottom = top + AREA;
        let y = Scale::new(y_axis.notation, y_range, 5).onto([bottom, top]);
        let widest = y.ticks.iter().map(|&tick| width(&y.label(tick))).fold(0.0, f64::max);
        let left = (widest + GAP).max(40.0);
        let is_cut = matches!(x_axis, XAxis::Columns(..));
        let (axis, x, labels) = match x_axis {
            XAxis::Range(axis, range) => {
                let x = Scale::tight(axis.notation, range, 10);
                let labels = x.ticks.iter().map(|&tick| (tick, x.label(tick))).collect();
                (axis, x, labels)
            }
            XAxis::Columns(axis, (first, last), labels) => {
                // Leaves space between the columns and both ends of the axis.
                (axis, Scale::tight(axis.notation, (first - 0.5, last + 0.5), 10), labels)
            }
        };
        let half_of_last = labels.last().map_or(0.0, |(_, label)| width(label) / 2.0);
        let right = WIDTH - half_of_last.clamp(RIGHT, WIDTH / 8.0);
        let x = x.onto([left, right]);
        let labels: Vec<(f64, String)> = labels.into_iter().map(|(tick, label)| (x.pixel(tick), label)).collect();
        let titles = [axis, y_axis].map(|axis| axis.title.clone());
        Self { ticks: with_room(labels, is_cut), x, y, titles, legend, left, right, bottom }
    }

    /// Opens the SVG, and draws the legend, the y axis as grid lines and the x axis with labelled ticks.
    pub fn open(&self, label: &str) -> String {
        let Self { left, right, bottom, .. } = *self;
        let mut out = String::new();
        open(&mut out, bottom + BELOW, label);
        self.legend.draw(&mut out);
        for &tick in &self.y.ticks {
            let at = self.y.pixel(tick);
            push(&mut out, format_args!("<path d=\"M{left:.1} {at:.1}H{right:.1}\" stroke=\"{GRID}\"/>"));
            text_at(&mut out, [left - GAP, at + 5.0], Anchor::End, left, &self.y.label(tick));
        }
        for (at, label) in &self.ticks {
            push(&mut out, format_args!("<path d=\"M{at:.1} {bottom:.1}v5\" stroke=\"{TEXT}\"/>"));
            text_at(&mut out, [*at, bottom + 20.0], Anchor::Middle, WIDTH, label);
        }
        push(&mut out, format_args!("<path d=\"M{left:.1} {bottom:.1}H{right:.1}\" stroke=\"{TEXT}\"/>"));
        let [x_title, y_title] = &self.titles;
        text_at(&mut out, [left.midpoint(right), bottom + BELOW - 9.0], Anchor::Middle, WIDTH, x_title);
        text_at(&mut out, [0.0, self.legend.height() + 15.0], Anchor::Start, WIDTH, y_title);
        out
    }
}

/// Returns the labels that do not touch their neighbours. If `is_cut`, labels wider than the space between columns are
/// shortened first.
fn with_room(labels: Vec<(f64, String)>, is_cut: bool) -> Vec<(f64, String)> {
    let spaces = labels.windows(2).map(|pair| pair[1].0 - pair[0].0);
    let room = spaces.fold(WIDTH / 4.0, f64::min).max(MIN_LABEL) - BETWEEN;
    let mut shown: Vec<(f64, String)> = Vec::new();
    let mut free_from = f64::NEG_INFINITY;
    for (at, label) in labels {
        let label = if is_cut { fitted(&label, room).into_owned() } else { label };
        // `text_at` moves labels inside the image in the same way.
        let half = width(&label) / 2.0;
        let middle = at.clamp(half, (WIDTH - half).max(half));
        if middle - half >= free_from {
            free_from = middle + half + BETWEEN;
            shown.push((at, label));
        }
    }
    shown
}
