//! Fields summed source by source: fields of pedestrians, of their traces, and of bodies.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(clippy::collapsible_if, reason = "in a kernel the right side of `&&` always runs")]
#![allow(clippy::range_plus_one, reason = "loops of kernels are over half-open ranges")]

use throng_device::KernelParameter;
use throng_device::cubecl::{self, prelude::*};

use super::body::{Shape, gap, ring, to_centre};
use super::direction::DIRECTIONS;
use super::directional::Reading;
use super::fixed::scaled;
#[cfg(feature = "gpu")]
use super::floor::FloorViewExpand;
use super::floor::{FloorView, WALL};
use super::grid::{Grid, NOWHERE};
use super::sums::{Sums, no_sums};

/// Indices of the fields RR, DA and DR in the table of strengths.
pub const CROWD: u32 = 0;
pub const FOLLOWED: u32 = 1;
pub const AVOIDED: u32 = 2;

/// View of the strengths of fields.
#[cube]
pub trait StrengthsView {
    /// The strength of a field on a ring.
    fn strength(&self, #[comptime] field: u32, ring: u32) -> i32;
}

/// View of the data at the offsets of a field.
#[cube]
pub trait OffsetsView {
    /// An offset by index: a word of [`packed_offset`].
    fn offset(&self, number: u32) -> u32;
    /// Heading of the pedestrian with this word; [`DIRECTIONS`] if it stands.
    fn heading(&self, occupant: u32) -> u32;
    /// Trace of steps with a heading into a space unit.
    fn trace(&self, unit: u32, heading: u32) -> u32;
}

/// Packs an offset into one word: x and y plus 128, ring and sector, 8 bits each.
pub fn packed_offset((x, y, ring, sector): (i32, i32, usize, usize)) -> u32 {
    (x + 128) as u32 | ((y + 128) as u32) << 8 | (ring as u32) << 16 | (sector as u32) << 24
}

/// Returns the sums at a space unit for a pedestrian with heading `own`. The sources of directional fields are
/// pedestrians or, if `has_traces`, traces: each trace contributes its fraction of the strength, rounded down.
/// `offsets`: number of offsets of a field.
#[cube]
#[inline]
pub fn sums_of_units<V: FloorView + StrengthsView + OffsetsView>(
    view: &V,
    grid: &Grid,
    unit: u32,
    own: u32,
    #[comptime] offsets: u32,
    #[comptime] reading: Reading,
    #[comptime] has_traces: bool,
) -> Sums {
    let mut sums = no_sums();
    let (x, y) = ((unit % grid.width) as i32, (unit / grid.width) as i32);
    for number in 0..offsets {
        let offset = view.offset(number);
        let (dx, dy) = ((offset & 0xFFu32) as i32 - 128, ((offset >> 8u32) & 0xFFu32) as i32 - 128);
        let (ring, sector) = ((offset >> 16u32) & 0xFFu32, offset >> 24u32);
        let other_unit = grid.unit_at(x + dx, y + dy);
        let other = view.occupant(other_unit);
        if other < WALL {
            sums.crowd.add(sector, view.strength(CROWD, ring));
            if !has_traces {
                let heading = view.heading(other);
                if heading < DIRECTIONS {
                    let (followed, avoided) = (view.strength(FOLLOWED, ring), view.strength(AVOIDED, ring));
                    sums.add_directional(heading, sector, own, followed, avoided, reading);
                }
            }
        }
        if has_traces {
            if other_unit != NOWHERE {
                let (followed, avoided) = (view.strength(FOLLOWED, ring), view.strength(AVOIDED, ring));
                for heading in 0..DIRECTIONS {
                    let trace = view.trace(other_unit, heading) as i32;
                    if trace > 0 {
                        let (followed, avoided) = (scaled(followed, trace), scaled(avoided, trace));
                        sums.add_directional(heading, sector, own, followed, avoided, reading);
                    }
                }
            }
        }
    }
    sums
}

/// View of the bodies of a crowd.
#[cube]
pub trait BodyView {
    /// First space unit of a pedestrian.
    fn place(&self, pedestrian: u32) -> u32;
    /// Heading and body size of a pedestrian.
    fn shape(&self, pedestrian: u32) -> Shape;
    /// Sector of a doubled offset to the centre of a body.
    fn sector(&self, x: i32, y: i32) -> u32;
}

/// The extent of the largest field in a crowd of bodies.
#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Reach beyond the body, space units.
    pub reach: i32,
    /// Maximum columns and rows of a body.
    pub columns: i32,
    pub rows: i32,
    /// Number of rings of each field.
    pub rings: u32,
}

/// Returns the sums of bodies at a space unit for a pedestrian with heading `own`, excluding its own body; `reader` is
/// its index.
///
/// It scans a rectangle, because rings and sectors depend on the size of the other body: the list of offsets that
/// [`sums_of_units()`] reads would be needed once per size.
#[cube]
#[inline]
pub fn sums_of_bodies<V: FloorView + StrengthsView + BodyView>(
    view: &V,
    grid: &Grid,
    extent: &Extent,
    unit: u32,
    reader: u32,
    own: u32,
    #[comptime] reading: Reading,
) -> Sums {
    let mut sums = no_sums();
    let (x, y) = ((unit % grid.width) as i32, (unit / grid.width) as i32);
    let (from_x, from_y) = (1 - extent.columns - extent.reach, 1 - extent.rows - extent.reach);
    for row in 0..extent.reach - from_y + 1 {
        for column in 0..extent.reach - from_x + 1 {
            let (dx, dy) = (from_x + column, from_y + row);
            let first = grid.unit_at(x + dx, y + dy);
            let other = view.occupant(first);
            if other < WALL && other != reader {
                // Count each body once, at its first space unit.
                if view.place(other) == first {
                    let shape = view.shape(other);
                    let ring = ring(gap(dx, shape.columns), gap(dy, shape.rows), shape.columns, shape.rows) as u32;
                    if ring <= extent.rings {
                        let sector = view.sector(to_centre(dx, shape.columns), to_centre(dy, shape.rows));
                        sums.crowd.add(sector, view.strength(CROWD, ring));
                        let (followed, avoided) = (view.strength(FOLLOWED, ring), view.strength(AVOIDED, ring));
                        sums.add_directional(shape.heading, sector, own, followed, avoided, reading);
                    }
                }
            }
        }
    }
    sums
}
