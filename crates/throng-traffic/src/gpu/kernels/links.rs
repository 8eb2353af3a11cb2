//! The second launch of a step: vehicles enter traffic, reach the end of their link, and arrive; teleports end.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::agents::end_teleports;
use super::calendar::{step_at, sweep};
use super::emit::{Teller, emit};
use super::flow::{consume, has_capacity, pcu, refill_one_step};
use super::journey::{PHASE_LINKS, arrive, what};
use super::lists::{append, append_departures, link_real, link_word, person_word, remove_first};
use super::queue;
use super::waves;
use super::world::{Fixed, Now, World};
use crate::events::EventKind;

/// The first threads walk the lists of teleported agents who are due, each of the others looks at one link.
/// `departed` holds those who came to depart in this step; who departs from now on joins `departures` of the next.
#[cube(launch)]
pub fn links_and_teleports(
    world: &mut World,
    due: &mut Array<u32>,
    departed: &mut Array<u32>,
    departures: &mut Array<Atomic<u32>>,
    now: &Now,
    #[comptime] fixed: Fixed,
) {
    let unit = ABSOLUTE_POS as u32;
    if unit < comptime!(fixed.ways) {
        if unit == 0u32 {
            sweep(world, now.step, 0u32, fixed);
        }
        end_teleports(world, departures, now, unit, fixed);
    } else {
        let link = unit - comptime!(fixed.ways);
        if link < now.links {
            let arrived = departed[link as usize];
            if due[link as usize] <= now.step || arrived != NONE {
                if arrived != NONE {
                    departed[link as usize] = NONE;
                    append_departures(world, link, arrived);
                }
                due[link as usize] = step_link(world, departures, now, link, fixed);
            }
        }
    }
}

/// One step of a link. Returns the step in which it is to be looked at again.
#[cube]
fn step_link(
    world: &mut World,
    departures: &mut Array<Atomic<u32>>,
    now: &Now,
    link: u32,
    #[comptime] fixed: Fixed,
) -> u32 {
    if comptime!(!fixed.fast_update) {
        refill_one_step(world, link);
    }
    if comptime!(fixed.has_waves()) {
        let idle = is_idle(world, link);
        waves::begin_step(world, now, link, idle, fixed);
    }
    let mut starved = false;
    if comptime!(fixed.waiting_first) {
        starved = move_waiting(world, now, link, fixed);
    }
    let queue_starved = move_queue(world, departures, now, link, fixed);
    starved = starved || queue_starved;
    if comptime!(!fixed.waiting_first) {
        let waiting_starved = move_waiting(world, now, link, fixed);
        starved = starved || waiting_starved;
    }
    world.mailbox[LAST_VISITED as usize].fetch_max(now.in_batch + 1u32);
    next_due(world, now, link, starved, fixed)
}

/// Neither queued nor waiting vehicles; the buffer belongs to the node.
#[cube]
fn is_idle(world: &World, link: u32) -> bool {
    world.links[link_word(link, QUEUE)] == NONE && world.links[link_word(link, WAITING)] == NONE
}

/// Departed vehicles enter traffic, at the downstream end of the link. True when flow capacity ran out.
#[cube]
fn move_waiting(world: &mut World, now: &Now, link: u32, #[comptime] fixed: Fixed) -> bool {
    let mut starved = false;
    let mut person = world.links[link_word(link, WAITING)];
    while person != NONE {
        if has_capacity(world, now, link, person, fixed) {
            remove_first(world, link, person, WAITING);
            if comptime!(fixed.record) {
                let teller = Teller { phase: PHASE_LINKS.runtime(), owner: link };
                let element = world.persons[person_word(person, ELEMENT)];
                let mode = world.plans[(element * PLAN_WORDS + CODE) as usize] & 0xFFu32;
                let vehicle = world.persons[person_word(person, VEHICLE)];
                emit(world, now, &teller, what(EventKind::VehicleEntersTraffic, mode), person, link, vehicle, fixed);
            }
            if world.persons[person_word(person, NEXT_LINK)] == ARRIVE {
                // From the buffer it could not arrive any more.
                queue::push_to_front(world, now, link, person, fixed);
            } else {
                push_to_buffer(world, now, link, person);
            }
            person = world.links[link_word(link, WAITING)];
        } else {
            starved = true;
            person = NONE;
        }
    }
    starved
}

/// Vehicles at the end of the link arrive or go into the buffer. True when flow capacity ran out.
#[cube]
fn move_queue(
    world: &mut World,
    departures: &mut Array<Atomic<u32>>,
    now: &Now,
    link: u32,
    #[comptime] fixed: Fixed,
) -> bool {
    let mut starved = false;
    let mut person = queue::first(world, link, fixed);
    while person != NONE {
        let mut leaves = world.times[person as usize] <= now.time;
        let arrives = world.persons[person_word(person, NEXT_LINK)] == ARRIVE;
        if leaves && !arrives {
            leaves = has_capacity(world, now, link, person, fixed);
            starved = !leaves;
        }
        if leaves {
            queue::pop(world, link, person, fixed);
            let size = pcu(world, person);
            world.flows[link_real(link, USED)] -= size;
            if comptime!(fixed.has_waves()) {
                waves::free(world, now, link, person, size);
            }
            if arrives {
                arrive(world, departures, now, link, person, fixed);
            } else {
                push_to_buffer(world, now, link, person);
            }
            person = queue::first(world, link, fixed);
        } else {
            person = NONE;
        }
    }
    starved
}

#[cube]
fn push_to_buffer(world: &mut World, now: &Now, link: u32, person: u32) {
    consume(world, now, link, person);
    if world.links[link_word(link, BUFFERED)] == 0u32 {
        world.flows[link_real(link, LAST_MOVED)] = now.time;
    }
    append(world, link, person, BUFFER);
    world.links[link_word(link, BUFFERED)] += 1u32;
    let node = world.links[link_word(link, TO)];
    world.node_active[node as usize] = 1u32;
}

/// When a link is to be looked at again: in the next step while it waits for flow, not at all while that is used up by
/// vehicles in the buffer, whose leaving will wake it, else when its first vehicle may leave.
#[cube]
fn next_due(world: &mut World, now: &Now, link: u32, starved: bool, #[comptime] fixed: Fixed) -> u32 {
    let soon = now.step + 1u32;
    let mut next = NONE.runtime();
    let waiting = world.links[link_word(link, WAITING)] != NONE;
    let accumulated = world.flows[link_real(link, ACCUMULATED)];
    let per_step = world.flows[link_real(link, PER_STEP)];
    let grows = accumulated + per_step > accumulated;
    if starved {
        if waiting && now.easing > 0.0f64 {
            // Small vehicles that wait behind a large one may pass at any time.
            next = soon;
        } else if grows {
            next = soon;
            if comptime!(fixed.fast_update) {
                if accumulated >= world.flows[link_real(link, REST)] {
                    next = NONE;
                }
            }
        }
    } else if waiting {
        next = soon;
    } else if comptime!(!fixed.fast_update) {
        if grows && accumulated < per_step {
            next = soon;
        }
    }
    let person = queue::first(world, link, fixed);
    if person != NONE {
        let exit = world.times[person as usize];
        // Who wants to arrive is only left here when waiting vehicles came after the driving ones.
        if exit > now.time || world.persons[person_word(person, NEXT_LINK)] == ARRIVE {
            next = u32::min(next, u32::max(step_at(now, exit, fixed), soon));
        }
    }
    if comptime!(fixed.has_waves()) {
        let idle = is_idle(world, link);
        if waves::end_step(world, link, idle) {
            next = soon;
        }
    }
    next
}
