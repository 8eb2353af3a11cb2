//! The grid and its validation.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use crate::KernelParameter;
use crate::cubecl::{self, prelude::*};
use throng_core::{InputError, Problems};

use super::cells::{Axis, Boundary};

/// Maximum number of cells of a grid.
pub const MAX_CELLS: u32 = i32::MAX as u32;

/// Maximum capacity of cell lists, in agents.
pub const MAX_AGENTS: usize = i32::MAX as usize;

const AXES: [&str; 3] = ["x", "y", "z"];

/// A grid in the plane or in space, on integer positions. The last cell of an axis may be wider than the others.
///
/// The fields are private, so a grid is always valid: neither host nor kernels overflow for any position. A kernel
/// takes it as `&UniformGrid`; the method `arg` of [`KernelParameter`] creates the argument.
#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct UniformGrid {
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) z: Axis,
    /// Whether it has three axes; compiled into kernels.
    #[cube(comptime)]
    pub(super) spatial: bool,
}

impl UniformGrid {
    /// Creates a grid of `cells` cells along each axis, `cell_size` units wide, with the lowest corner at `origin`. `D`
    /// is 2 or 3; anything else does not compile.
    ///
    /// # Errors
    /// When a size or a count is zero, the grid ends beyond `i32::MAX`, or it has more than [`MAX_CELLS`] cells.
    ///
    /// ```
    /// use throng_device::neighbours::{Boundary, UniformGrid};
    ///
    /// let grid = UniformGrid::new([-40, -20], 10, [8, 4], Boundary::Closed)?;
    /// assert_eq!((grid.cells(), grid.cell_of(-40, -20, 0), grid.cell_of(-25, -1, 0)), (32, 0, 9));
    /// assert_eq!(grid.cell_of(1_000, 1_000, 0), 31, "the nearest cell of the border");
    /// # Ok::<(), throng_core::InputError>(())
    /// ```
    pub fn new<const D: usize>(
        origin: [i32; D],
        cell_size: u32,
        cells: [u32; D],
        boundary: Boundary,
    ) -> Result<Self, InputError> {
        let mut problems = Problems::new();
        let extents = cells.map(|cells| u64::from(cells) * u64::from(cell_size));
        check_size(cell_size, &mut problems);
        for (axis, _) in AXES.into_iter().zip(cells).filter(|&(_, cells)| cells == 0) {
            problems.push(place(axis), "0 cells", "give each axis at least one cell");
        }
        Self::checked(origin, extents, cell_size, cells, boundary, problems)
    }

    /// Creates a grid that covers `extent` units along each axis from `origin`, with as many cells of at least `reach`
    /// units as fit. This is the finest grid for searches within `reach`; where agents are sparse, a larger `reach`
    /// saves memory. `D` is 2 or 3; anything else does not compile.
    ///
    /// The extent need not be a multiple of the reach: the last cell of each axis takes the rest.
    ///
    /// # Errors
    /// When a size or a count is zero, the grid ends beyond `i32::MAX`, or it has more than [`MAX_CELLS`] cells.
    ///
    /// ```
    /// use throng_device::neighbours::{Boundary, UniformGrid};
    ///
    /// let grid = UniformGrid::covering([0, 0, 0], [71, 71, 4], 5, Boundary::Periodic)?;
    /// assert_eq!((grid.cells(), grid.reach()), (14 * 14, 5));
    /// # Ok::<(), throng_core::InputError>(())
    /// ```
    pub fn covering<const D: usize>(
        origin: [i32; D],
        extent: [u32; D],
        reach: u32,
        boundary: Boundary,
    ) -> Result<Self, InputError> {
        let mut problems = Problems::new();
        check_size(reach, &mut problems);
        for (axis, _) in AXES.into_iter().zip(extent).filter(|&(_, extent)| extent == 0) {
            problems.push(place(axis), "0 units long", "give each axis a positive length");
        }
        let cells = extent.map(|extent| (extent / reach.max(1)).max(1));
        Self::checked(origin, extent.map(u64::from), reach, cells, boundary, problems)
    }

    fn checked<const D: usize>(
        origin: [i32; D],
        extents: [u64; D],
        cell_size: u32,
        cells: [u32; D],
        boundary: Boundary,
        mut problems: Problems,
    ) -> Result<Self, InputError> {
        const { assert!(D == 2 || D == 3, "a grid has two or three axes") };
        for ((axis, origin), extent) in AXES.into_iter().zip(origin).zip(extents) {
            let end = i64::from(origin).saturating_add_unsigned(extent);
            if extent > u64::from(MAX_CELLS) || end > i64::from(i32::MAX) + 1 {
                let message = format!("{extent} units from {origin} extend beyond {}", i32::MAX);
                problems.push(place(axis), message, "use coarser units, or place the origin lower");
            }
        }
        let total = cells.iter().fold(1u64, |total, &cells| total.saturating_mul(u64::from(cells)));
        if total > u64::from(MAX_CELLS) {
            let message = format!("{total} cells; the maximum is {MAX_CELLS}");
            problems.push("grid of neighbours", message, "use larger cells, or cover less");
        }
        problems.into_result()?;
        // The plane has a dummy third axis with one layer of one unit.
        let axis = |i: usize| match (origin.get(i), extents.get(i), cells.get(i)) {
            (Some(&origin), Some(&extent), Some(&cells)) => {
                Axis { origin, extent: extent as u32, cell_size, cells, boundary }
            }
            _ => Axis { origin: 0, extent: 1, cell_size: 1, cells: 1, boundary },
        };
        Ok(Self { x: axis(0), y: axis(1), z: axis(2), spatial: D == 3 })
    }

    /// Number of dimensions, 2 or 3.
    pub fn dimensions(&self) -> usize {
        if self.spatial { 3 } else { 2 }
    }

    /// Behaviour at the border.
    pub fn boundary(&self) -> Boundary {
        self.x.boundary
    }

    /// Total number of cells.
    pub fn cells(&self) -> usize {
        [self.x, self.y, self.z].iter().map(|axis| axis.cells as usize).product()
    }

    /// Width of the cells in units: the block around a position contains every agent within this distance.
    pub fn reach(&self) -> u32 {
        self.x.cell_size
    }
}

fn place(axis: &str) -> String {
    format!("grid of neighbours, axis {axis}")
}

fn check_size(cell_size: u32, problems: &mut Problems) {
    if cell_size == 0 {
        problems.push("grid of neighbours", "cells of 0 units", "cells are as wide as the distance of interest");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(result: Result<UniformGrid, InputError>) -> String {
        result.expect_err("refused").to_string()
    }

    #[test]
    fn invalid_grids_are_refused_with_location_and_value() {
        let closed = Boundary::Closed;
        let error = refusal(UniformGrid::new([0, 0], 0, [0, 3], closed));
        assert!(error.contains("cells of 0 units") && error.contains("axis x: 0 cells"), "{error}");
        let error = refusal(UniformGrid::covering([0, 0, 0], [5, 5, 0], 1, closed));
        assert!(error.contains("axis z: 0 units long"), "{error}");
        let error = refusal(UniformGrid::covering([0, 0], [5, 5], 0, closed));
        assert!(error.contains("distance of interest"), "{error}");
        let error = refusal(UniformGrid::new([0, 1], 1, [1, i32::MAX as u32], closed).and(UniformGrid::new(
            [0, 2],
            1,
            [1, i32::MAX as u32],
            closed,
        )));
        assert!(error.contains("axis y: 2147483647 units from 2 extend beyond 2147483647"), "{error}");
        let error = refusal(UniformGrid::new([i32::MIN, 0], u32::MAX, [u32::MAX, 1], closed));
        assert!(error.contains("axis x") && error.contains("coarser units"), "{error}");
        let error = refusal(UniformGrid::new([0; 3], 1, [2_000; 3], closed));
        assert!(error.contains("8000000000 cells; the maximum is 2147483647"), "{error}");
    }

    #[test]
    fn the_largest_grids_are_valid() {
        let whole = UniformGrid::new([i32::MIN; 2], i32::MAX as u32, [1; 2], Boundary::Periodic).unwrap();
        assert_eq!((whole.cells(), whole.reach()), (1, i32::MAX as u32));
        assert_eq!(UniformGrid::new([1, 0], 1, [MAX_CELLS, 1], Boundary::Closed).unwrap().cells(), i32::MAX as usize);
    }
}
