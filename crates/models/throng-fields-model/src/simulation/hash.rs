//! The hash of the state of a simulation. Each cell of a layer, cell of a team, agent and goal has its own number in it.

use rayon::prelude::*;
use throng_core::StateHash;
use throng_fields_core::Field;

/// The number of cells whose hashes a thread adds up at a time.
const CELLS_AT_ONCE: usize = 1 << 14;

const CELL_BITS: u32 = 40;
const TEAMS: u64 = 1 << 62;
/// The number of the first agent.
pub(super) const AGENTS: u64 = 1 << 63;
/// The number of the owner of the first goal.
pub(super) const OWNERS: u64 = 3 << 62;

/// The upper word of the number of the first cell of a layer, whose lower word is 0.
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

/// The hash of a value per cell, whose numbers begin with `first`.
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
