//! The second half of a step: vehicles enter traffic, reach the end of their link, and arrive; teleports end.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::agents::take_teleports;
use super::calendar::{step_at, sweep};
use super::emit::{Teller, emit};
use super::flow::{consume, has_capacity, pcu, refill_one_step};
use super::journey::{PHASE_LINKS, PHASE_TELEPORTS, arrive, end_teleport, following, proceed, what};
use super::lists::{append, append_departures, departures_at, link_real, link_word, person_word, remove_first};
use super::queue;
use super::waves;
use super::world::{Fixed, Now, World};
use throng_traffic_scenario::events::EventKind;

/// The second half of a step in a launch of its own.
#[cube(launch_unchecked)]
pub fn links_and_teleports(world: &mut World, now: &Now, threads: u32, #[comptime] fixed: Fixed) {
    step_links(world, now, ABSOLUTE_POS as u32, threads, fixed);
}

/// The first threads walk the lists of teleported agents who are due, each of the others looks at one link, or several
/// as in [`super::nodes::step_nodes`].
#[cube]
pub fn step_links(world: &mut World, now: &Now, thread: u32, threads: u32, #[comptime] fixed: Fixed) {
    let mut unit = thread;
    if unit == 0u32 {
        sweep(world, now, now.step, 0u32);
    }
    while unit < now.run.ways + now.run.links {
        let on_link = unit >= now.run.ways;
        let link = unit - now.run.ways;
        let mut arriving = NONE.runtime();
        let mut arrived = NONE.runtime();
        let mut stepped = false;
        if on_link {
            let due_at = world.due[link as usize].load();
            arrived = world.departures[departures_at(now, now.step, link)].load();
            stepped = due_at <= now.step || arrived != NONE;
        } else {
            arriving = take_teleports(world, now, unit);
        }
        // Gone through once, see there.
        let mut starved = false;
        let mut to_do = stepped;
        while to_do {
            if arrived != NONE {
                world.departures[departures_at(now, now.step, link)].store(NONE.runtime());
                append_departures(world, link, arrived);
            }
            if arrived != NONE || world.links[link_word(link, WAVES)] != ONLY_WAVES {
                world.links[link_word(link, STEPPED)] = now.step + 1u32;
            }
            starved = begin_link(world, now, link, fixed);
            let moved = move_queue(world, now, link, fixed);
            starved = starved || moved.starved;
            arriving = moved.arriving;
            to_do = false;
        }
        // One place for all who arrive, however they come: what follows in their plans is most of the code.
        while arriving != NONE {
            let person = arriving + 0u32;
            arriving = world.persons[person_word(person, NEXT)];
            end_leg(world, now, person, link, on_link, fixed);
        }
        to_do = stepped;
        while to_do {
            let due = end_link(world, now, link, starved, fixed);
            world.due[link as usize].store(due);
            to_do = false;
        }
        unit += threads;
    }
}

/// A leg is over, and its agent goes on with the plan.
#[cube]
fn end_leg(world: &mut World, now: &Now, person: u32, on: u32, on_link: bool, #[comptime] fixed: Fixed) {
    let element = world.persons[person_word(person, ELEMENT)];
    let next = following(world, element);
    let mut teller = Teller { phase: PHASE_LINKS.runtime(), owner: on };
    let mut link = on;
    let mut goes_on = true;
    if on_link {
        goes_on = arrive(world, now, &teller, link, person, fixed);
    } else {
        teller.phase = PHASE_TELEPORTS.runtime();
        teller.owner = NONE - world.ranks[person as usize];
        link = end_teleport(world, now, &teller, person, element, fixed);
    }
    if goes_on {
        proceed(world, now, &mut teller, person, element, &next, link, on_link, false, fixed);
    }
}

/// Flow, holes and inflow of this step, and, where they come first, the waiting vehicles. True when flow ran out.
#[cube]
fn begin_link(world: &mut World, now: &Now, link: u32, #[comptime] fixed: Fixed) -> bool {
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
    starved
}

/// The rest of the step of a link. Returns the step in which it is to be looked at again.
#[cube]
fn end_link(world: &mut World, now: &Now, link: u32, was_starved: bool, #[comptime] fixed: Fixed) -> u32 {
    let mut starved = was_starved;
    if comptime!(!fixed.waiting_first) {
        let waiting_starved = move_waiting(world, now, link, fixed);
        starved = starved || waiting_starved;
    }
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

/// What came of the vehicles at the end of a link.
#[derive(CubeType, Clone, Copy)]
struct Moved {
    /// Flow capacity ran out.
    starved: bool,
    /// Those who arrive, in order.
    arriving: u32,
}

/// Vehicles at the end of the link go into the buffer, or are put aside because they arrive.
#[cube]
fn move_queue(world: &mut World, now: &Now, link: u32, #[comptime] fixed: Fixed) -> Moved {
    let mut starved = false;
    let mut arriving = NONE.runtime();
    let mut last = NONE.runtime();
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
                world.persons[person_word(person, NEXT)] = NONE;
                if last == NONE {
                    arriving = person;
                } else {
                    world.persons[person_word(last, NEXT)] = person;
                }
                last = person;
            } else {
                push_to_buffer(world, now, link, person);
            }
            person = queue::first(world, link, fixed);
        } else {
            person = NONE.runtime();
        }
    }
    Moved { starved, arriving }
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
    let first_waiting = world.links[link_word(link, WAITING)];
    let waiting = first_waiting != NONE;
    let accumulated = world.flows[link_real(link, ACCUMULATED)];
    let per_step = world.flows[link_real(link, PER_STEP)];
    let grows = accumulated + per_step > accumulated;
    let below_a_step = accumulated < per_step;
    if starved {
        // Only a small vehicle that began to wait after its turn in this step needs no capacity in the next one.
        let mut waits_small = false;
        if waiting {
            waits_small = pcu(world, first_waiting) <= now.run.easing;
        }
        if waits_small {
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
        if grows && below_a_step {
            next = soon;
        }
    }
    let person = queue::first(world, link, fixed);
    if person != NONE {
        let exit = world.times[person as usize];
        // Who wants to arrive is only left here when waiting vehicles came after the driving ones.
        if exit > now.time || world.persons[person_word(person, NEXT_LINK)] == ARRIVE {
            next = u32::min(next, u32::max(step_at(now, exit), soon));
        }
    }
    if comptime!(fixed.has_waves()) {
        let mut idle = is_idle(world, link);
        if comptime!(!fixed.fast_update) {
            // Under the slow update a link stays active while it has less flow than the allowance of a step.
            idle = idle && !below_a_step;
        }
        if waves::end_step(world, link, idle, fixed) && next > soon {
            next = soon;
            world.links[link_word(link, WAVES)] = ONLY_WAVES.runtime();
        }
    }
    next
}
