//! The cells on which the bodies of groups can walk.

use throng_core::InputError;
use throng_fields_core::routing::{Ground, walkable};
use throng_pictures::Mask;

/// Sets of cells on which bodies can walk, each once: groups with equal ones share paths. The first one has all open
/// cells.
#[derive(Debug, Clone)]
pub struct Passages {
    sets: Vec<Option<Mask>>,
    /// Radii, and the numbers of their sets.
    radii: Vec<(f32, usize)>,
}

impl Default for Passages {
    fn default() -> Self {
        Self { sets: vec![None], radii: Vec::new() }
    }
}

impl Passages {
    /// The number of the set for bodies of a radius, which is added if it is new.
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

    /// The cells of a set; `None` for all open cells.
    pub fn cells(&self, set: usize) -> Option<&Mask> {
        self.sets.get(set).and_then(Option::as_ref)
    }
}
