//! Who is due when: lists by step, so that a step looks only at those who are due in it.
//!
//! Each slot of a calendar stands for a step and has several lists, which as many threads walk. Who is due beyond the
//! last slot waits in that and moves on. The slot of the step before is never used, so that it can be swept.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::lists::person_word;
use super::world::{Now, World};

/// The step in which a time is reached, or up to two before it, as `Clock::step_at`; `NONE` for times beyond all days.
#[cube]
pub fn step_at(now: &Now, time: f64) -> u32 {
    let mut step = 0u32;
    if time > 1e9f64 {
        step = NONE.runtime();
    } else if time > now.run.start {
        let mut steps = time - now.run.start;
        if now.run.step_s != 1.0f64 {
            steps /= now.run.step_s;
        }
        steps = f64::ceil(steps);
        if steps > 4e9f64 {
            step = NONE.runtime();
        } else {
            step = u32::cast_from(steps);
            // With steps that are no whole seconds their times are sums with rounding of their own.
            step -= u32::min(step, now.run.early);
        }
    }
    step
}

/// Puts a person into the list of the step in which its time is reached, at the earliest `earliest`; who waits for ever is
/// in none. `which`: 0 for activities, 1 for teleports.
#[cube]
pub fn add(world: &mut World, now: &Now, person: u32, earliest: u32, which: u32) {
    let due = u32::max(step_at(now, world.times[person as usize]), earliest);
    if due != NONE {
        let step = u32::min(due, now.step + (now.run.slots - 2u32));
        let slot = (step & (now.run.slots - 1u32)) + which * now.run.slots;
        world.slot_used[slot as usize] = 1u32;
        let list = slot * now.run.ways + (person & (now.run.ways - 1u32));
        let before = world.calendar[list as usize].swap(person);
        world.persons[person_word(person, NEXT)] = before;
    }
}

/// Takes a list of the present step.
#[cube]
pub fn take(world: &mut World, now: &Now, way: u32, which: u32) -> u32 {
    let slot = (now.step & (now.run.slots - 1u32)) + which * now.run.slots;
    let mut found = NONE.runtime();
    if world.slot_used[slot as usize] != 0u32 {
        found = world.calendar[(slot * now.run.ways + way) as usize].swap(NONE);
    }
    found
}

/// Notes that a slot is empty: that of activities after those of the step have ended, and that of the teleports of the
/// step before. Called by one thread in a half of the step that takes nothing from it.
#[cube]
pub fn sweep(world: &mut World, now: &Now, step: u32, which: u32) {
    world.slot_used[((step & (now.run.slots - 1u32)) + which * now.run.slots) as usize] = 0u32;
}
