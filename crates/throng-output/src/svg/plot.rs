//! The area of a chart between its axes.

use super::{GRID, Scale, TEXT, WIDTH, push, text_at};

/// Right of the area.
const RIGHT: f64 = 12.0;
/// Above it: the title of the y axis, and the legend.
const TOP: f64 = 34.0;
/// Below it: ticks and title of the x axis.
const BOTTOM: f64 = 44.0;

/// An area, in a picture of the standard width.
pub(super) struct Plot {
    /// Left of the area: the ticks of the y axis.
    pub left: f64,
    /// The height of the picture.
    pub height: f64,
}

impl Plot {
    /// The pixels of the x axis, from left to right.
    pub fn across(&self) -> (f64, f64) {
        (self.left, WIDTH - RIGHT)
    }

    /// The pixels of the y axis, upwards.
    pub fn upwards(&self) -> (f64, f64) {
        (self.height - BOTTOM, TOP)
    }

    /// Draws both axes: of y the grid, of x those ticks with their labels.
    pub fn frame(
        &self,
        out: &mut String,
        (x, x_title): (&Scale, &str),
        x_ticks: impl IntoIterator<Item = (f64, String)>,
        (y, y_title): (&Scale, &str),
    ) {
        let ((left, right), (bottom, _)) = (self.across(), self.upwards());
        for &tick in &y.ticks {
            let at = y.pixel(tick);
            push(out, format_args!("<path d=\"M{left} {at:.1}H{right}\" stroke=\"{GRID}\"/>"));
            text_at(out, left - 8.0, at + 4.0, "end", &y.label(tick));
        }
        for (tick, label) in x_ticks {
            let at = x.pixel(tick);
            push(out, format_args!("<path d=\"M{at:.1} {bottom}v5\" stroke=\"{TEXT}\"/>"));
            text_at(out, at, bottom + 18.0, "middle", &label);
        }
        push(out, format_args!("<path d=\"M{left} {bottom}H{right}\" stroke=\"{TEXT}\"/>"));
        text_at(out, left.midpoint(right), self.height - 6.0, "middle", x_title);
        text_at(out, 0.0, 14.0, "start", y_title);
    }
}
