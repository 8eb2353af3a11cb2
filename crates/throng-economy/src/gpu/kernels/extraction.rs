//! Extraction: a cube for each agent, with the gain of each resource in shared memory.

use throng_device::cubecl::{self, prelude::*};
use throng_device::{KernelParameter, exact};

use super::{Tables, draws, minutes, of_next};
use crate::rules::worth::gain_per_min;
use crate::society::purpose;

/// The numbers of a day of extraction.
#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy)]
pub struct WorkDay {
    /// Agents of all societies, and of each.
    pub all_agents: u32,
    pub agents: u32,
    pub day: u32,
    pub day_min: f64,
    pub tolerance: f64,
    pub forgotten: f64,
    pub full_experience: f64,
}

/// A day of extraction. All units of a cube look through all gains, which costs no more than if one did.
#[cube(launch_unchecked)]
pub fn extract(
    tables: &Tables,
    seeds: &Array<u32>,
    held: &mut Array<u32>,
    experience: &mut Array<f64>,
    extracted: &mut Array<u32>,
    gains_of_last: &mut Array<f64>,
    clocks: &mut Array<f64>,
    work: &WorkDay,
    #[comptime] resources: usize,
) {
    let mut gains = SharedMemory::<f64>::new(resources);
    let mut times = SharedMemory::<f64>::new(resources);
    let agent = CUBE_POS as u32;
    let unit = UNIT_POS as usize;
    if agent < work.all_agents {
        let at = agent as usize * resources + unit;
        let is_resource = unit < resources;
        let mut own_held = 0u32;
        let mut own_experience = 0.0f64;
        let mut own_extracted = 0u32;
        if is_resource {
            own_held = held[at];
            own_experience = experience[at];
            let time = minutes(tables, own_experience);
            times[unit] = time;
            gains[unit] = gain_per_min(of_next(tables, own_held), 1.0f64, time);
        }
        sync_cube();
        let draws =
            draws(seeds, agent / work.agents, agent % work.agents, work.day, comptime!(purpose::EXTRACTED).runtime());
        let mut clock = 0.0f64;
        let mut gain_of_last = 0.0f64;
        let mut drawn = 0u32;
        while clock < work.day_min {
            let mut most = 0.0f64;
            for resource in 0..resources {
                most = exact::greater::<f64>(most, gains[resource]);
            }
            let bound = most - work.tolerance;
            let mut count = 0u32;
            for resource in 0..resources {
                count += select(gains[resource] >= bound, 1u32, 0u32);
            }
            // Of one there is no choice, and the draws are numbered.
            let mut choice = 0u32;
            if count > 1u32 {
                choice = draws.below(count, drawn);
            }
            drawn += 1u32;
            let mut chosen = 0u32;
            let mut seen = 0u32;
            for resource in 0..resources {
                let is_good = gains[resource] >= bound;
                chosen = select(is_good && seen == choice, resource as u32, chosen);
                seen += select(is_good, 1u32, 0u32);
            }
            clock += times[chosen as usize];
            gain_of_last = gains[chosen as usize];
            sync_cube();
            if UNIT_POS == chosen {
                own_held += 1u32;
                own_experience += 1.0f64;
                own_extracted += 1u32;
                let time = minutes(tables, own_experience);
                times[unit] = time;
                gains[unit] = gain_per_min(of_next(tables, own_held), 1.0f64, time);
            }
            sync_cube();
        }
        if is_resource {
            if own_extracted == 0u32 {
                own_experience = exact::greater::<f64>(own_experience - work.forgotten, 0.0f64);
            }
            held[at] = own_held;
            experience[at] = exact::lesser::<f64>(own_experience, work.full_experience);
            extracted[at] = own_extracted;
        }
        if UNIT_POS == 0u32 {
            gains_of_last[agent as usize] = gain_of_last;
            clocks[agent as usize] = clock;
        }
    }
}
