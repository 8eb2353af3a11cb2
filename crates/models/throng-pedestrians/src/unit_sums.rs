//! Sums of field strengths, space unit by space unit: the method for traces.

use super::fields::FieldTables;
use super::rules::direction::DIRECTIONS;
use super::rules::floor::{FloorView, FreeFromView, WALL};
use super::rules::grid::Grid;
use super::rules::sources::{OffsetsView, StrengthsView, packed_offset, sums_of_units};
use super::rules::sums::Sums;

/// Returns the offsets of a field, packed into one word each.
pub fn packed_offsets(tables: &FieldTables) -> Vec<u32> {
    tables.offsets().map(packed_offset).collect()
}

/// View of the floor: the pedestrians with their headings, and their traces.
#[derive(Debug, Clone, Copy)]
pub struct OnFloor<'s> {
    pub grid: &'s Grid,
    pub occupants: &'s [u32],
    pub headings: &'s [u8],
    /// `[unit][heading]`; empty without traces.
    pub traces: &'s [u32],
    pub free_from: &'s [u32],
    pub tables: &'s FieldTables,
    /// Words from [`packed_offsets`].
    pub offsets: &'s [u32],
}

impl OnFloor<'_> {
    /// Returns the sums at a space unit for a pedestrian with heading `own`.
    ///
    /// The cost is proportional to the size of a field.
    pub fn sums(&self, unit: u32, own: u32) -> Sums {
        let Self { grid, tables, offsets, .. } = *self;
        sums_of_units(self, grid, unit, own, offsets.len() as u32, tables.reading, tables.has_traces())
    }
}

impl FloorView for OnFloor<'_> {
    #[inline]
    fn occupant(&self, unit: u32) -> u32 {
        self.occupants.get(unit as usize).copied().unwrap_or(WALL)
    }
}

impl FreeFromView for OnFloor<'_> {
    #[inline]
    fn free_from(&self, unit: u32) -> u32 {
        self.free_from[unit as usize]
    }
}

impl StrengthsView for OnFloor<'_> {
    #[inline]
    fn strength(&self, field: u32, ring: u32) -> i32 {
        self.tables.strengths[field as usize][ring as usize]
    }
}

impl OffsetsView for OnFloor<'_> {
    #[inline]
    fn offset(&self, number: u32) -> u32 {
        self.offsets[number as usize]
    }

    #[inline]
    fn heading(&self, occupant: u32) -> u32 {
        self.headings[occupant as usize].into()
    }

    #[inline]
    fn trace(&self, unit: u32, heading: u32) -> u32 {
        self.traces[(unit * DIRECTIONS + heading) as usize]
    }
}
