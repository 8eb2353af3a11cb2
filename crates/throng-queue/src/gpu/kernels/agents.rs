//! Agents who are due: those whose activity is over, and those whose teleport is.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::calendar;
use super::journey::end_activity;
use super::lists::person_word;
use super::world::{Fixed, Now, World};

/// All agents of one list whose activity is over leave.
#[cube]
pub fn end_activities(world: &mut World, now: &Now, way: u32, #[comptime] fixed: Fixed) {
    let mut person = calendar::take(world, now, way, 0u32);
    while person != NONE {
        let next = world.persons[person_word(person, NEXT)];
        if world.times[person as usize] > now.time {
            calendar::add(world, now, person, now.step + 1u32, 0u32);
        } else {
            end_activity(world, now, person, fixed);
            world.mailbox[LAST_AGENT as usize].fetch_max(now.in_batch + 1u32);
        }
        person = next;
    }
}

/// Those of one list of teleported agents whose teleport is over; the others wait on.
#[cube]
pub fn take_teleports(world: &mut World, now: &Now, way: u32) -> u32 {
    let mut person = calendar::take(world, now, way, 1u32);
    let mut arriving = NONE.runtime();
    while person != NONE {
        let next = world.persons[person_word(person, NEXT)];
        if world.times[person as usize] > now.time {
            calendar::add(world, now, person, now.step + 1u32, 1u32);
        } else {
            world.persons[person_word(person, NEXT)] = arriving;
            arriving = person;
            world.mailbox[LAST_AGENT as usize].fetch_max(now.in_batch + 1u32);
        }
        person = next;
    }
    arriving
}
