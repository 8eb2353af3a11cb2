//! Field queries: values between cells, gradients, best cells.

use throng_core::InputError;
use throng_core::checks::{finite, not_negative};
use throng_pictures::Mask;
use throng_pictures::mask::allows;

use crate::NEGATIVE_ZERO;
use crate::field::Field;
use crate::rules::interpolation::{Corners, bilinear, lerp, slope_across, slope_down};

/// A cell and its value.
///
/// ```
/// use throng_fields_core::{Best, Entity, Grid, Profile, creation};
///
/// let grid = Grid::new([0.0, 0.0], 0.5, 40, 40)?;
/// let field = creation::by_tiles(&grid, &[Entity::new([6.25, 3.25], Profile::linear(4.0)?).with_charge(2.0)])?;
/// let best = field.best_within([7.0, 3.0], 3.0, None)?;
/// assert_eq!(best, Some(Best { column: 12, row: 6, value: 2.0 }));
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Best {
    /// Column of the cell.
    pub column: u32,
    /// Row of the cell.
    pub row: u32,
    /// The value of the field in the cell.
    pub value: f32,
}

impl Field {
    /// Returns the value at a point in the world by bilinear interpolation of the four samples around it; beyond the
    /// outermost samples, coordinates are clamped to them. `None` if a coordinate is NaN. Samples with weight 0 do not
    /// matter, even if they are infinite or NaN: at a sampled point, the value equals the sample.
    pub fn sample(&self, point: [impl Into<f64>; 2]) -> Option<f32> {
        let ([x, y], [fx, fy]) = self.grid().between(point.map(Into::into))?;
        let [[a, b], [c, d]] = self.around(x, y).map(|row| row.map(|cell| self.values()[cell]));
        let value = bilinear(&Corners { a, b, c, d }, fx, fy, NEGATIVE_ZERO);
        if !value.is_nan() {
            return Some(value);
        }
        // Infinity times a weight of 0 is NaN.
        let between = |from: f32, to: f32, share: f32| match share {
            0.0 => from,
            1.0 => to,
            _ => lerp(from, to, share, NEGATIVE_ZERO),
        };
        Some(between(between(a, b, fx), between(c, d, fx), fy))
    }

    /// Returns the gradient of the bilinear surface of [`Field::sample`] at a point in the world: its increase per
    /// world unit along x and y. Beyond the outermost samples, coordinates are clamped to them. `None` if one is NaN.
    pub fn gradient(&self, point: [impl Into<f64>; 2]) -> Option<[f32; 2]> {
        self.gradient_of(point.map(Into::into), |cell| self.values()[cell])
    }

    /// The gradient for values given by a function of the cell index.
    pub fn gradient_of(&self, point: [f64; 2], value: impl Fn(usize) -> f32) -> Option<[f32; 2]> {
        let ([x, y], [fx, fy]) = self.grid().between(point)?;
        let [[a, b], [c, d]] = self.around(x, y).map(|row| row.map(&value));
        let (cell, corners) = (self.grid().cell(), Corners { a, b, c, d });
        Some([slope_across(&corners, fy, NEGATIVE_ZERO) / cell, slope_down(&corners, fx, NEGATIVE_ZERO) / cell])
    }

    /// Returns the cell with the highest value; ties go to the first one in row order. `None` if the mask allows no
    /// cell. NaN values are ignored.
    ///
    /// # Errors
    /// If the size of the mask differs.
    pub fn best(&self, mask: Option<&Mask>) -> Result<Option<Best>, InputError> {
        self.best_among((0, self.grid().columns()), (0, self.grid().rows()), mask, |_, _| true)
    }

    /// Returns the best cell whose sampled point is at most `radius` world units from a point.
    ///
    /// # Errors
    /// If a number is not finite, the radius is negative, or the size of the mask differs.
    pub fn best_within(
        &self,
        point: [impl Into<f64>; 2],
        radius: f32,
        mask: Option<&Mask>,
    ) -> Result<Option<Best>, InputError> {
        let point = point.map(Into::into);
        finite("point, x", point[0])?;
        finite("point, y", point[1])?;
        let radius = f64::from(not_negative("radius", radius)?);
        let grid = self.grid();
        let range = |axis: usize, count: u32| {
            let low = point[axis] - radius - grid.origin()[axis];
            let high = point[axis] + radius - grid.origin()[axis];
            let cell = f64::from(grid.cell());
            (
                (low / cell - 1.0).floor().clamp(0.0, f64::from(count)) as u32,
                (high / cell + 2.0).ceil().clamp(0.0, f64::from(count)) as u32,
            )
        };
        let near = |column, row| {
            let at = grid.point(column, row);
            let [dx, dy] = [at[0] - point[0], at[1] - point[1]];
            dx * dx + dy * dy <= radius * radius
        };
        self.best_among(range(0, grid.columns()), range(1, grid.rows()), mask, near)
    }

    fn best_among(
        &self,
        columns: (u32, u32),
        rows: (u32, u32),
        mask: Option<&Mask>,
        counts: impl Fn(u32, u32) -> bool,
    ) -> Result<Option<Best>, InputError> {
        mask.map_or(Ok(()), |mask| mask.check(self.grid()))?;
        let mut best: Option<Best> = None;
        for row in rows.0..rows.1 {
            for column in columns.0..columns.1 {
                let value = self.values()[self.grid().index(column, row)];
                let better = !value.is_nan() && best.is_none_or(|best| value > best.value);
                if better && allows(mask, column, row) && counts(column, row) {
                    best = Some(Best { column, row, value });
                }
            }
        }
        Ok(best)
    }

    /// Indices of the 2 x 2 cells that start at a sample, by row.
    fn around(&self, x: u32, y: u32) -> [[usize; 2]; 2] {
        let grid = self.grid();
        let at = |dx: u32, dy: u32| grid.index((x + dx).min(grid.columns() - 1), (y + dy).min(grid.rows() - 1));
        [[at(0, 0), at(1, 0)], [at(0, 1), at(1, 1)]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::creation;
    use crate::entities::Entity;
    use crate::profile::Profile;
    use throng_pictures::{Grid, Sample};

    /// The plane `2x - y + 1`, sampled on a 5 x 4 grid with cells of half a unit.
    fn plane(sample: Sample) -> Field {
        let grid = Grid::new([1.0, -1.0], 0.5, 5, 4).unwrap().sampled_at(sample);
        let point = |i: usize| grid.point((i % 5) as u32, (i / 5) as u32);
        Field::new(grid, (0..20).map(|i| (2.0 * point(i)[0] - point(i)[1] + 1.0) as f32).collect())
    }

    #[test]
    fn planes_are_sampled_exactly_and_have_a_constant_gradient() {
        for sample in [Sample::Corner, Sample::Centre] {
            let field = plane(sample);
            for point in [[1.25f32, -0.75], [2.0, 0.0], [1.3, -0.6], [2.875, 0.25]] {
                let expected = 2.0 * point[0] - point[1] + 1.0;
                assert!((field.sample(point).unwrap() - expected).abs() < 1e-5, "{sample:?} {point:?}");
                let [gx, gy] = field.gradient(point).unwrap();
                assert!((gx - 2.0).abs() < 1e-4 && (gy + 1.0).abs() < 1e-4, "{gx} {gy}");
            }
            let far = field.sample([1e9, 1e9]).unwrap();
            assert_eq!(Some(far), field.at(4, 3));
            assert_eq!(field.sample([f64::NAN, 0.0]), None);
        }
        let single = Field::new(Grid::new([0.0, 0.0], 1.0, 1, 1).unwrap(), vec![7.0]);
        assert_eq!((single.sample([3.0, -2.0]), single.gradient([0.2, 0.9])), (Some(7.0), Some([0.0, 0.0])));
    }

    #[test]
    fn samples_with_zero_weight_are_ignored() {
        let grid = Grid::new([0.0, 0.0], 1.0, 3, 2).unwrap();
        let of = |values: [f32; 6]| Field::from_values(grid, values.to_vec()).unwrap();
        let inf = f32::INFINITY;
        let field = of([1.0, 5.0, inf, 2.0, inf, 9.0]);
        let value = |x: f32, y: f32| field.sample([x, y]).unwrap();
        // Centres, including the end of the last interval, and points between two of them.
        assert_eq!([value(0.5, 0.5), value(1.5, 0.5), value(2.5, 1.5), value(2.5, 0.5)], [1.0, 5.0, 9.0, inf]);
        assert_eq!([value(1.0, 0.5), value(0.5, 1.0), value(0.5, 1.5)], [3.0, 1.5, 2.0]);
        assert!(!value(1.0, 1.0).is_finite() && !value(2.0, 1.5).is_finite());
        assert_eq!(of([f32::NAN, 1.0, 1.0, 2.0, 1.0, 4.0]).sample([0.5, 1.5]), Some(2.0));
    }

    #[test]
    fn the_first_best_cell_within_mask_and_radius_is_found() {
        let grid = Grid::new([0.0, 0.0], 1.0, 32, 32).unwrap();
        let top = |x, y, charge| Entity::new([x, y], Profile::linear(3.0).unwrap()).with_charge(charge);
        let field =
            creation::by_tiles(&grid, &[top(20.5, 5.5, 2.0), top(8.5, 25.5, 2.0), top(28.5, 28.5, 1.0)]).unwrap();
        let at = |best: Option<Best>| best.map(|best| (best.column, best.row));
        assert_eq!(at(field.best(None).unwrap()), Some((20, 5)));
        let south = Mask::new(&grid, |_, row| row > 10);
        assert_eq!(at(field.best(Some(&south)).unwrap()), Some((8, 25)));
        assert_eq!(at(field.best_within([27.0, 27.0], 6.0, None).unwrap()), Some((28, 28)));
        // A single cell at exactly the radius, and no cell.
        assert_eq!(at(field.best_within([0.5, 2.5], 0.0, None).unwrap()), Some((0, 2)));
        assert_eq!(field.best_within([-50.0, 2.5], 3.0, None).unwrap(), None);
        assert_eq!(field.best(Some(&Mask::new(&grid, |_, _| false))).unwrap(), None);
        let other = Mask::new(&Grid::new([0.0, 0.0], 1.0, 3, 3).unwrap(), |_, _| true);
        assert_eq!(field.best(Some(&other)).unwrap_err().place(), "mask, size");
        assert_eq!(field.best_within([0.0, 0.0], -1.0, None).unwrap_err().place(), "radius");
    }
}
