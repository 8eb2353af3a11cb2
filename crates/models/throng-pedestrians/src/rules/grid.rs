//! The grid of space units, and their neighbours.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::KernelParameter;
use throng_device::cubecl::{self, prelude::*};
use throng_device::neighbours::Boundary;

use super::direction::{step_x, step_y};

/// Sentinel for a position beyond a closed border.
pub const NOWHERE: u32 = u32::MAX;

/// The space units of a world, indexed row by row from the lower left.
#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Grid {
    /// Space units per row.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
    /// Behaviour at the border; compiled into kernels.
    #[cube(comptime)]
    pub boundary: Boundary,
}

#[cube]
impl Grid {
    /// Returns the index of the space unit at `x`, `y`, which may be beyond the border by less than the size of the
    /// world; [`NOWHERE`] beyond a closed border.
    #[inline]
    pub fn unit_at(&self, x: i32, y: i32) -> u32 {
        let mut unit = NOWHERE.runtime();
        let (width, height) = (self.width as i32, self.height as i32);
        match comptime!(self.boundary) {
            Boundary::Closed => {
                if x >= 0 && x < width && y >= 0 && y < height {
                    unit = (y * width + x) as u32;
                }
            }
            Boundary::Periodic => {
                let column = select(x < 0, x + width, select(x >= width, x - width, x));
                let row = select(y < 0, y + height, select(y >= height, y - height, y));
                unit = (row * width + column) as u32;
            }
        }
        unit
    }

    /// Whether a rectangle covers a space unit; `lower_left` is its first space unit.
    #[inline]
    pub fn covers(&self, lower_left: u32, columns: i32, rows: i32, unit: u32) -> bool {
        let (width, height) = (self.width as i32, self.height as i32);
        let x = (unit % self.width) as i32 - (lower_left % self.width) as i32;
        let y = (unit / self.width) as i32 - (lower_left / self.width) as i32;
        // A rectangle ends at a closed border, so the wrap-around covers nothing on the other side.
        let column = select(x < 0, x + width, x);
        let row = select(y < 0, y + height, y);
        column < columns && row < rows
    }

    /// Returns the neighbour of the space unit at `x`, `y` in a direction.
    #[inline]
    pub fn neighbour(&self, x: i32, y: i32, direction: u32) -> u32 {
        self.unit_at(x + step_x(direction), y + step_y(direction))
    }
}

/// Maps a column or row of the bit planes, which exceed the world by `radius` on both sides, to a column or row of the
/// world; [`NOWHERE`] beyond a closed border. `side`: columns or rows of the world, at least `radius`.
#[cube]
#[inline]
pub fn shown(at: u32, radius: u32, side: u32, #[comptime] boundary: Boundary) -> u32 {
    let mut inside = NOWHERE.runtime();
    match boundary {
        Boundary::Closed => {
            if at >= radius && at < radius + side {
                inside = at - radius;
            }
        }
        Boundary::Periodic => {
            inside = at + side - radius;
            // Twice, because the planes begin before the world and end after it.
            if inside >= side {
                inside -= side;
            }
            if inside >= side {
                inside -= side;
            }
        }
    }
    inside
}

impl Grid {
    /// Returns the number of space units.
    pub fn units(&self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Yields the space units of a rectangle, row by row from its lower left; [`NOWHERE`] beyond a closed border. The
    /// rectangle is at most as large as the world.
    pub fn rectangle(self, lower_left: u32, [columns, rows]: [u8; 2]) -> impl Iterator<Item = u32> {
        let [x, y] = self.place(lower_left);
        let [columns, rows] = [i32::from(columns), i32::from(rows)];
        (y..y + rows).flat_map(move |y| (x..x + columns).map(move |x| self.unit_at(x, y)))
    }

    /// Returns the column and the row of a space unit.
    pub fn place(&self, unit: u32) -> [i32; 2] {
        [(unit % self.width) as i32, (unit / self.width) as i32]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_continue_beyond_a_periodic_border() {
        let of = |boundary| (0..9).map(|at| shown(at, 2, 5, boundary)).collect::<Vec<_>>();
        assert_eq!(of(Boundary::Periodic), [3, 4, 0, 1, 2, 3, 4, 0, 1]);
        assert_eq!(of(Boundary::Closed), [NOWHERE, NOWHERE, 0, 1, 2, 3, 4, NOWHERE, NOWHERE]);
    }

    #[test]
    fn neighbours_beyond_the_border() {
        let periodic = Grid { width: 5, height: 3, boundary: Boundary::Periodic };
        let closed = Grid { boundary: Boundary::Closed, ..periodic };
        assert_eq!([1, 3, 5].map(|direction| periodic.neighbour(4, 2, direction)), [0, 3, 8]);
        assert_eq!([1, 3, 5].map(|direction| closed.neighbour(4, 2, direction)), [NOWHERE, NOWHERE, 8]);
        assert_eq!((periodic.unit_at(-3, -1), closed.unit_at(-3, -1)), (12, NOWHERE));
    }
}
