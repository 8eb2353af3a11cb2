//! The cells on which the bodies of groups can walk.

use throng_core::InputError;
use throng_fields_core::routing::{Ground, walkable};
use throng_pictures::Mask;

/// Distinct sets of cells on which bodies can walk: groups with equal sets share paths. The first set has all open
/// cells.
#[derive(Debug, Clone)]
pub struct Passages {
    sets: Vec<Option<Mask>>,
    /// Radii, and the indices of their sets.
    radii: Vec<(f32, usize)>,
}

impl Default for Passages {
    fn default() -> Self {
        Self { sets: vec![None], radii: Vec::new() }
    }
}

impl Passages {
    /// Returns the index of the set for bodies of this radius, adding the set if it is new.
    pub fn add(&mut self, ground: &Ground, radius: f32) -> Result<usize, InputError> {
        if let Some((_, set)) = self.radii.iter().find(|(known, _)| *known == radius) {
            return Ok(*set);
        }
        let cells = walkable(ground.grid(), ground.open(), radius)?;
        let set = self.sets.iter().position(|known| *known == cells).unwrap_or(self.sets.len());
        if set == self.sets.len() {
            self.sets.push(cells);
        }
        self.radii.push((radius, set));
        Ok(set)
    }

    /// Returns the cells of a set; `None` for all open cells.
    pub fn cells(&self, set: usize) -> Option<&Mask> {
        self.sets.get(set).and_then(Option::as_ref)
    }
}
