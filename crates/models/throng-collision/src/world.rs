//! The world: its size, its border, and the cells near a position; shared by host and kernels.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_core::{InputError, Problems};
use throng_device::KernelParameter;
use throng_device::cubecl::{self, prelude::*};
use throng_device::neighbours::Boundary;

use super::lattice::{CELL, CELL_BITS, MAX_RADIUS, ShownLengths};

/// Maximum side length of a world, units. Sums and differences of positions and steps fit in 32 bits.
pub const MAX_SIDE: i32 = 1 << 30;
/// Maximum number of cells in a world.
pub const MAX_CELLS: u64 = 1 << 31;

/// One axis of a world: positions from 0 to `size`, exclusive.
#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WorldAxis {
    /// Length of the axis, units.
    pub size: i32,
    /// Number of cells; the last one may be narrower.
    pub cells: i32,
    /// Boundary at its ends; compiled into kernels.
    #[cube(comptime)]
    pub boundary: Boundary,
}

/// Consecutive cells along an axis. Under a periodic boundary they continue with cell 0 after the last.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cells {
    pub first: i32,
    pub count: i32,
}

#[cube]
impl WorldAxis {
    /// Returns the displacement from `a` to `b`; under a periodic boundary the shorter one.
    #[inline]
    pub fn offset(&self, a: i32, b: i32) -> i32 {
        let mut offset = b - a;
        match comptime!(self.boundary) {
            Boundary::Closed => {}
            Boundary::Periodic => {
                let half = self.size / 2;
                if offset > half {
                    offset -= self.size;
                } else if offset < -half {
                    offset += self.size;
                }
            }
        }
        offset
    }

    /// Maps a position to one in the world. Under a periodic boundary it may be beyond the border by at most the size
    /// of the world; under a closed boundary it is clamped.
    #[inline]
    pub fn inside(&self, position: i32) -> i32 {
        let mut inside = position;
        match comptime!(self.boundary) {
            Boundary::Closed => {
                inside = max(min(position, self.size - 1), 0);
            }
            Boundary::Periodic => {
                if position < 0 {
                    inside = position + self.size;
                } else if position >= self.size {
                    inside = position - self.size;
                }
            }
        }
        inside
    }

    /// Whether a disc with this centre and radius is within the border; always true under a periodic boundary.
    #[inline]
    pub fn contains(&self, position: i32, radius: i32) -> bool {
        let mut contains = true;
        match comptime!(self.boundary) {
            Boundary::Closed => {
                contains = position >= radius && position <= self.size - radius;
            }
            Boundary::Periodic => {}
        }
        contains
    }

    /// Returns the cells with a position within `reach` of this one, each once.
    #[inline]
    pub fn cells_within(&self, position: i32, reach: i32) -> Cells {
        let mut first = 0i32;
        let mut count = self.cells;
        match comptime!(self.boundary) {
            Boundary::Closed => {
                first = max(position - reach, 0) >> CELL_BITS as i32;
                count = (min(position + reach, self.size - 1) >> CELL_BITS as i32) - first + 1;
            }
            Boundary::Periodic => {
                if reach < self.size / 2 - 1 {
                    let from = self.inside(position - reach) >> CELL_BITS as i32;
                    let to = self.inside(position + reach) >> CELL_BITS as i32;
                    first = from;
                    if self.inside(position - reach) <= self.inside(position + reach) {
                        count = to - from + 1;
                    } else {
                        count = min(to + self.cells - from + 1, self.cells);
                    }
                }
            }
        }
        Cells { first, count }
    }

    /// Returns the cell at index `i` of consecutive cells.
    #[inline]
    pub fn cell_at(&self, cells: Cells, i: i32) -> i32 {
        let mut cell = cells.first + i;
        match comptime!(self.boundary) {
            Boundary::Closed => {}
            Boundary::Periodic => {
                if cell >= self.cells {
                    cell -= self.cells;
                }
            }
        }
        cell
    }
}

/// A rectangle of the plane with a closed or periodic border.
#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct World {
    /// Axis along x.
    pub x: WorldAxis,
    /// Axis along y.
    pub y: WorldAxis,
}

#[cube]
impl World {
    /// Returns the index of the cell that contains a position.
    #[inline]
    pub fn cell_of(&self, x: i32, y: i32) -> u32 {
        self.cell(x >> CELL_BITS as i32, y >> CELL_BITS as i32)
    }

    /// Returns the index of the cell in a column and a row.
    #[inline]
    pub fn cell(&self, column: i32, row: i32) -> u32 {
        row as u32 * self.x.cells as u32 + column as u32
    }

    /// Whether a disc is within the border.
    #[inline]
    pub fn contains(&self, x: i32, y: i32, radius: i32) -> bool {
        self.x.contains(x, radius) && self.y.contains(y, radius)
    }
}

impl World {
    /// Creates a world of this width and height, units.
    ///
    /// # Errors
    /// When a side is shorter than the diameter of the largest discs or longer than [`MAX_SIDE`], or when there are
    /// more than [`MAX_CELLS`] cells.
    pub fn new(size: [i32; 2], boundary: Boundary) -> Result<Self, InputError> {
        Self::shown_in(size, boundary, &ShownLengths(None))
    }

    /// Like [`World::new`], with lengths in messages as `shown` formats them.
    pub(super) fn shown_in(size: [i32; 2], boundary: Boundary, shown: &ShownLengths<'_>) -> Result<Self, InputError> {
        let (min, max) = (2 * MIN_HALF_SIDE, MAX_SIDE);
        let mut problems = Problems::new();
        for (axis, size) in ["width", "height"].into_iter().zip(size) {
            if !(min..=max).contains(&size) {
                let remedy = format!("give a side of {} to {}", shown.at_least(min.into()), shown.length(max.into()));
                problems.push(format!("world, {axis}"), shown.length(size.into()), remedy);
            }
        }
        problems.into_result()?;
        let axis = |size: i32| WorldAxis { size, cells: (size - 1) / CELL + 1, boundary };
        let world = Self { x: axis(size[0]), y: axis(size[1]) };
        let cells = u64::from(world.x.cells as u32) * u64::from(world.y.cells as u32);
        if cells > MAX_CELLS {
            let remedy = "simulate a smaller world, or larger discs";
            return Err(InputError::one("world", format!("{cells} cells, of at most {MAX_CELLS}"), remedy));
        }
        Ok(world)
    }

    /// Returns the width and height, units.
    pub fn size(&self) -> [i32; 2] {
        [self.x.size, self.y.size]
    }

    /// Returns the boundary.
    pub fn boundary(&self) -> Boundary {
        self.x.boundary
    }

    /// Returns the number of cells.
    pub fn cells(&self) -> usize {
        self.x.cells as usize * self.y.cells as usize
    }
}

/// Half of the minimum side length: a disc does not overlap with its own image.
const MIN_HALF_SIDE: i32 = MAX_RADIUS;

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(axis: &WorldAxis, position: i32, reach: i32) -> Vec<i32> {
        let cells = axis.cells_within(position, reach);
        (0..cells.count).map(|i| axis.cell_at(cells, i)).collect()
    }

    #[test]
    fn cells_within_reach_contain_all_positions_within_reach() {
        for boundary in [Boundary::Closed, Boundary::Periodic] {
            for size in [23_168, 24_576, 30_001] {
                let axis = World::new([size, size], boundary).unwrap().x;
                for position in (0..size).step_by(997) {
                    for reach in [0, 1, 4096, 5792, 9000, 12_000, 40_000] {
                        let mut found = cells(&axis, position, reach);
                        found.sort_unstable();
                        let mut expected: Vec<i32> = (0..size)
                            .step_by(1)
                            .filter(|&at| axis.offset(position, at).abs() <= reach)
                            .map(|at| at / CELL)
                            .collect();
                        expected.dedup();
                        expected.sort_unstable();
                        expected.dedup();
                        let is_superset = expected.iter().all(|cell| found.contains(cell));
                        assert!(is_superset, "{boundary:?} {size} {position} {reach}: {found:?} {expected:?}");
                        let len = found.len();
                        found.dedup();
                        assert_eq!(found.len(), len, "each cell once");
                        assert!(reach >= size / 2 - 1 || found == expected, "{found:?} {expected:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn offsets_are_the_shorter_displacement() {
        let axis = World::new([30_000, 30_000], Boundary::Periodic).unwrap().x;
        assert_eq!((axis.offset(29_999, 1), axis.offset(1, 29_999), axis.offset(0, 15_000)), (2, -2, 15_000));
        assert_eq!((axis.inside(-1), axis.inside(30_000), axis.inside(7)), (29_999, 0, 7));
        let axis = World::new([30_000, 30_000], Boundary::Closed).unwrap().x;
        assert_eq!((axis.offset(29_999, 1), axis.inside(-1), axis.inside(30_000)), (-29_998, 0, 29_999));
    }

    #[test]
    fn invalid_worlds_are_refused() {
        let error = World::new([0, MAX_SIDE], Boundary::Closed).unwrap_err().to_string();
        assert!(
            error.starts_with("world, width: 0 units\n    give a side of 23168 units to 1073741824 units"),
            "{error}"
        );
        let error = World::new([MAX_SIDE, MAX_SIDE], Boundary::Closed).unwrap_err().to_string();
        assert!(error.contains("68719476736 cells, of at most"), "{error}");
    }
}
