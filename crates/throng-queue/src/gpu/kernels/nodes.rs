//! The first half of a step: activities end, and vehicles cross nodes.
//!
//! The order in which vehicles from several in-links cross is that of `crate::rules::node_transition`.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::agents::end_activities;
use super::calendar::{step_at, sweep};
use super::draw::unit;
use super::emit::{Teller, count, take_places, write};
use super::flow::{consumption, kind_real, pcu, recompute_rest};
use super::journey::{NO_MODE, PHASE_NODES, abort, what};
use super::lists::{link_real, link_word, node_word, person_word, remove_first};
use super::queue;
use super::waves;
use super::world::{Fixed, Now, World};
use throng_traffic_scenario::events::EventKind;

/// The purpose number of the draws at nodes.
const NODE_DRAW: u32 = 1;
/// Capacities below this are rounding errors of sums.
const NO_CAPACITY: f64 = 1e-10;

/// What came of trying to move a vehicle, in bits: it has left the buffer, its next link was full, it is on that link.
const MOVED: u32 = 1;
const JAMMED: u32 = 2;
const CROSSED_OVER: u32 = 4;

/// The first half of a step in a launch of its own.
#[cube(launch_unchecked)]
pub fn agents_and_nodes(world: &mut World, now: &Now, threads: u32, #[comptime] fixed: Fixed) {
    step_nodes(world, now, ABSOLUTE_POS as u32, threads, fixed);
}

/// The first threads walk the lists of agents who are due, each of the others looks at one node. With fewer threads than
/// that, each goes on to further lists and nodes: software devices take long to start a thread.
#[cube]
pub fn step_nodes(world: &mut World, now: &Now, thread: u32, threads: u32, #[comptime] fixed: Fixed) {
    let mut unit = thread;
    if unit == 0u32 {
        sweep(world, now, now.step + now.run.slots - 1u32, 1u32);
    }
    while unit < now.run.ways {
        end_activities(world, now, unit, fixed);
        unit += threads;
    }
    while unit < now.run.ways + now.run.nodes {
        let node = unit - now.run.ways;
        let mut active = world.node_active[node as usize];
        let first = world.nodes[node_word(node, FIRST_IN_LINK)];
        let end = world.nodes[node_word(node + 1u32, FIRST_IN_LINK)];
        // Gone through once: software devices leave out loops that no thread enters, but no branches.
        while active != 0u32 {
            cross_node(world, now, node, first, end, fixed);
            active = 0u32;
        }
        unit += threads;
    }
}

/// Moves vehicles over a node for one step.
#[cube]
fn cross_node(world: &mut World, now: &Now, node: u32, first: u32, end: u32, #[comptime] fixed: Fixed) {
    let mut capacity = 0.0f64;
    let mut candidates = 0u32;
    // Writes nothing, so that all links are read at once.
    for link in first..end {
        let buffered = world.links[link_word(link, BUFFERED)];
        let candidate = world.links[link_word(link, CANDIDATE)];
        let of_link = world.flows[link_real(link, CAPACITY)];
        capacity += select(buffered > 0u32, of_link, 0.0f64);
        candidates += select(buffered > 0u32, 1u32, candidate);
    }
    for link in first..end {
        if world.links[link_word(link, BUFFERED)] > 0u32 {
            world.links[link_word(link, CANDIDATE)] = 1u32;
        }
    }
    if comptime!(fixed.selection.by_priority()) {
        // They start from the capacities of the first time.
        if world.nodes[node_word(node, ACTIVE_AT)] == 0u32 {
            for link in first..end {
                world.priorities[(link * 2u32) as usize] = world.priorities[(link * 2u32 + 1u32) as usize];
            }
        }
    }
    let mut crossed = 0u32;
    if capacity > NO_CAPACITY {
        if comptime!(fixed.selection.by_priority()) {
            crossed = by_priority(world, now, node, first, end, capacity, fixed);
        } else {
            crossed = by_lottery(world, now, node, first, end, capacity, candidates, fixed);
        }
    }
    let mut active = 0u32;
    if capacity > NO_CAPACITY {
        for link in first..end {
            active = u32::max(active, u32::min(world.links[link_word(link, BUFFERED)], 1u32));
        }
    }
    if active == 0u32 {
        world.node_active[node as usize] = 0u32;
    }
    // Counted here and not in a common counter, for which all threads would wait.
    world.nodes[node_word(node, CROSSED)] += crossed;
    // After vehicles have left MATSim looks once more, in vain.
    world.nodes[node_word(node, ACTIVE_AT)] = now.step + select(capacity > NO_CAPACITY, 2u32, 1u32);
}

/// Draws in-links in proportion to their capacity.
#[cube]
fn by_lottery(
    world: &mut World,
    now: &Now,
    node: u32,
    first: u32,
    end: u32,
    whole_capacity: f64,
    all_candidates: u32,
    #[comptime] fixed: Fixed,
) -> u32 {
    let mut capacity = whole_capacity;
    let mut candidates = all_candidates;
    let mut draws = 0u32;
    let mut crossed = 0u32;
    while capacity > NO_CAPACITY && candidates > 0u32 {
        let mut drawn = NONE.runtime();
        if candidates == 1u32 {
            for link in first..end {
                if world.links[link_word(link, CANDIDATE)] != 0u32 && drawn == NONE {
                    drawn = link;
                }
            }
        } else {
            let number = world.nodes[node_word(node, NUMBER)];
            let share = unit(now.run.seed_low, now.run.seed_high, number, now.step, NODE_DRAW, draws);
            draws += 1u32;
            drawn = drawn_in_link(world, first, end, share * capacity);
        }
        if drawn != NONE {
            let mut outcome = 0u32;
            let mut out = true;
            if comptime!(fixed.selection.empties_whole_buffer()) {
                let emptied = empty_buffer(world, now, node, drawn, fixed);
                crossed += emptied.crossed;
                outcome = emptied.outcome;
            } else {
                if world.links[link_word(drawn, BUFFERED)] > 0u32 {
                    outcome = move_first(world, now, node, drawn, fixed);
                }
                crossed += outcome / CROSSED_OVER;
                out = (outcome & MOVED) == 0u32;
            }
            if out {
                capacity -= world.flows[link_real(drawn, CAPACITY)];
                world.links[link_word(drawn, CANDIDATE)] = 0u32;
                candidates -= 1u32;
            }
            if comptime!(fixed.selection.is_blocked_by_full_link()) {
                if (outcome & JAMMED) != 0u32 {
                    candidates = 0u32;
                }
            }
        }
    }
    crossed
}

/// The in-link at which the sum of capacities reaches the threshold; `NONE` when rounding put it beyond the last.
#[cube]
fn drawn_in_link(world: &World, first: u32, end: u32, threshold: f64) -> u32 {
    let mut found = NONE.runtime();
    let mut passed = 0.0f64;
    for link in first..end {
        if world.links[link_word(link, CANDIDATE)] != 0u32 {
            passed += world.flows[link_real(link, CAPACITY)];
            // A sum beyond all numbers cannot be shared out: the last candidate then.
            let beyond = threshold > 1.7e308f64;
            if beyond || (passed >= threshold && found == NONE) {
                found = link;
            }
        }
    }
    found
}

/// What came of a whole buffer.
#[derive(CubeType, Clone, Copy)]
struct Emptied {
    outcome: u32,
    crossed: u32,
}

/// Moves vehicles until the buffer is empty or its first vehicle cannot move.
#[cube]
fn empty_buffer(world: &mut World, now: &Now, node: u32, link: u32, #[comptime] fixed: Fixed) -> Emptied {
    let mut all = 0u32;
    let mut crossed = 0u32;
    let mut moving = world.links[link_word(link, BUFFERED)] > 0u32;
    while moving {
        let outcome = move_first(world, now, node, link, fixed);
        all |= outcome;
        crossed += outcome / CROSSED_OVER;
        moving = ((outcome & MOVED) != 0u32) && (world.links[link_word(link, BUFFERED)] > 0u32);
    }
    Emptied { outcome: all, crossed }
}

/// Always the in-link with the lowest accumulated inverse capacity; the first full out-link ends the step.
#[cube]
fn by_priority(
    world: &mut World,
    now: &Now,
    node: u32,
    first: u32,
    end: u32,
    whole_capacity: f64,
    #[comptime] fixed: Fixed,
) -> u32 {
    let mut capacity = whole_capacity;
    let mut crossed = 0u32;
    let mut last_sent = 0.0f64;
    let mut blocked = NONE.runtime();
    let mut going = true;
    while going {
        // Compared as 32-bit floats, so that sums that are equal but for rounding tie.
        let mut lowest = f32::cast_from(f32::MAX);
        let mut chosen = NONE.runtime();
        for link in first..end {
            if world.links[link_word(link, CANDIDATE)] != 0u32 {
                let priority = f32::cast_from(world.priorities[(link * 2u32) as usize]);
                if priority < lowest {
                    lowest = priority;
                    chosen = link;
                }
            }
        }
        if chosen == NONE {
            going = false;
        } else {
            let mut outcome = 0u32;
            if world.links[link_word(chosen, BUFFERED)] > 0u32 {
                outcome = move_first(world, now, node, chosen, fixed);
            }
            crossed += outcome / CROSSED_OVER;
            if (outcome & MOVED) != 0u32 {
                last_sent = world.priorities[(chosen * 2u32) as usize];
                world.priorities[(chosen * 2u32) as usize] =
                    last_sent + world.priorities[(chosen * 2u32 + 1u32) as usize];
            } else {
                capacity -= world.flows[link_real(chosen, CAPACITY)];
                world.links[link_word(chosen, CANDIDATE)] = 0u32;
            }
            if (outcome & JAMMED) != 0u32 {
                blocked = chosen;
                going = false;
            }
            if capacity <= NO_CAPACITY {
                going = false;
            }
        }
    }
    for link in first..end {
        if link != blocked && world.links[link_word(link, CANDIDATE)] == 0u32 {
            world.priorities[(link * 2u32) as usize] = last_sent + world.priorities[(link * 2u32 + 1u32) as usize];
        }
        world.priorities[(link * 2u32) as usize] -= last_sent;
    }
    crossed
}

/// Tries to move the first vehicle in the buffer of an in-link.
///
/// What a thread waits for is memory, so everything that is needed is asked for before any of it is used: first the record
/// of the vehicle, then, at once, the next link and what follows it on the route.
#[cube]
fn move_first(world: &mut World, now: &Now, node: u32, link: u32, #[comptime] fixed: Fixed) -> u32 {
    let person = world.links[link_word(link, BUFFER)];
    let last_moved = world.flows[link_real(link, LAST_MOVED)];
    let next = world.persons[person_word(person, NEXT_LINK)];
    let position = world.persons[person_word(person, POSITION)] + 1u32;
    let ahead_kind = world.persons[person_word(person, AHEAD_KIND)] - comptime!(1u32 << KIND_BITS);
    // Any link, where there is none to read.
    let at = select(next < NOWHERE, next, link);
    let from = world.links[link_word(at, FROM)];
    let queue_first = world.links[link_word(at, QUEUE)];
    let queue_last = world.links[link_word(at, QUEUE + 1u32)];
    let used = world.flows[link_real(at, USED)];
    let storage = world.flows[link_real(at, STORAGE)];
    let size = kind_real(world, ahead_kind, PCU);
    let mut speed = 0u32;
    if now.run.speeds > 1u32 {
        speed = u32::cast_from(kind_real(world, ahead_kind, SPEED_CLASS));
    }
    let travel_time = world.travel_times[(at * now.run.speeds + speed) as usize];
    let after = world.route_links[(position + 1u32) as usize];

    let connected = next < NOWHERE && from == node;
    let mut outcome = MOVED.runtime();
    if connected {
        let mut room = used < storage;
        if comptime!(fixed.has_waves()) {
            room = room && waves::accept(world, next, fixed);
        }
        let mut crosses = room;
        if !room {
            outcome = JAMMED.runtime();
            if now.time - last_moved > now.run.stuck_time_s {
                if now.run.remove_stuck != 0u32 {
                    count(world, REMOVED, 1u32);
                    remove(world, now, node, link, person, fixed);
                } else {
                    count(world, PUSHED, 1u32);
                    crosses = true;
                    outcome = MOVED | JAMMED;
                }
            }
        }
        if crosses {
            outcome |= CROSSED_OVER;
            world.flows[link_real(next, USED)] = used + size;
            pop_from_buffer(world, now, link, person, fixed);
            tell_crossing(world, now, node, link, next, person, fixed);
            world.persons[person_word(person, POSITION)] = position;
            world.persons[person_word(person, AHEAD_KIND)] = ahead_kind;
            enter(world, now, next, person, now.time + travel_time, queue_first, queue_last, fixed);
            // Comes from far away, and nothing else waits for it.
            world.persons[person_word(person, NEXT_LINK)] =
                select((ahead_kind >> KIND_BITS) > 0u32, after, ARRIVE.runtime());
        }
    } else {
        remove(world, now, node, link, person, fixed);
    }
    outcome
}

#[cube]
fn pop_from_buffer(world: &mut World, now: &Now, link: u32, person: u32, #[comptime] fixed: Fixed) {
    let left = world.links[link_word(link, BUFFERED)] - 1u32;
    remove_first(world, link, person, BUFFER);
    world.links[link_word(link, BUFFERED)] = left;
    world.flows[link_real(link, LAST_MOVED)] = now.time;
    if comptime!(fixed.fast_update) {
        world.flows[link_real(link, UPDATED_AT)] = now.time - now.run.step_s;
    }
    if left == 0u32 {
        world.flows[link_real(link, REST)] = world.flows[link_real(link, PER_STEP)];
    } else {
        recompute_rest(world, link);
    }
    if comptime!(fixed.volumes) {
        world.volumes[link as usize] += 1u32;
    }
    // There may be capacity again.
    world.due[link as usize].fetch_min(now.step);
}

/// Tells that the vehicle of `person` crosses from `link` to `next`.
#[cube]
fn tell_crossing(world: &mut World, now: &Now, node: u32, link: u32, next: u32, person: u32, #[comptime] fixed: Fixed) {
    if comptime!(fixed.record) {
        let teller = Teller { phase: PHASE_NODES.runtime(), owner: node };
        let place = take_places(world, 2u32);
        let vehicle = world.persons[person_word(person, VEHICLE)];
        write(world, now, &teller, place, what(EventKind::LeftLink, NO_MODE.runtime()), NONE, link, vehicle);
        write(world, now, &teller, place + 1u32, what(EventKind::EnteredLink, NO_MODE.runtime()), NONE, next, vehicle);
    }
}

/// A vehicle enters a link, whose queue begins and ends with the ones given, and whose end it reaches at `exit`.
#[cube]
fn enter(
    world: &mut World,
    now: &Now,
    link: u32,
    person: u32,
    exit: f64,
    queue_first: u32,
    queue_last: u32,
    #[comptime] fixed: Fixed,
) {
    world.times[person as usize] = exit;
    let mut wanted = NONE.runtime();
    if comptime!(fixed.passing) {
        queue::push(world, link, person, fixed);
        if queue::first(world, link, fixed) == person {
            wanted = u32::max(step_at(now, exit), now.step);
        }
    } else {
        world.persons[person_word(person, NEXT)] = NONE;
        if queue_first == NONE {
            world.links[link_word(link, QUEUE)] = person;
            wanted = u32::max(step_at(now, exit), now.step);
        } else {
            world.persons[person_word(queue_last, NEXT)] = person;
        }
        world.links[link_word(link, QUEUE + 1u32)] = person;
    }
    if comptime!(fixed.has_waves()) {
        let size = pcu(world, person);
        let flow = consumption(world, person);
        waves::enter(world, link, size, flow, fixed);
        wanted = now.step;
    }
    if wanted != NONE {
        world.due[link as usize].fetch_min(wanted);
    }
}

/// Takes the first vehicle in the buffer and its driver out of the simulation.
#[cube]
fn remove(world: &mut World, now: &Now, node: u32, link: u32, person: u32, #[comptime] fixed: Fixed) {
    pop_from_buffer(world, now, link, person, fixed);
    let teller = Teller { phase: PHASE_NODES.runtime(), owner: node };
    if comptime!(fixed.record) {
        let place = take_places(world, 1u32);
        let vehicle = world.persons[person_word(person, VEHICLE)];
        write(world, now, &teller, place, what(EventKind::LeftLink, NO_MODE.runtime()), NONE, link, vehicle);
    }
    let element = world.persons[person_word(person, ELEMENT)];
    let mode = world.plans[(element * PLAN_WORDS + CODE) as usize] & 0xFFu32;
    abort(world, now, &teller, person, link, mode, fixed);
}
