//! Bands of grid rows, copied together with their discs: a thread that visits all discs of a band finds them and their
//! neighbours in its cache, regardless of their position in the arrays of all discs.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use throng_device::neighbours::Boundary;

use super::deciding::Storage;
use super::routes::Route;
use super::rules::decision::NONE;
use super::world::World;

/// The grid of the whole world, without copies.
#[derive(Clone, Copy)]
pub(super) struct WholeGrid<'c> {
    pub world: &'c World,
    pub slots: &'c [AtomicU32],
    pub routes: &'c [Route],
}

impl Storage for WholeGrid<'_> {
    #[inline]
    fn slot(&self, column: i32, row: i32) -> u32 {
        self.slots[self.world.cell(column, row) as usize].load(Relaxed)
    }

    #[inline]
    fn occupant(&self, slot: u32) -> (u32, Route) {
        (slot, self.routes[slot as usize])
    }
}

/// Consecutive rows of the grid, with a margin on both sides.
pub(super) struct Band {
    columns: usize,
    /// Number of rows of the whole grid.
    all_rows: i32,
    /// Row of the grid that is the first row of this band.
    first: i32,
    /// Slot of the disc in each cell, within this band, or [`NONE`].
    slots: Vec<u32>,
    discs: Vec<(u32, Route)>,
    /// Slots of the discs in the rows of this band, excluding the margin.
    own: std::ops::Range<u32>,
}

impl Band {
    /// Copies the rows from `first` to `end` of the grid, with `margin` rows on both sides if the grid has enough.
    pub fn of(whole: &WholeGrid<'_>, first: i32, end: i32, margin: i32) -> Self {
        let all_rows = whole.world.y.cells;
        let columns = whole.world.x.cells as usize;
        let rows = (end - first + 2 * margin).min(all_rows);
        let begin = match whole.world.boundary() {
            // A band that would extend beyond the grid is shifted into it.
            Boundary::Closed => (first - margin).clamp(0, all_rows - rows),
            Boundary::Periodic if rows == all_rows => 0,
            Boundary::Periodic => (first - margin).rem_euclid(all_rows),
        };
        let mut band = Self {
            columns,
            all_rows,
            first: begin,
            slots: Vec::with_capacity(columns * rows as usize),
            discs: Vec::new(),
            own: 0..0,
        };
        for row in (begin..begin + rows).map(|row| row % all_rows) {
            let before = band.discs.len() as u32;
            let cells = &whole.slots[row as usize * columns..][..columns];
            for slot in cells {
                let disc = slot.load(Relaxed);
                if disc == NONE {
                    band.slots.push(NONE);
                } else {
                    band.slots.push(band.discs.len() as u32);
                    band.discs.push((disc, whole.routes[disc as usize]));
                }
            }
            if row == first {
                band.own.start = before;
            }
            if row == end - 1 {
                band.own.end = band.discs.len() as u32;
            }
        }
        band
    }

    /// Returns the slots of the discs in the rows of this band, excluding the margin.
    pub fn own(&self) -> std::ops::Range<u32> {
        self.own.clone()
    }
}

impl Storage for &Band {
    #[inline]
    fn slot(&self, column: i32, row: i32) -> u32 {
        let mut row = row - self.first;
        if row < 0 {
            row += self.all_rows;
        }
        self.slots[row as usize * self.columns + column as usize]
    }

    #[inline]
    fn occupant(&self, slot: u32) -> (u32, Route) {
        self.discs[slot as usize]
    }
}
