//! Heat map of a matrix: darker means larger.

use super::text::{Anchor, text_at, width};
use super::{Graphic, TEXT, WIDTH, open, push};

/// A matrix of non-negative values.
#[derive(Debug, Clone, Default)]
pub struct HeatMap {
    /// Alternative text.
    pub label: String,
    /// Number of columns.
    pub columns: usize,
    /// Values, row by row from the top; an incomplete last row is omitted.
    pub values: Vec<f64>,
    /// Title of the columns, which are numbered from 0.
    pub x_title: String,
    /// Title of the rows, which are numbered from 0.
    pub y_title: String,
    /// Unit of the values, for the legend.
    pub unit: String,
}

const TOP: f64 = 30.0;
const BOTTOM: f64 = 92.0;
/// Distance between a row and its number.
const GAP: f64 = 8.0;
/// Maximum width and height of the matrix.
const MAX_SIDE: f64 = 520.0;
/// Number of colour steps in the legend.
const STEPS: usize = 32;

impl Graphic for HeatMap {
    /// Takes about 70 bytes per positive value; other values are not drawn.
    fn render(&self) -> String {
        let (columns, rows) = (self.columns.max(1), self.rows());
        let side = MAX_SIDE / columns.max(rows).max(1) as f64;
        let (wide, high) = (side * columns as f64, side * rows as f64);
        let drawn = &self.values[..rows * columns];
        let max = drawn.iter().copied().filter(|value| value.is_finite()).fold(0.0, f64::max);
        let left = width(&rows.to_string()) + GAP;
        let mut out = String::new();
        open(&mut out, TOP + high + BOTTOM, &self.label);
        text_at(&mut out, [0.0, 16.0], Anchor::Start, WIDTH, &self.y_title);
        for (at, &value) in drawn.iter().enumerate() {
            if value > 0.0 && value.is_finite() {
                let (x, y) = (left + (at % columns) as f64 * side, TOP + (at / columns) as f64 * side);
                square(&mut out, [x, y, side, side], value / max);
            }
        }
        let (right, bottom) = (left + wide, TOP + high);
        push(
            &mut out,
            format_args!(
                "<path d=\"M{left:.1} {TOP}H{right:.1}V{bottom:.1}H{left:.1}z\" fill=\"none\" stroke=\"{TEXT}\"/>"
            ),
        );
        // Column numbers need more space than row numbers.
        let every = ((width(&columns.to_string()) + 12.0) / side).ceil().max(1.0) as usize;
        for column in (0..columns).step_by(every) {
            let at = [left + (column as f64 + 0.5) * side, bottom + 18.0];
            text_at(&mut out, at, Anchor::Middle, WIDTH, &column.to_string());
        }
        for row in (0..rows).step_by((18.0 / side).ceil().max(1.0) as usize) {
            let at = [left - GAP, TOP + (row as f64 + 0.5) * side + 5.0];
            text_at(&mut out, at, Anchor::End, WIDTH, &row.to_string());
        }
        text_at(&mut out, [left.midpoint(right), bottom + 40.0], Anchor::Middle, WIDTH, &self.x_title);
        legend(&mut out, [left, bottom + 54.0], max, &self.unit);
        out.push_str("</svg>");
        out
    }

    fn points(&self) -> usize {
        self.values[..self.rows() * self.columns.max(1)]
            .iter()
            .filter(|value| **value > 0.0 && value.is_finite())
            .count()
    }
}

impl HeatMap {
    fn rows(&self) -> usize {
        self.values.len() / self.columns.max(1)
    }
}

/// Draws a rectangle in a colour between white (`fraction` 0) and dark blue (1).
fn square(out: &mut String, [x, y, width, height]: [f64; 4], fraction: f64) {
    let between = |white: f64, dark: f64| (white + (dark - white) * fraction.clamp(0.0, 1.0)).round() as u8;
    let [red, green, blue] = [between(240.0, 8.0), between(246.0, 48.0), between(252.0, 107.0)];
    push(
        out,
        format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.2}\" height=\"{height:.2}\" fill=\"#{red:02x}{green:02x}{blue:02x}\"/>"
        ),
    );
}

fn legend(out: &mut String, [left, top]: [f64; 2], max: f64, unit: &str) {
    let step = (WIDTH / 3.0) / STEPS as f64;
    for at in 0..STEPS {
        square(out, [left + at as f64 * step, top, step + 0.5, 12.0], at as f64 / (STEPS - 1) as f64);
    }
    text_at(out, [left, top + 30.0], Anchor::Start, WIDTH, "0");
    let (max, right) = (format!("{} {unit}", crate::html::grouped(max, 0)), left + step * STEPS as f64);
    // A long label extends to the right.
    let half = WIDTH / 6.0;
    let (at, anchor) = if width(&max) < half { (right, Anchor::End) } else { (right - half, Anchor::Start) };
    text_at(out, [at, top + 30.0], anchor, WIDTH - right + half, max.trim_end());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_positive_values_are_drawn_as_squares() {
        let map = HeatMap { columns: 2, values: vec![0.0, 4.0, 2.0, f64::NAN, 9.0], ..HeatMap::default() };
        let picture = map.render();
        let squares = picture.matches("<rect").count() - STEPS;
        // The value 9 belongs to an incomplete row.
        assert_eq!(squares, 2, "{picture}");
        assert!(picture.contains(" y=\"30.0\" width=\"260.00\"") && map.points() == 2, "{picture}");
        assert!(picture.contains("#08306b"), "the greatest value is dark: {picture}");
    }

    #[test]
    fn an_empty_map_is_a_valid_image() {
        let picture = HeatMap::default().render();
        assert!(picture.starts_with("<svg") && picture.ends_with("</svg>") && !picture.contains("NaN"), "{picture}");
    }
}
