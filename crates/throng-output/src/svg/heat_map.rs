//! A matrix as squares, the darker the greater the value.

use super::{TEXT, WIDTH, open, push, text_at};

/// A matrix with values from 0.
#[derive(Debug, Clone, Default)]
pub struct HeatMap {
    /// Text for screen readers.
    pub label: String,
    /// The number of columns.
    pub columns: usize,
    /// The values, row by row, the first row at the top; a last row that is not full is left out.
    pub values: Vec<f64>,
    /// Title of the columns, which are counted from 0.
    pub x_title: String,
    /// Title of the rows, which are counted from 0.
    pub y_title: String,
    /// Unit of the values, for the legend.
    pub unit: String,
}

const LEFT: f64 = 48.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 74.0;
/// The greatest width of the matrix.
const MOST: f64 = 520.0;
/// Steps of the legend.
const STEPS: usize = 32;

impl HeatMap {
    /// The map as SVG text. A value above 0 takes some 40 bytes; others are not drawn.
    pub fn render(&self) -> String {
        let columns = self.columns.max(1);
        let rows = self.values.len() / columns;
        let side = MOST / columns.max(rows).max(1) as f64;
        let (width, height) = (side * columns as f64, side * rows as f64);
        let most = self.values.iter().copied().filter(|value| value.is_finite()).fold(0.0, f64::max);
        let mut out = String::new();
        open(&mut out, TOP + height + BOTTOM, &self.label);
        text_at(&mut out, 0.0, 14.0, "start", &self.y_title);
        for (at, &value) in self.values[..rows * columns].iter().enumerate() {
            if value > 0.0 && value.is_finite() {
                let (x, y) = (LEFT + (at % columns) as f64 * side, TOP + (at / columns) as f64 * side);
                square(&mut out, [x, y, side, side], value / most);
            }
        }
        let (right, bottom) = (LEFT + width, TOP + height);
        push(
            &mut out,
            format_args!("<path d=\"M{LEFT} {TOP}H{right:.1}V{bottom:.1}H{LEFT}z\" fill=\"none\" stroke=\"{TEXT}\"/>"),
        );
        let every = columns.max(rows).div_ceil(12).max(1);
        for column in (0..columns).step_by(every) {
            text_at(&mut out, LEFT + (column as f64 + 0.5) * side, bottom + 16.0, "middle", &column.to_string());
        }
        for row in (0..rows).step_by(every) {
            text_at(&mut out, LEFT - 8.0, TOP + (row as f64 + 0.5) * side + 4.0, "end", &row.to_string());
        }
        text_at(&mut out, LEFT.midpoint(right), bottom + 34.0, "middle", &self.x_title);
        legend(&mut out, bottom + 48.0, most, &self.unit);
        out.push_str("</svg>");
        out
    }
}

/// From white to dark blue.
fn square(out: &mut String, [x, y, width, height]: [f64; 4], share: f64) {
    let between = |white: f64, dark: f64| (white + (dark - white) * share.clamp(0.0, 1.0)).round() as u8;
    let [red, green, blue] = [between(240.0, 8.0), between(246.0, 48.0), between(252.0, 107.0)];
    push(
        out,
        format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.2}\" height=\"{height:.2}\" fill=\"#{red:02x}{green:02x}{blue:02x}\"/>"
        ),
    );
}

fn legend(out: &mut String, y: f64, most: f64, unit: &str) {
    let step = (WIDTH / 3.0) / STEPS as f64;
    for at in 0..STEPS {
        square(out, [LEFT + at as f64 * step, y, step + 0.5, 10.0], at as f64 / (STEPS - 1) as f64);
    }
    text_at(out, LEFT, y + 24.0, "start", "0");
    let most = format!("{} {unit}", crate::html::grouped(most, 0));
    text_at(out, LEFT + step * STEPS as f64, y + 24.0, "end", most.trim_end());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_stand_for_values_above_zero() {
        let map = HeatMap { columns: 2, values: vec![0.0, 4.0, 2.0, f64::NAN, 9.0], ..HeatMap::default() };
        let picture = map.render();
        let squares = picture.matches("<rect").count() - STEPS;
        // The ninth belongs to a row that is not full.
        assert_eq!(squares, 2, "{picture}");
        assert!(picture.contains("x=\"308.0\" y=\"30.0\" width=\"260.00\""), "{picture}");
        assert!(picture.contains("#08306b"), "the greatest value is dark: {picture}");
    }

    #[test]
    fn an_empty_map_is_a_picture() {
        let picture = HeatMap::default().render();
        assert!(picture.starts_with("<svg") && picture.ends_with("</svg>") && !picture.contains("NaN"), "{picture}");
    }
}
