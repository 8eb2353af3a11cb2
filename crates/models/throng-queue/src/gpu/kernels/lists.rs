//! Linked lists through the records of persons: a link needs two words per list, and no list can overflow. The CPU
//! executor uses growing deques of vehicles instead.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::state::{DeviceState, StepParameters};

/// Returns the index of a word of a link.
#[cube]
pub fn link_word(link: u32, word: u32) -> usize {
    (link * LINK_WORDS + word) as usize
}

/// Returns the index of a word of a node.
#[cube]
pub fn node_word(node: u32, word: u32) -> usize {
    (node * NODE_WORDS + word) as usize
}

/// Returns the index of a real of a link.
#[cube]
pub fn link_real(link: u32, real: u32) -> usize {
    (link * LINK_REALS + real) as usize
}

/// Returns the index of the list of departures on a link in a step.
#[cube]
pub fn departures_at(params: &StepParameters, step: u32, link: u32) -> usize {
    ((step & 1u32) * params.run.links + link) as usize
}

/// Returns the index of a word of a person.
#[cube]
pub fn person_word(person: u32, word: u32) -> usize {
    (person * PERSON_WORDS + word) as usize
}

/// Appends a person to the list whose head is in the word `list` of the link.
#[cube]
pub fn append(state: &mut DeviceState, link: u32, person: u32, list: u32) {
    state.persons[person_word(person, NEXT)] = NONE;
    append_chain(state, link, person, person, list);
}

/// Appends a chain of linked persons to a list.
#[cube]
fn append_chain(state: &mut DeviceState, link: u32, from: u32, to: u32, list: u32) {
    let first = link_word(link, list);
    if state.links[first] == NONE {
        state.links[first] = from;
    } else {
        let last = state.links[first + 1];
        state.persons[person_word(last, NEXT)] = from;
    }
    state.links[first + 1] = to;
}

/// Prepends a person to a list.
#[cube]
pub fn prepend(state: &mut DeviceState, link: u32, person: u32, list: u32) {
    let first = link_word(link, list);
    let second = state.links[first];
    state.persons[person_word(person, NEXT)] = second;
    if second == NONE {
        state.links[first + 1] = person;
    }
    state.links[first] = person;
}

/// Removes the first person of a list, which is `person`.
#[cube]
pub fn remove_first(state: &mut DeviceState, link: u32, person: u32, list: u32) {
    state.links[link_word(link, list)] = state.persons[person_word(person, NEXT)];
}

/// Whether `a` departs before `b`: earlier due times first; ties go to the higher id. `by_stop`: `a` reaches the stop
/// before `b`, possibly in an earlier step.
#[cube]
fn departs_before(state: &DeviceState, a: u32, b: u32, #[comptime] by_stop: bool) -> bool {
    let (due_a, due_b) = (state.due_times[a as usize], state.due_times[b as usize]);
    let later_id = state.ranks[a as usize] > state.ranks[b as usize];
    let mut before = (due_a < due_b) || ((due_a == due_b) && later_id);
    if comptime!(by_stop) {
        let reached_a = state.persons[person_word(a, STOP_ORDER)];
        let reached_b = state.persons[person_word(b, STOP_ORDER)];
        before = reached_a < reached_b || (reached_a == reached_b && before);
    }
    before
}

/// The first and last person of a list, or `NONE`.
#[derive(CubeType, Clone, Copy)]
pub struct Ends {
    pub first: u32,
    pub last: u32,
}

/// Appends a person to a list that is not in the state.
#[cube]
pub fn join_chain(state: &mut DeviceState, chain: &mut Ends, person: u32) {
    state.persons[person_word(person, NEXT)] = NONE;
    if chain.last == NONE {
        chain.first = person;
    } else {
        state.persons[person_word(chain.last, NEXT)] = person;
    }
    chain.last = person;
}

/// Sorts a list of departures, which is in arbitrary order, and appends it to the waiting list of a link.
#[cube]
pub fn append_departures(state: &mut DeviceState, link: u32, arrived: u32) {
    let list = sorted(state, arrived, false);
    append_chain(state, link, list.first, list.last, WAITING);
}

/// Sorts a list with a bottom-up merge sort in place.
#[cube]
pub fn sorted(state: &mut DeviceState, unsorted: u32, #[comptime] by_stop: bool) -> Ends {
    let mut list = unsorted;
    let mut tail = unsorted;
    let mut width = 1u32.runtime();
    let mut merges = 2u32.runtime();
    // A single departure, by far the most frequent case, needs no sorting.
    if state.persons[person_word(list, NEXT)] == NONE {
        merges = 1u32;
    }
    while merges > 1u32 {
        let mut left = list;
        list = NONE;
        tail = NONE;
        merges = 0u32;
        while left != NONE {
            merges += 1u32;
            let mut right = left;
            let mut left_count = 0u32;
            while left_count < width && right != NONE {
                left_count += 1u32;
                right = state.persons[person_word(right, NEXT)];
            }
            let mut right_count = width;
            let mut merging = true;
            while merging {
                if right == NONE {
                    right_count = 0u32;
                }
                let mut from_left = left_count > 0u32;
                if left_count > 0u32 && right_count > 0u32 {
                    from_left = !departs_before(state, right, left, by_stop);
                }
                if left_count == 0u32 && right_count == 0u32 {
                    merging = false;
                } else {
                    let mut taken = right;
                    if from_left {
                        taken = left;
                        left = state.persons[person_word(left, NEXT)];
                        left_count -= 1u32;
                    } else {
                        right = state.persons[person_word(right, NEXT)];
                        right_count -= 1u32;
                    }
                    if tail == NONE {
                        list = taken;
                    } else {
                        state.persons[person_word(tail, NEXT)] = taken;
                    }
                    tail = taken;
                }
            }
            left = right;
        }
        state.persons[person_word(tail, NEXT)] = NONE;
        width *= 2u32;
    }
    Ends { first: list, last: tail }
}
