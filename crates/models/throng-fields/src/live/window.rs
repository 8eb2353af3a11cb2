//! A block of cells of a grid in which the best cells are searched.

use std::ops::Range;

use throng_core::InputError;
use throng_core::checks::{finite, not_negative};
use throng_fields_core::entities::Cells;
use throng_pictures::Grid;

/// A block of cells of a grid, such as the surroundings that an agent sees. Cells outside the grid are ignored.
///
/// ```
/// use throng_fields::{DeviceChoice, Discs, DynamicField, Grid, Profile, Window};
///
/// let grid = Grid::new([0.0, 0.0], 0.5, 100, 100)?;
/// let food = Discs::new(&[[12.25, 8.25], [30.25, 8.25]], Profile::linear(6.0)?)?;
/// let fields = DynamicField::builder(grid).entities(food).on(DeviceChoice::Cpu).build()?;
/// let sight = Window::around(&grid, [14.25, 10.25], 4.0)?;
/// let best = &fields.best_in(&[sight], 1)?[0][0];
/// assert_eq!((grid.point(best.column, best.row), best.value), ([12.25, 8.25], 1.0));
/// # Ok::<(), throng_fields::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    columns: Range<u32>,
    rows: Range<u32>,
    layers: Option<u32>,
}

impl Window {
    /// The cells in the given ranges of columns and rows.
    pub fn new(columns: Range<u32>, rows: Range<u32>) -> Self {
        Self { columns, rows, layers: None }
    }

    /// The cells whose sampled points are at most `radius` world units away from a point along each axis, which form a
    /// square.
    ///
    /// # Errors
    /// When a number is not finite, or the radius is negative.
    pub fn around(grid: &Grid, point: [impl Into<f64>; 2], radius: f32) -> Result<Self, InputError> {
        let point = point.map(Into::into);
        finite("point of the window, x", point[0])?;
        finite("point of the window, y", point[1])?;
        let reach = f64::from(not_negative("window, radius", radius)?) / f64::from(grid.cell());
        let [columns, rows] = grid.in_samples(point).map(|at| {
            // The cast saturates: numbers beyond 32 bits become the maximum, and negative numbers become 0.
            let first = (at - reach).ceil() as u32;
            first..((at + reach).floor() + 1.0) as u32
        });
        Ok(Self::new(columns, rows))
    }

    /// The same cells in the field of only those entities that are in at least one of the given layers, one bit each.
    /// Without this call, all entities contribute, including those in no layer.
    ///
    /// Unlike the field, the values of such a window are not stored: the contributions of the entities that reach it
    /// are added up only for this window. On a device, each tile of 64 x 64 cells tests all entities.
    pub fn in_layers(self, layers: u32) -> Self {
        Self { layers: Some(layers), ..self }
    }

    /// The layers to which entities are restricted, if any.
    pub(crate) fn layers(&self) -> Option<u32> {
        self.layers
    }

    /// The window's cells within a grid; `None` if there are none.
    pub(crate) fn cells_on(&self, grid: &Grid) -> Option<Cells> {
        let within = |range: &Range<u32>, count: u32| {
            let (from, end) = (range.start, range.end.min(count));
            (from < end).then_some((from, end))
        };
        let (columns, rows) = (within(&self.columns, grid.columns())?, within(&self.rows, grid.rows())?);
        Some(Cells { columns, rows })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_around_points_contain_the_cells_within_the_radius() {
        let grid = Grid::new([10.0, 0.0], 0.5, 20, 10).unwrap();
        let cells = |point: [f64; 2], radius| {
            let cells = Window::around(&grid, point, radius).unwrap().cells_on(&grid);
            cells.map(|cells| (cells.columns, cells.rows))
        };
        // Sampled points are at 10.25, 10.75 and so on.
        assert_eq!(cells([11.25, 1.25], 0.5), Some(((1, 4), (1, 4))));
        assert_eq!(cells([11.25, 1.25], 0.49), Some(((2, 3), (2, 3))));
        assert_eq!(cells([10.0, 5.0], 1.0), Some(((0, 2), (8, 10))));
        assert_eq!(cells([11.0, 1.0], 0.1), None);
        assert_eq!(cells([-1e30, 0.0], 9.0), None);
        assert_eq!(cells([11.0, 1.0], f32::MAX), Some(((0, 20), (0, 10))));
        assert_eq!(Window::around(&grid, [f64::NAN, 0.0], 1.0).unwrap_err().place(), "point of the window, x");
        assert_eq!(Window::around(&grid, [0.0, 0.0], -1.0).unwrap_err().place(), "window, radius");
    }
}
