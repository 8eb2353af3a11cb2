//! When anything is due next, so that steps in which nothing is can be skipped.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::lists::departures_at;
use super::world::{Now, World};

/// Writes to the mailbox how far away the next step is in which anything is due, after the step in `now`.
/// Launched with any number of threads, each of which looks at every so manieth entity.
#[cube(launch)]
pub fn horizon(world: &mut World, now: &Now, threads: u32) {
    let mut nearest = NONE.runtime();
    let mut i = ABSOLUTE_POS as u32;
    while i < now.run.nodes {
        if world.node_active[i as usize] != 0u32 {
            nearest = 1u32;
        }
        i += threads;
    }
    i = ABSOLUTE_POS as u32;
    while i < now.run.links {
        let at = world.due[i as usize].load();
        if world.departures[departures_at(now, now.step + 1u32, i)].load() != NONE {
            nearest = 1u32;
        } else if at != NONE {
            nearest = u32::min(nearest, u32::max(at, now.step + 1u32) - now.step);
        }
        i += threads;
    }
    i = ABSOLUTE_POS as u32;
    while i < 2u32 * now.run.slots {
        if world.slot_used[i as usize] != 0u32 {
            let ahead = (i - now.step) & (now.run.slots - 1u32);
            // The present slot was emptied, and is only not swept yet.
            if ahead > 0u32 {
                nearest = u32::min(nearest, ahead);
            }
        }
        i += threads;
    }
    if ABSOLUTE_POS == 0 {
        world.mailbox[MADE as usize].store(now.in_batch + 1u32);
    }
    if nearest != NONE {
        world.mailbox[HORIZON as usize].fetch_max(NONE - nearest);
    }
}
