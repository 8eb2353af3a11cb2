//! Queues in which vehicles pass each other. They are heaps that move their elements as `java.util.PriorityQueue` does,
//! because the order of vehicles with equal exit times depends on the shape of the heap.
//!
//! A heap is a tree of slots. Each vehicle contributes one slot, which becomes the last one of the heap; a vehicle that
//! leaves takes the slot that becomes free. Hence heaps cannot overflow, and no memory is allocated.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::lists::{link_word, person_word};
use super::state::DeviceState;

#[cube]
fn slot_word(slot: u32, word: u32) -> usize {
    (slot * HEAP_SLOT_WORDS + word) as usize
}

/// Returns the vehicle that leaves next, or `NONE`.
#[cube]
pub fn first(state: &DeviceState, link: u32) -> u32 {
    let root = state.links[link_word(link, QUEUE)];
    let mut found = root;
    if root != NONE {
        found = state.heap[slot_word(root, OCCUPANT)];
    }
    found
}

/// Adds a vehicle. Slots have no link to their parent, unlike the elements of the CPU's array, so that it sifts from
/// the root down. Position `n` of a heap, counted from 1, is reached from the root by the bits of `n` after the
/// first.
#[cube]
pub fn push(state: &mut DeviceState, link: u32, person: u32) {
    let slot = state.persons[person_word(person, HEAP_SLOT)];
    let position = state.links[link_word(link, DRIVING)] + 1u32;
    state.links[link_word(link, DRIVING)] = position;
    state.heap[slot_word(slot, LEFT)] = NONE;
    state.heap[slot_word(slot, RIGHT)] = NONE;
    let mut carried = person;
    if position == 1u32 {
        state.links[link_word(link, QUEUE)] = slot;
    } else {
        // All vehicles on the path to the new position that are behind the last one with an earlier or equal exit time
        // move down by one, which is the same as sifting up from the new slot. Times need not increase along the path:
        // that of a vehicle at a blocking stop rises while it is the first.
        let stay = vehicles_that_stay(state, link, position, state.due_times[person as usize]);
        let mut at = state.links[link_word(link, QUEUE)];
        let mut depth = 0u32.runtime();
        let mut bit = 31u32 - u32::leading_zeros(position);
        while bit > 0u32 {
            bit -= 1u32;
            depth += 1u32;
            if depth > stay {
                let occupant = state.heap[slot_word(at, OCCUPANT)];
                state.heap[slot_word(at, OCCUPANT)] = carried;
                carried = occupant;
            }
            let side = (position >> bit) & 1u32;
            if bit == 0u32 {
                state.heap[slot_word(at, side)] = slot;
            } else {
                at = state.heap[slot_word(at, side)];
            }
        }
    }
    state.heap[slot_word(slot, OCCUPANT)] = carried;
}

/// Returns the number of vehicles on the path from the root to a new position that keep their slots: up to the last one
/// that does not leave later than `exit`, seconds of the day.
#[cube]
fn vehicles_that_stay(state: &DeviceState, link: u32, position: u32, exit: f64) -> u32 {
    let mut stay = 0u32.runtime();
    let mut depth = 0u32.runtime();
    let mut at = state.links[link_word(link, QUEUE)];
    let mut bit = 31u32 - u32::leading_zeros(position);
    while bit > 0u32 {
        bit -= 1u32;
        depth += 1u32;
        if state.due_times[state.heap[slot_word(at, OCCUPANT)] as usize] <= exit {
            stay = depth;
        }
        if bit > 0u32 {
            at = state.heap[slot_word(at, (position >> bit) & 1u32)];
        }
    }
    stay
}

/// Removes the vehicle that leaves next, which is `person`.
#[cube]
pub fn pop(state: &mut DeviceState, link: u32, person: u32) {
    let position = state.links[link_word(link, DRIVING)];
    state.links[link_word(link, DRIVING)] = position - 1u32;
    let root = state.links[link_word(link, QUEUE)];
    if position == 1u32 {
        state.links[link_word(link, QUEUE)] = NONE;
        state.persons[person_word(person, HEAP_SLOT)] = root;
    } else {
        let mut parent = root;
        let mut bit = 31u32 - u32::leading_zeros(position) - 1u32;
        while bit > 0u32 {
            parent = state.heap[slot_word(parent, (position >> bit) & 1u32)];
            bit -= 1u32;
        }
        let last = state.heap[slot_word(parent, position & 1u32)];
        state.heap[slot_word(parent, position & 1u32)] = NONE;
        let moved = state.heap[slot_word(last, OCCUPANT)];
        state.persons[person_word(person, HEAP_SLOT)] = last;

        let mut at = root;
        let mut sinking = true;
        while sinking {
            let mut smaller = state.heap[slot_word(at, LEFT)];
            if smaller == NONE {
                sinking = false;
            } else {
                let mut occupant = state.heap[slot_word(smaller, OCCUPANT)];
                let right = state.heap[slot_word(at, RIGHT)];
                if right != NONE {
                    let other = state.heap[slot_word(right, OCCUPANT)];
                    if state.due_times[occupant as usize] > state.due_times[other as usize] {
                        smaller = right;
                        occupant = other;
                    }
                }
                if state.due_times[moved as usize] <= state.due_times[occupant as usize] {
                    sinking = false;
                } else {
                    state.heap[slot_word(at, OCCUPANT)] = occupant;
                    at = smaller;
                }
            }
        }
        state.heap[slot_word(at, OCCUPANT)] = moved;
    }
}
