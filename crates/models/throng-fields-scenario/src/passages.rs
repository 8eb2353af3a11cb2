//! The cells on which the bodies of groups can walk.

use throng_core::InputError;
use throng_fields_core::routing::{Ground, walkable};
use throng_pictures::Mask;

use crate::terrain::Terrains;

/// Distinct sets of cells on which bodies can walk, for each ground of a run: groups with equal sets share paths. The
/// first set has all open cells.
#[derive(Debug, Clone)]
pub struct Passages {
    sets: Vec<Vec<Option<Mask>>>,
    /// Radii, and the indices of their sets.
    radii: Vec<(f32, usize)>,
}

impl Passages {
    pub(crate) fn new(terrains: &Terrains) -> Self {
        Self { sets: vec![vec![None; terrains.grounds().len()]], radii: Vec::new() }
    }

    /// Returns the index of the set for bodies of this radius, adding the set if it is new.
    pub(crate) fn add(&mut self, terrains: &Terrains, radius: f32) -> Result<usize, InputError> {
        if let Some((_, set)) = self.radii.iter().find(|(known, _)| *known == radius) {
            return Ok(*set);
        }
        let on = |ground: &Ground| walkable(ground.grid(), ground.open(), radius);
        let cells = terrains.grounds().iter().map(on).collect::<Result<_, _>>()?;
        let set = self.sets.iter().position(|known| *known == cells).unwrap_or(self.sets.len());
        if set == self.sets.len() {
            self.sets.push(cells);
        }
        self.radii.push((radius, set));
        Ok(set)
    }

    /// Returns the cells of a set on a ground, given by its index; `None` for all open cells.
    pub fn cells(&self, set: usize, terrain: usize) -> Option<&Mask> {
        self.sets.get(set)?.get(terrain)?.as_ref()
    }
}
