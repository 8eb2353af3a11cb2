//! When anything is due next, so that steps in which nothing is can be skipped.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::world::{Now, World};

/// Writes to the mailbox how far away the next step is in which anything is due, after the step in `now`.
/// Launched with any number of threads, each of which looks at every so manieth entity.
#[cube(launch)]
pub fn horizon(world: &mut World, due: &Array<u32>, departures: &Array<u32>, now: &Now, threads: u32) {
    let mut nearest = NONE.runtime();
    let mut i = ABSOLUTE_POS as u32;
    while i < now.nodes {
        if world.node_active[i as usize] != 0u32 {
            nearest = 1u32;
        }
        i += threads;
    }
    i = ABSOLUTE_POS as u32;
    while i < now.links {
        let at = due[i as usize];
        if departures[i as usize] != NONE {
            nearest = 1u32;
        } else if at != NONE {
            nearest = u32::min(nearest, u32::max(at, now.step + 1u32) - now.step);
        }
        i += threads;
    }
    i = ABSOLUTE_POS as u32;
    while i < 2u32 * now.slots {
        if world.slot_used[i as usize] != 0u32 {
            let ahead = (i - now.step) & (now.slots - 1u32);
            // The present slot was emptied, and is only not swept yet.
            if ahead > 0u32 {
                nearest = u32::min(nearest, ahead);
            }
        }
        i += threads;
    }
    if nearest != NONE {
        world.mailbox[HORIZON as usize].fetch_max(NONE - nearest);
    }
}
