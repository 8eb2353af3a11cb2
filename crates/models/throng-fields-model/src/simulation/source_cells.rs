//! Cells in which entities or agents are sources of influence or of diffusing quantities.

use std::collections::BTreeMap;

use throng_core::InputError;
use throng_fields_core::routing::Ground;

/// The strengths of the sources, by layer or team index and by cell.
#[derive(Debug, Default)]
pub(super) struct SourceCells(BTreeMap<(usize, (u32, u32)), f32>);

impl SourceCells {
    /// Forgets the sources in cells that have become walls; maps drop them, too.
    pub(super) fn leave_walls(&mut self, ground: &Ground) {
        self.0.retain(|&(_, (column, row)), _| ground.open().allows(column, row));
    }

    /// Moves sources to their current positions, given as layer or team index, position and strength of each. Strengths
    /// in the same cell add up; a source in a wall or outside the grid has none. Calls `set` with the strength of each
    /// cell, and with 0 for cells that sources have left.
    pub(super) fn follow(
        &mut self,
        ground: &Ground,
        now: impl Iterator<Item = (usize, [f64; 2], f32)>,
        mut set: impl FnMut(usize, (u32, u32), f32) -> Result<(), InputError>,
    ) -> Result<(), InputError> {
        let mut strengths = BTreeMap::new();
        for (number, position, strength) in now {
            let cell = ground.grid().cell_at(position);
            if let Some(cell) = cell.filter(|&(column, row)| ground.open().allows(column, row)) {
                *strengths.entry((number, cell)).or_insert(0.0) += strength;
            }
        }
        for &(number, cell) in self.0.keys().filter(|source| !strengths.contains_key(*source)) {
            set(number, cell, 0.0)?;
        }
        for (&(number, cell), &strength) in &strengths {
            set(number, cell, strength)?;
        }
        self.0 = strengths;
        Ok(())
    }
}
