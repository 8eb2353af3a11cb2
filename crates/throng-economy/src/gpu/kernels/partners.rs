//! Which agents meet: a random order of the agents for each round of a day.

use throng_device::cube::shuffle;
use throng_device::cubecl::{self, prelude::*};

use super::draws;
use crate::society::purpose;

/// Writes the orders of all rounds of a day, `[society][round][agent]`: a cube for each.
#[cube(launch_unchecked)]
pub fn draw_partners(
    seeds: &Array<u32>,
    orders: &mut Array<u32>,
    all_rounds: u32,
    rounds: u32,
    day: u32,
    #[comptime] agents: usize,
) {
    let mut order = SharedMemory::<u32>::new(agents);
    let cube = CUBE_POS as u32;
    if cube < all_rounds {
        let round = cube % rounds;
        let draws = draws(seeds, cube / rounds, 0u32.runtime(), day, purpose::PARTNERS | round);
        shuffle(comptime!(agents as u32).runtime(), &draws, &mut order, agents);
        let mut agent = UNIT_POS;
        while agent < comptime!(agents as u32) {
            orders[cube as usize * agents + agent as usize] = order[agent as usize];
            agent += CUBE_DIM;
        }
    }
}
