//! Which cell a position is in, and which cells are about it: one text for the host and for kernels.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]

use crate::KernelParameter;
use crate::cubecl::{self, prelude::*};

use super::grid::UniformGrid;
#[cfg(feature = "gpu")]
use super::grid::UniformGridExpand;

/// What is at the border of a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Boundary {
    /// The grid ends. Agents outside belong to the nearest cell of the border, and keep their positions.
    Closed,
    /// The grid begins again: what leaves on one side is on the other. Positions outside stand for their image inside.
    Periodic,
}

/// One axis of a grid. The last cell takes what is left of the extent, so it may be wider than the others.
#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Axis {
    /// Lowest position, units.
    pub origin: i32,
    /// Length of the axis, units; at least 1, and at most `i32::MAX`.
    pub extent: u32,
    /// Width of the cells but the last, units.
    pub cell_size: u32,
    /// Number of cells, at least 1.
    pub cells: u32,
    /// What is at its ends. Compiled into kernels, so that they have no branch for the other.
    #[cube(comptime)]
    pub boundary: Boundary,
}

/// The cells about a position: the one that it is in and those next to it, each once.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// Column of the first cells.
    pub first_x: u32,
    /// Row of the first cells.
    pub first_y: u32,
    /// Layer of the first cells.
    pub first_z: u32,
    /// Number of columns, 1 to 3; they wrap.
    pub count_x: u32,
    /// Number of rows, 1 to 3.
    pub count_y: u32,
    /// Number of layers, 1 to 3; in the plane 1.
    pub count_z: u32,
}

/// A word that compares, without sign, as the number does. Differences of such words do not overflow.
#[cube]
#[inline]
fn rank(position: i32) -> u32 {
    position as u32 ^ 0x8000_0000u32
}

#[cube]
impl Axis {
    /// Units from the origin to the position, or to what stands for it inside: below the extent.
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
                    // Nearly all positions are inside, and a division takes longer than all the rest.
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

    /// Number of the cell along the axis.
    #[inline]
    pub fn cell(&self, position: i32) -> u32 {
        min(self.inside(position) / self.cell_size, self.cells - 1u32)
    }

    /// The first of the up to three cells about a cell.
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

    /// How many cells there are about a cell, itself included.
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

    /// The cell that is `steps` cells after `first`.
    #[inline]
    pub fn wrapped(&self, first: u32, steps: u32) -> u32 {
        let mut cell = first + steps;
        if cell >= self.cells {
            cell -= self.cells;
        }
        cell
    }

    /// Units from one position to another.
    #[inline]
    pub fn offset(&self, from: i32, to: i32) -> i32 {
        let mut offset = 0i32;
        match comptime!(self.boundary) {
            Boundary::Closed => {
                offset += difference(rank(to), rank(from));
            }
            Boundary::Periodic => {
                let there = self.inside(to);
                let here = self.inside(from);
                let mut ahead = there - min(here, there);
                if here > there {
                    ahead = self.extent - (here - there);
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

/// The difference of two words, of at most `i32::MAX` in amount.
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
    /// The cell of a position: row by row, in space layer by layer. A grid of the plane ignores `z`.
    #[inline]
    pub fn cell_of(&self, x: i32, y: i32, z: i32) -> u32 {
        let mut row = self.y.cell(y);
        if comptime!(self.spatial) {
            row += self.z.cell(z) * self.y.cells;
        }
        row * self.x.cells + self.x.cell(x)
    }

    /// The cells about a position. A grid of the plane ignores `z`.
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

    /// The cell number `k` of the block, `k` below [`Block::cells`]: columns first, then rows, then layers.
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

    /// Units along x from one position to another; under a periodic boundary to its nearest image. Of two images that are
    /// equally near, the one ahead counts. An offset that does not fit is cut off at `i32::MAX` in amount.
    #[inline]
    pub fn offset_x(&self, from: i32, to: i32) -> i32 {
        self.x.offset(from, to)
    }

    /// As [`UniformGrid::offset_x`], along y.
    #[inline]
    pub fn offset_y(&self, from: i32, to: i32) -> i32 {
        self.y.offset(from, to)
    }

    /// As [`UniformGrid::offset_x`], along z; 0 in the plane.
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
    /// Number of cells, 1 to 9, in space to 27.
    #[inline]
    pub fn cells(&self) -> u32 {
        self.count_x * self.count_y * self.count_z
    }
}
