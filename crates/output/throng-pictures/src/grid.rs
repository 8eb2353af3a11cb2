//! The positions of the cells of a field.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::InputError;
use throng_core::checks::{finite, positive};

/// The point of a cell at which a field is evaluated.
///
/// ```
/// use throng_pictures::{Grid, Sample};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 8, 8)?;
/// let point = |sample| grid.sampled_at(sample).point(4, 4);
/// assert_eq!((point(Sample::Corner), point(Sample::Centre)), ([4.0, 4.0], [4.5, 4.5]));
/// # Ok::<(), throng_core::InputError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Sample {
    /// The centre, as in games and costmaps.
    #[default]
    Centre,
    /// The corner with the lowest coordinates, as in Elmir's thesis (algorithm 1).
    Corner,
}

/// A raster of square cells in the plane, row by row from the origin: cell (column, row) has the index
/// `row * columns + column`.
///
/// ```
/// use throng_pictures::{Grid, Sample};
///
/// let grid = Grid::new([-10.0, 0.0], 0.5, 40, 20)?;
/// assert_eq!((grid.cells(), grid.point(0, 0)), (800, [-9.75, 0.25]));
/// assert_eq!(grid.sampled_at(Sample::Corner).point(0, 0), [-10.0, 0.0]);
/// assert_eq!(grid.cell_at([3.0, 4.0]), Some((26, 8)));
/// # Ok::<(), throng_core::InputError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SavedGrid", into = "SavedGrid")]
pub struct Grid {
    origin: [f64; 2],
    cell: f32,
    columns: u32,
    rows: u32,
    sample: Sample,
}

/// Offsets to the eight neighbours of a cell, as (columns, rows). Straight neighbours come first, so that they win
/// ties.
pub const NEIGHBOURS: [(i32, i32); 8] = [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)];

/// Maximum number of cells of a grid: the range of 32-bit numbers, with headroom for arithmetic.
pub const MAX_CELLS: u64 = 1 << 31;

/// Minimum number of distinguishable positions along a cell.
const PLACES_IN_A_CELL: f64 = 16.0;

/// Smallest nonzero fraction of the distance between samples; smaller ones are rounded to 0. Their products with
/// differences of fixed-point fields could be so small that some devices flush them to 0.
const MIN_FRACTION: f32 = 1.0 / (1u32 << 30) as f32;

impl Grid {
    /// Creates a grid of `columns` x `rows` cells of side `cell` (world units), sampled at cell centres. `origin` is
    /// the corner of the first cell, in single or double precision. Fields depend only on positions relative to it, so
    /// a large origin, such as that of a map projection, costs no precision.
    ///
    /// # Errors
    /// When a number is not finite, the cell size is not positive, there are no cells or too many, or coordinates are
    /// so large that double precision cannot resolve positions within a cell.
    pub fn new(origin: [impl Into<f64>; 2], cell: f32, columns: u32, rows: u32) -> Result<Self, InputError> {
        let origin = origin.map(Into::into);
        finite("grid, origin x", origin[0])?;
        finite("grid, origin y", origin[1])?;
        positive("grid, cell size", cell)?;
        let cells = u64::from(columns) * u64::from(rows);
        if cells == 0 {
            let remedy = "a grid has at least one column and one row";
            return Err(InputError::one("grid, size", format!("{columns} x {rows}"), remedy));
        }
        if cells > MAX_CELLS {
            let remedy = format!(
                "at most {MAX_CELLS} cells fit into one grid; these would take {} MiB: use larger cells",
                // MiB at four bytes per cell, computed without a product that could overflow.
                cells >> 18
            );
            return Err(InputError::one("grid, size", format!("{columns} x {rows}"), remedy));
        }
        let grid = Self { origin, cell, columns, rows, sample: Sample::Centre };
        grid.check_spacing(|largest| largest.next_up() - largest)?;
        Ok(grid)
    }

    /// Rejects a grid in which single-precision coordinates, such as those of agents, cannot resolve positions within a
    /// cell.
    ///
    /// ```
    /// use throng_pictures::Grid;
    ///
    /// let utm = Grid::new([690_000.0, 5_334_000.0], 0.5, 100, 100)?;
    /// assert_eq!(utm.check_single_precision().unwrap_err().place(), "grid, origin x");
    /// # Ok::<(), throng_core::InputError>(())
    /// ```
    ///
    /// # Errors
    /// When the spacing of such coordinates exceeds a sixteenth of a cell.
    pub fn check_single_precision(&self) -> Result<(), InputError> {
        self.check_spacing(|largest| {
            let largest = largest as f32;
            f64::from(largest.next_up()) - f64::from(largest)
        })
    }

    /// Rejects coordinates too imprecise for the cell size; `spacing` returns the distance from a positive number to
    /// the next larger one.
    fn check_spacing(&self, spacing: impl Fn(f64) -> f64) -> Result<(), InputError> {
        let cell = f64::from(self.cell);
        for (axis, low, count) in [("x", self.origin[0], self.columns), ("y", self.origin[1], self.rows)] {
            let apart = spacing(low.abs().max((low + f64::from(count) * cell).abs()));
            // The spacing of infinite coordinates is NaN.
            if apart.is_nan() || apart * PLACES_IN_A_CELL > cell {
                let remedy = format!(
                    "coordinates of this size are {apart} apart, too far for cells of {cell}: measure from a local \
                     origin, or use larger cells"
                );
                return Err(InputError::one(format!("grid, origin {axis}"), low, remedy));
            }
        }
        Ok(())
    }

    /// Creates the square grid of Elmir's thesis: a world of side `side` with its origin at (0, 0), with `resolution`
    /// cells per axis, sampled at corners.
    ///
    /// # Errors
    /// As for [`Grid::new`].
    pub fn of_thesis(side: f32, resolution: u32) -> Result<Self, InputError> {
        positive("grid, side of the world", side)?;
        Ok(Self::new([0.0, 0.0], side / resolution.max(1) as f32, resolution, resolution)?.sampled_at(Sample::Corner))
    }

    /// Returns the same cells with another sampled point.
    pub fn sampled_at(self, sample: Sample) -> Self {
        Self { sample, ..self }
    }

    /// Returns the corner of the first cell, world units.
    pub fn origin(&self) -> [f64; 2] {
        self.origin
    }

    /// Returns the side length of a cell, world units.
    pub fn cell(&self) -> f32 {
        self.cell
    }

    /// Returns the number of cells along x.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Returns the number of cells along y.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// Returns the total number of cells.
    pub fn cells(&self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// Returns the sampled point of the cells.
    pub fn sample(&self) -> Sample {
        self.sample
    }

    /// Returns the offset of the sampled point from the corner of its cell, in cells.
    pub fn offset(&self) -> f64 {
        match self.sample {
            Sample::Corner => 0.0,
            Sample::Centre => 0.5,
        }
    }

    /// Returns the sampled point of a cell, world units.
    pub fn point(&self, column: u32, row: u32) -> [f64; 2] {
        let along = |origin: f64, i: u32| origin + (f64::from(i) + self.offset()) * f64::from(self.cell);
        [along(self.origin[0], column), along(self.origin[1], row)]
    }

    /// Converts a world position to cells from the origin.
    pub fn in_cells(&self, point: [f64; 2]) -> [f64; 2] {
        let cell = f64::from(self.cell);
        [(point[0] - self.origin[0]) / cell, (point[1] - self.origin[1]) / cell]
    }

    /// Converts a world position to cells from the first sampled point.
    pub fn in_samples(&self, point: [f64; 2]) -> [f64; 2] {
        self.in_cells(point).map(|at| at - self.offset())
    }

    /// Returns the sample at or before a world position, clamped to the grid, and the fractions of the distance to the
    /// next samples; `None` if a coordinate is NaN. Fractions below `MIN_FRACTION` become 0.
    pub fn between(&self, point: [f64; 2]) -> Option<([u32; 2], [f32; 2])> {
        let [x, y] = self.in_samples(point);
        if x.is_nan() || y.is_nan() {
            return None;
        }
        let along = |at: f64, count: u32| {
            let at = at.clamp(0.0, f64::from(count - 1));
            let i = (at as u32).min(count.saturating_sub(2));
            let fraction = (at - f64::from(i)) as f32;
            (i, if fraction < MIN_FRACTION { 0.0 } else { fraction })
        };
        let ((x, fx), (y, fy)) = (along(x, self.columns), along(y, self.rows));
        Some(([x, y], [fx, fy]))
    }

    /// Returns column and row of the cell that contains a world position.
    pub fn cell_at(&self, point: [impl Into<f64>; 2]) -> Option<(u32, u32)> {
        let [x, y] = self.in_cells(point.map(Into::into)).map(f64::floor);
        let inside = x >= 0.0 && y >= 0.0 && x < f64::from(self.columns) && y < f64::from(self.rows);
        inside.then_some((x as u32, y as u32))
    }

    /// Returns the index of a cell in the values of a field; `None` outside.
    pub fn find(&self, column: u32, row: u32) -> Option<usize> {
        (column < self.columns && row < self.rows).then(|| self.index(column, row))
    }

    /// Returns the index of a cell, or an error if it does not exist; the error calls the cell `what`.
    pub fn expect(&self, what: &str, (column, row): (u32, u32)) -> Result<usize, InputError> {
        self.find(column, row).ok_or_else(|| {
            let remedy = format!("the grid has {} x {} cells", self.columns, self.rows);
            InputError::one(format!("{what} at ({column}, {row})"), "outside the grid", remedy)
        })
    }

    /// Rejects a grid with other cells, which belongs to `what`. The sampled point may differ.
    pub fn check_same_cells(&self, what: &str, other: &Grid) -> Result<(), InputError> {
        if self.sampled_at(other.sample) == *other {
            return Ok(());
        }
        let name = |grid: &Grid| {
            let [x, y] = grid.origin;
            format!("{} x {} cells of {} with the origin ({x}, {y})", grid.columns, grid.rows, grid.cell)
        };
        Err(InputError::one(format!("{what}, grid"), name(other), format!("expected {}", name(self))))
    }

    /// Returns the index of a cell in the values of a field.
    pub fn index(&self, column: u32, row: u32) -> usize {
        row as usize * self.columns as usize + column as usize
    }

    /// Returns column and row of the cell with an index.
    pub fn place(&self, index: usize) -> (u32, u32) {
        let columns = self.columns as usize;
        ((index % columns) as u32, (index / columns) as u32)
    }
}

/// A serialised grid: the arguments of its constructor, which are validated again on reading.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedGrid {
    origin: [f64; 2],
    cell: f32,
    columns: u32,
    rows: u32,
    #[serde(default)]
    sample: Sample,
}

impl From<Grid> for SavedGrid {
    fn from(grid: Grid) -> Self {
        let (origin, cell, sample) = (grid.origin(), grid.cell(), grid.sample());
        Self { origin, cell, columns: grid.columns(), rows: grid.rows(), sample }
    }
}

impl TryFrom<SavedGrid> for Grid {
    type Error = InputError;

    fn try_from(saved: SavedGrid) -> Result<Self, InputError> {
        let SavedGrid { origin, cell, columns, rows, sample } = saved;
        Ok(Self::new(origin, cell, columns, rows)?.sampled_at(sample))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_grids_are_refused() {
        for (cell, columns, rows, place) in [
            (0.0, 4, 4, "grid, cell size"),
            (-1.0, 4, 4, "grid, cell size"),
            (f32::NAN, 4, 4, "grid, cell size"),
            (f32::INFINITY, 4, 4, "grid, cell size"),
            (1.0, 0, 4, "grid, size"),
            (1.0, 4, 0, "grid, size"),
            (1.0, 1 << 16, 1 << 16, "grid, size"),
        ] {
            let error = Grid::new([0.0, 0.0], cell, columns, rows).unwrap_err();
            assert_eq!(error.place(), place, "{error}");
        }
        assert_eq!(Grid::new([f32::NAN, 0.0], 1.0, 1, 1).unwrap_err().place(), "grid, origin x");
        // Doubles near 1e17 are 16 units apart.
        let error = Grid::new([0.0, 1e17], 8.0, 100, 100).unwrap_err();
        assert!(error.place() == "grid, origin y" && error.remedy().contains("16 apart"), "{error}");
        assert_eq!(Grid::new([-f64::MAX, 0.0], 1e37, 100, 1).unwrap_err().place(), "grid, origin x");
        assert!(Grid::new([0.0, 0.0], 1.0, 1 << 16, 1 << 16).unwrap_err().remedy().contains("16384 MiB"));
    }

    #[test]
    fn insufficient_single_precision_is_refused() {
        let place = |origin: [f64; 2], cell| {
            let grid = Grid::new(origin, cell, 100, 100).unwrap();
            grid.check_single_precision().map_err(|error| (error.place().to_owned(), error.remedy().to_owned()))
        };
        // Single-precision numbers near 690,000 are a 16th of a unit apart; near 5 million, half a unit.
        let (axis, remedy) = place([690_000.0, 5_334_000.0], 0.5).unwrap_err();
        assert!(axis == "grid, origin x" && remedy.contains("0.0625 apart"), "{remedy}");
        assert_eq!(place([0.0, 5_334_000.0], 1.0).unwrap_err().0, "grid, origin y");
        assert_eq!(place([0.0, 5_334_000.0], 8.0), Ok(()));
        assert_eq!(place([-1e40, 0.0], 1e38).unwrap_err().0, "grid, origin x");
    }

    #[test]
    fn the_grid_of_the_thesis_samples_corners_of_the_world() {
        let grid = Grid::of_thesis(256.0, 2048).unwrap();
        assert_eq!((grid.cell(), grid.point(0, 0), grid.point(2047, 8)), (0.125, [0.0, 0.0], [255.875, 1.0]));
    }

    #[test]
    fn indices_are_converted_back_to_their_cells() {
        let grid = Grid::new([0.0, 0.0], 1.0, 3, 2).unwrap();
        assert_eq!([0, 2, 3, 5].map(|index| grid.place(index)), [(0, 0), (2, 0), (0, 1), (2, 1)]);
        assert!((0..6).all(|index| matches!(grid.place(index), (column, row) if grid.index(column, row) == index)));
    }

    #[test]
    fn points_outside_the_grid_have_no_cell() {
        let grid = Grid::new([0.0, 0.0], 2.0, 3, 2).unwrap();
        assert_eq!(grid.cell_at([5.9, 3.9]), Some((2, 1)));
        for outside in [[6.0, 0.0], [0.0, 4.0], [-0.1, 0.0], [f64::NAN, 0.0]] {
            assert_eq!(grid.cell_at(outside), None);
        }
    }
}
