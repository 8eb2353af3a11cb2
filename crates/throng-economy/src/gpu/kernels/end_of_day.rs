//! The end of a day: agents look at their stock, which is measured and consumed.

use throng_device::cubecl::{self, prelude::*};
use throng_device::{KernelParameter, philox};

use super::{Tables, of_next, of_units};
use crate::society::purpose;

/// The numbers of the end of a day.
#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy)]
pub struct Evening {
    /// Agents of all societies, and of each.
    pub all_agents: u32,
    pub agents: u32,
    pub day: u32,
    /// A unit whose draw is at most this is consumed.
    pub consumed_to: u32,
    /// [`NEGATIVE_ZERO`](throng_device::exact::NEGATIVE_ZERO).
    pub zero: f64,
}

/// The evening of all agents, a cube for each. `utility`, `units_held` and `units_extracted` are measured of each agent.
#[cube(launch_unchecked)]
pub fn end_day(
    tables: &Tables,
    seeds: &Array<u32>,
    held: &mut Array<u32>,
    valued: &mut Array<f64>,
    extracted: &Array<u32>,
    utility: &mut Array<f64>,
    units_held: &mut Array<u32>,
    units_extracted: &mut Array<u32>,
    evening: &Evening,
    #[comptime] resources: usize,
) {
    let mut utilities = SharedMemory::<f64>::new(resources);
    let mut stock = SharedMemory::<u32>::new(resources);
    let mut new = SharedMemory::<u32>::new(resources);
    let agent = CUBE_POS as u32;
    let unit = UNIT_POS as usize;
    if agent < evening.all_agents {
        let at = agent as usize * resources + unit;
        if unit < resources {
            let own = held[at];
            valued[at] = of_next(tables, own);
            utilities[unit] = of_units(tables, own, evening.zero);
            stock[unit] = own;
            new[unit] = extracted[at];
            held[at] = own - consumed(seeds, agent, unit as u32, own, evening);
        }
        sync_cube();
        if UNIT_POS == 0u32 {
            // One after the other: sums of floats depend on the order.
            let mut sum = 0.0f64;
            let mut units = 0u32;
            let mut all_new = 0u32;
            for resource in 0..resources {
                sum += utilities[resource];
                units += stock[resource];
                all_new += new[resource];
            }
            utility[agent as usize] = sum;
            units_held[agent as usize] = units;
            units_extracted[agent as usize] = all_new;
        }
    }
}

/// How many of some units are consumed: a draw of 32 bits for each.
#[cube]
fn consumed(seeds: &Array<u32>, agent: u32, resource: u32, units: u32, evening: &Evening) -> u32 {
    let at = 2 * (agent / evening.agents) as usize;
    let (low, high) = (seeds[at], seeds[at + 1]);
    let entity = agent % evening.agents;
    let mut consumed = 0u32;
    let mut first = 0u32;
    while first < units {
        let block = philox::block(low, high, entity, evening.day, purpose::CONSUMED | resource, first / 4u32);
        let left = units - first;
        let to = evening.consumed_to;
        consumed += select(block.first <= to, 1u32, 0u32);
        consumed += select(left > 1u32 && block.second <= to, 1u32, 0u32);
        consumed += select(left > 2u32 && block.third <= to, 1u32, 0u32);
        consumed += select(left > 3u32 && block.fourth <= to, 1u32, 0u32);
        first += 4u32;
    }
    consumed
}
