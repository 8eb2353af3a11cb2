//! The hash of the state of a simulation. Each cell of a layer, cell of a team, agent and goal has its own id in it.

use rayon::prelude::*;
use throng_core::StateHash;
use throng_fields_core::Field;

/// Number of cells that a thread hashes at a time.
const CELLS_AT_ONCE: usize = 1 << 14;

const CELL_BITS: u32 = 40;
const TEAMS: u64 = 1 << 62;
/// The id of the first agent.
pub(super) const AGENTS: u64 = 1 << 63;
/// The id of the owner of the first goal.
pub(super) const OWNERS: u64 = 3 << 62;

/// The upper word of the id of the first cell of a layer; the lower word is 0.
pub(super) fn first_of_layer(layer: usize) -> u32 {
    (layer as u32) << (CELL_BITS - u32::BITS)
}

/// The sum of the hashes of all cells of a layer.
pub(super) fn hash_of_layer(layer: usize, field: &Field) -> u64 {
    hash_of_cells(u64::from(first_of_layer(layer)) << u32::BITS, field.values()).finish()
}

/// The hash of the influence of a team.
pub(super) fn hash_of_team(team: usize, influence: &[f32]) -> StateHash {
    hash_of_cells(TEAMS | (team as u64) << CELL_BITS, influence)
}

/// The hash of one value per cell, whose ids start at `first`.
fn hash_of_cells(first: u64, values: &[f32]) -> StateHash {
    let parts = values.par_chunks(CELLS_AT_ONCE).enumerate().map(|(chunk, values)| {
        let mut hash = StateHash::new();
        for (i, value) in values.iter().enumerate() {
            let cell = (chunk * CELLS_AT_ONCE + i) as u64;
            hash.add(first | cell, &[u64::from(value.to_bits())]);
        }
        hash
    });
    parts.reduce(StateHash::new, |mut all, part| {
        all.merge(part);
        all
    })
}
