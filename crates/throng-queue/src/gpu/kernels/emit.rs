//! Events and errors leave the device through buffers whose places are handed out by a counter.
//!
//! The order in which threads come for places differs from run to run; step, phase and owner of an event, and its place
//! among those of one owner, are enough to put them in order afterwards.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::world::{Fixed, Now, World};

/// Who tells something: the order of events within a step is that of phase, owner, and telling.
#[derive(CubeType, Clone, Copy)]
pub struct Teller {
    pub phase: u32,
    pub owner: u32,
}

/// Takes places for `count` events.
#[cube]
pub fn take_places(world: &World, count: u32) -> u32 {
    world.mailbox[EVENTS as usize].fetch_add(count)
}

/// Writes an event to a place; one beyond the end is only counted, and the batch is repeated.
#[cube]
pub fn write(
    world: &mut World,
    now: &Now,
    teller: &Teller,
    place: u32,
    what: u32,
    person: u32,
    link: u32,
    detail: u32,
) {
    if place < now.run.event_capacity {
        let at = (place * EVENT_WORDS) as usize;
        world.events[at] = what | (teller.phase << PHASE_SHIFT) | (now.in_batch << STEP_SHIFT);
        world.events[at + 1] = person;
        world.events[at + 2] = link;
        world.events[at + 3] = detail;
        world.events[at + 4] = teller.owner;
    }
}

/// Tells one event; `what` is kind and mode.
#[cube]
pub fn emit(
    world: &mut World,
    now: &Now,
    teller: &Teller,
    what: u32,
    person: u32,
    link: u32,
    detail: u32,
    #[comptime] fixed: Fixed,
) {
    if comptime!(fixed.record) {
        let place = take_places(world, 1u32);
        write(world, now, teller, place, what, person, link, detail);
    }
}

/// Adds to a counter of the batch.
#[cube]
pub fn count(world: &World, #[comptime] counter: u32, amount: u32) {
    world.mailbox[counter as usize].fetch_add(amount);
}

/// An agent is done with everything.
#[cube]
pub fn done(world: &World, now: &Now) {
    count(world, DONE, 1u32);
    world.mailbox[LAST_DONE as usize].fetch_max(now.in_batch + 1u32);
}

/// Something stops the run.
#[cube]
pub fn fail(world: &mut World, now: &Now, code: u32, person: u32, element: u32, link: u32) {
    let place = world.mailbox[ERRORS as usize].fetch_add(1u32);
    if place < MAX_ERRORS {
        let at = (place * ERROR_WORDS) as usize;
        world.errors[at] = code;
        world.errors[at + 1] = person;
        world.errors[at + 2] = element;
        world.errors[at + 3] = link;
        world.errors[at + 4] = now.in_batch;
    }
}
