//! The cell of a position, and the cells around it: shared host/kernel source.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use crate::KernelParameter;
use crate::cubecl::{self, prelude::*};

use super::grid::UniformGrid;
#[cfg(feature = "gpu")]
use super::grid::UniformGridExpand;

/// Behaviour at the border of a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Boundary {
    /// The grid ends. Agents outside belong to the nearest border cell and keep their positions.
    Closed,
    /// The grid wraps around. Positions outside are equivalent to their image inside.
    Periodic,
}

/// One axis of a grid. The last cell takes the rest of the extent, so it may be wider than the others.
#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Axis {
    /// Lowest position, in units.
    pub origin: i32,
    /// Length of the axis, in units; at least 1 and at most `i32::MAX`.
    pub extent: u32,
    /// Width of all cells except the last, in units.
    pub cell_size: u32,
    /// Number of cells, at least 1.
    pub cells: u32,
    /// Behaviour at both ends. Compiled into kernels, so that they need no branch for the other case.
    #[cube(comptime)]
    pub boundary: Boundary,
}

/// The block of cells around a position: its own cell and the adjacent ones, each once.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// Column of the first cells.
    pub first_x: u32,
    /// Row of the first cells.
    pub first_y: u32,
    /// Layer of the first cells.
    pub first_z: u32,
    /// Number of columns, 1 to 3; they wrap around.
    pub count_x: u32,
    /// Number of rows, 1 to 3.
    pub count_y: u32,
    /// Number of layers, 1 to 3; 1 in the plane.
    pub count_z: u32,
}

/// Maps a position to a word, so that the unsigned order of words equals the order of positions. Differences of these
/// words do not overflow.
#[cube]
#[inline]
fn rank(position: i32) -> u32 {
    position as u32 ^ 0x8000_0000u32
}

#[cube]
impl Axis {
    /// Distance in units from the origin to the position or its image inside the grid; below the extent.
    #[inline]
    pub fn inside(&self, position: i32) -> u32 {
        let at = rank(position);
        let origin = rank(self.origin);
        let mut inside = 0u32;
        match comptime!(self.boundary) {
            Boundary::Closed => {
                if at > origin {
                    inside = min(at - origin, self.extent - 1u32);
                }
            }
            Boundary::Periodic => {
                if at >= origin {
                    inside = at - origin;
                    // Nearly all positions are inside, and a division would take longer than everything else here.
                    if inside >= self.extent {
                        inside %= self.extent;
                    }
                } else {
                    let behind = (origin - at) % self.extent;
                    if behind > 0u32 {
                        inside = self.extent - behind;
                    }
                }
            }
        }
        inside
    }

    /// Returns the index of the cell along the axis.
    #[inline]
    pub fn cell(&self, position: i32) -> u32 {
        min(self.inside(position) / self.cell_size, self.cells - 1u32)
    }

    /// Returns the first of the up to three cells around a cell.
    #[inline]
    pub fn first(&self, cell: u32) -> u32 {
        let mut first = cell;
        if cell > 0u32 {
            first = cell - 1u32;
        } else {
            match comptime!(self.boundary) {
                Boundary::Closed => {}
                Boundary::Periodic => {
                    first = self.cells - 1u32;
                }
            }
        }
        first
    }

    /// Number of cells around a cell, including itself.
    #[inline]
    pub fn count(&self, cell: u32) -> u32 {
        let mut count = min(self.cells, 3u32);
        match comptime!(self.boundary) {
            Boundary::Closed => {
                count = min(cell + 1u32, self.cells - 1u32) + 1u32 - self.first(cell);
            }
            Boundary::Periodic => {}
        }
        count
    }

    /// Returns the cell that is `steps` cells after `first`, wrapping around.
    #[inline]
    pub fn wrapped(&self, first: u32, steps: u32) -> u32 {
        let mut cell = first + steps;
        if cell >= self.cells {
            cell -= self.cells;
        }
        cell
    }

    /// Distance in units from one position to another.
    #[inline]
    pub fn offset(&self, from: i32, to: i32) -> i32 {
        let mut offset = 0i32;
        match comptime!(self.boundary) {
            Boundary::Closed => {
                offset += difference(rank(to), rank(from));
            }
            Boundary::Periodic => {
                let inside_to = self.inside(to);
                let inside_from = self.inside(from);
                let mut ahead = inside_to - min(inside_from, inside_to);
                if inside_from > inside_to {
                    ahead = self.extent - (inside_from - inside_to);
                }
                let behind = self.extent - ahead;
                if ahead > behind {
                    offset -= behind as i32;
                } else {
                    offset = ahead as i32;
                }
            }
        }
        offset
    }
}

/// Returns the difference of two words; it saturates at an absolute value of `i32::MAX`.
#[cube]
#[inline]
fn difference(to: u32, from: u32) -> i32 {
    let mut difference = 0i32;
    if to >= from {
        difference = min(to - from, 0x7fff_ffffu32) as i32;
    } else {
        difference -= min(from - to, 0x7fff_ffffu32) as i32;
    }
    difference
}

#[cube]
impl UniformGrid {
    /// Returns the cell of a position: cells are numbered row by row, and in space layer by layer. A grid of the plane
    /// ignores `z`.
    #[inline]
    pub fn cell_of(&self, x: i32, y: i32, z: i32) -> u32 {
        let mut row = self.y.cell(y);
        if comptime!(self.spatial) {
            row += self.z.cell(z) * self.y.cells;
        }
        row * self.x.cells + self.x.cell(x)
    }

    /// Returns the cells around a position. A grid of the plane ignores `z`.
    #[inline]
    pub fn block(&self, x: i32, y: i32, z: i32) -> Block {
        let column = self.x.cell(x);
        let row = self.y.cell(y);
        let mut first_z = 0u32;
        let mut count_z = 1u32;
        if comptime!(self.spatial) {
            let layer = self.z.cell(z);
            first_z = self.z.first(layer);
            count_z = self.z.count(layer);
        }
        Block {
            first_x: self.x.first(column),
            first_y: self.y.first(row),
            first_z,
            count_x: self.x.count(column),
            count_y: self.y.count(row),
            count_z,
        }
    }

    /// Returns cell `k` of the block, `k` below [`Block::cells`]: columns first, then rows, then layers.
    #[inline]
    pub fn block_cell(&self, block: Block, k: u32) -> u32 {
        let column = self.x.wrapped(block.first_x, k % block.count_x);
        let rows = k / block.count_x;
        let mut row = self.y.wrapped(block.first_y, rows % block.count_y);
        if comptime!(self.spatial) {
            row += self.z.wrapped(block.first_z, rows / block.count_y) * self.y.cells;
        }
        row * self.x.cells + column
    }

    /// Distance in units along x from one position to another; with a periodic boundary, to its nearest image. If two
    /// images are equally near, the one ahead counts. The result saturates at an absolute value of `i32::MAX`.
    #[inline]
    pub fn offset_x(&self, from: i32, to: i32) -> i32 {
        self.x.offset(from, to)
    }

    /// Like [`UniformGrid::offset_x`], along y.
    #[inline]
    pub fn offset_y(&self, from: i32, to: i32) -> i32 {
        self.y.offset(from, to)
    }

    /// Like [`UniformGrid::offset_x`], along z; 0 in the plane.
    #[inline]
    pub fn offset_z(&self, from: i32, to: i32) -> i32 {
        let mut offset = 0i32;
        if comptime!(self.spatial) {
            offset = self.z.offset(from, to);
        }
        offset
    }
}

#[cube]
impl Block {
    /// Number of cells: 1 to 9 in the plane, 1 to 27 in space.
    #[inline]
    pub fn cells(&self) -> u32 {
        self.count_x * self.count_y * self.count_z
    }
}
