//! Cells in which entities are the sources of what spreads.

use std::collections::BTreeMap;

use crate::FieldError;
use crate::routing::Ground;

/// How strong the sources are, by the number of what spreads and the cell.
#[derive(Debug, Default)]
pub(crate) struct Sources(BTreeMap<(usize, (u32, u32)), f32>);

impl Sources {
    /// Puts sources to where they are now: number, position and strength of each. Strengths in a cell add up; whoever
    /// stands in a wall or beside the grid has none. `set` gives a cell its strength, 0 where a source has left.
    pub(crate) fn follow(
        &mut self,
        ground: &Ground,
        now: impl Iterator<Item = (usize, [f64; 2], f32)>,
        mut set: impl FnMut(usize, (u32, u32), f32) -> Result<(), FieldError>,
    ) -> Result<(), FieldError> {
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
