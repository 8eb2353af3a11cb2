//! Agents who are due: those whose activity is over, and those whose teleport is.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::calendar;
use super::journey::{PHASE_TELEPORTS, agent_teller, end_activity, end_teleport, proceed};
use super::lists::person_word;
use super::world::{Fixed, Now, World};

/// Everybody of one list whose activity is over leaves.
#[cube]
pub fn end_activities(
    world: &mut World,
    departures: &mut Array<Atomic<u32>>,
    now: &Now,
    way: u32,
    #[comptime] fixed: Fixed,
) {
    let mut person = calendar::take(world, now, way, 0u32, fixed);
    while person != NONE {
        let next = world.persons[person_word(person, NEXT)];
        if world.times[person as usize] > now.time {
            calendar::add(world, now, person, now.step + 1u32, 0u32, fixed);
        } else {
            end_activity(world, departures, now, person, fixed);
        }
        person = next;
    }
}

/// Everybody of one list whose teleport is over arrives.
#[cube]
pub fn end_teleports(
    world: &mut World,
    departures: &mut Array<Atomic<u32>>,
    now: &Now,
    way: u32,
    #[comptime] fixed: Fixed,
) {
    let mut person = calendar::take(world, now, way, 1u32, fixed);
    while person != NONE {
        let next = world.persons[person_word(person, NEXT)];
        if world.times[person as usize] > now.time {
            calendar::add(world, now, person, now.step + 1u32, 1u32, fixed);
        } else {
            let teller = agent_teller(world, person, PHASE_TELEPORTS.runtime());
            let element = world.persons[person_word(person, ELEMENT)];
            let link = end_teleport(world, now, &teller, person, element, fixed);
            proceed(world, departures, now, person, element, link, PHASE_TELEPORTS, fixed);
        }
        person = next;
    }
}
