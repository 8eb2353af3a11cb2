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

/// Adds a vehicle. It sifts from the root down, because slots have no link to their parent, unlike the CPU's array.
/// Position `n` of a heap, counted from 1, is reached from the root by the bits of `n` after the first.
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
        // Walks down from the root to the new position. Starting with the first vehicle with a later exit time, all
        // vehicles on the path move down by one. Times increase along the path, so the result is the same as sifting up
        // from the new slot.
        let mut at = state.links[link_word(link, QUEUE)];
        let mut displaces = false;
        let mut bit = 31u32 - u32::leading_zeros(position);
        while bit > 0u32 {
            bit -= 1u32;
            let occupant = state.heap[slot_word(at, OCCUPANT)];
            if !displaces {
                displaces = state.due_times[carried as usize] < state.due_times[occupant as usize];
            }
            if displaces {
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
