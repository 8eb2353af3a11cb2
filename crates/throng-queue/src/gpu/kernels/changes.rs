//! Network change events: new capacities and travel times of some links.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::flow::recompute_rest;
use super::lists::{link_real, link_word};
use super::world::{Fixed, Now, World};

/// Reals per changed link before its travel times: flow per step, storage, capacity, inverse capacity, inflow.
pub const CHANGE_REALS: u32 = 5;

/// The highest priority that is one; that of a closed link is infinite.
const MOST: f64 = f64::MAX;

/// Applies new attributes before the step in `now`; the flow is refilled, whatever it was that changed.
#[cube(launch)]
pub fn change_links(
    world: &mut World,
    changed: &Array<u32>,
    values: &Array<f64>,
    count: u32,
    now: &Now,
    #[comptime] fixed: Fixed,
) {
    let i = ABSOLUTE_POS as u32;
    if i < count {
        let link = changed[i as usize];
        let at = (i * (CHANGE_REALS + now.run.speeds)) as usize;
        world.flows[link_real(link, PER_STEP)] = values[at];
        world.flows[link_real(link, ACCUMULATED)] = values[at];
        recompute_rest(world, link);
        world.flows[link_real(link, STORAGE)] = values[at + 1];
        world.flows[link_real(link, CAPACITY)] = values[at + 2];
        if comptime!(fixed.selection.by_priority()) {
            world.priorities[(link * 2u32 + 1u32) as usize] = values[at + 3];
            // A link that was closed comes back into the selection: nothing ever brings its priority down.
            if world.priorities[(link * 2u32) as usize] > MOST {
                world.priorities[(link * 2u32) as usize] = values[at + 3];
            }
        }
        if comptime!(fixed.has_waves()) {
            world.waves[(link * WAVE_REALS + REMAINING) as usize] = values[at + 1];
            if comptime!(fixed.is_kinematic()) {
                world.waves[(link * WAVE_REALS + MAX_INFLOW) as usize] = values[at + 4];
            }
        }
        for speed in 0..now.run.speeds {
            world.travel_times[(link * now.run.speeds + speed) as usize] =
                values[at + comptime!(CHANGE_REALS as usize) + speed as usize];
        }
        let idle = world.links[link_word(link, QUEUE)] == NONE && world.links[link_word(link, WAITING)] == NONE;
        let mut active = !idle;
        if comptime!(fixed.has_waves()) {
            active = active || world.links[link_word(link, WAVES)] != INACTIVE;
        }
        if active {
            world.due[link as usize].store(now.step);
        }
    }
}
