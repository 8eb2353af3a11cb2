//! The sides of rings, along which larger fields are counted: segments of rows and columns, each with three sectors.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::cubecl::{self, prelude::*};

/// A side of a ring: its sectors and its orientation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Side {
    /// Whether it is a segment of a column; else of a row.
    pub is_column: bool,
    /// Whether its column or row is after the centre.
    pub is_after: bool,
    /// Whether cuts are mirrored along it.
    pub is_flipped: bool,
    /// Sectors of its first, middle and last parts.
    pub sectors: [u32; 3],
}

/// The sides in the east, north, west and south. Corners belong to the columns.
pub const SIDES: [Side; 4] = [
    Side { is_column: true, is_after: true, is_flipped: false, sectors: [7, 0, 1] },
    Side { is_column: false, is_after: true, is_flipped: true, sectors: [3, 2, 1] },
    Side { is_column: true, is_after: false, is_flipped: true, sectors: [5, 4, 3] },
    Side { is_column: false, is_after: false, is_flipped: false, sectors: [5, 6, 7] },
];

/// Starts of the three parts of a side, and the exclusive end of the last one; relative to the centre.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ends {
    pub first: i32,
    pub middle: i32,
    pub last: i32,
    pub end: i32,
}

/// Returns the ends of a side. `first` and `last`: the first and last rows of the middle part of the ring's eastern
/// side.
#[cube]
#[inline]
pub fn ends(ring: i32, first: i32, last: i32, #[comptime] side: Side) -> Ends {
    let half = if comptime!(side.is_column) { ring } else { ring - 1 };
    let from = if comptime!(side.is_flipped) { -last } else { first };
    let to = if comptime!(side.is_flipped) { -first } else { last };
    Ends { first: -half, middle: from, last: to + 1, end: half + 1 }
}
