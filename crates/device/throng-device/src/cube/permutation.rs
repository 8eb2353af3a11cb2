//! A random permutation: elements sorted by one random draw each.
//!
//! The Fisher-Yates shuffle swaps one element after the other. Each swap depends on the previous ones, so only one unit
//! would work. Sorting by draws keeps all units busy. The draws have 64 bits, and ties keep their order; among 1000
//! elements, two draw the same value once in 4 * 10^13 permutations.
//!
//! Cubes are small, so the position of an element is found by counting the elements before it: all units read the same
//! word at the same time, and there is one barrier, where a sorting network has one per step.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use cubecl::prelude::*;

use crate::philox::Draws;

/// Writes a uniformly random permutation of `0..len` to `order`; `len` is at most `max_len`. Element i uses draw i of
/// `draws`; [`host::shuffle`](super::host::shuffle) returns the same permutation.
///
/// Each unit makes a draw for each of its elements, and compares each with all others: len^2 comparisons in total.
#[cube]
pub fn shuffle(len: u32, draws: &Draws, order: &mut SharedMemory<u32>, #[comptime] max_len: usize) {
    let mut firsts = SharedMemory::<u32>::new(comptime!(max_len.max(1)));
    let mut seconds = SharedMemory::<u32>::new(comptime!(max_len.max(1)));
    // Waits until all units have read the draws of an earlier call.
    sync_cube();
    let mut i = UNIT_POS;
    while i < len {
        let drawn = draws.words(i);
        firsts[i as usize] = drawn.first;
        seconds[i as usize] = drawn.second;
        i += CUBE_DIM;
    }
    sync_cube();
    let mut i = UNIT_POS;
    while i < len {
        let first = firsts[i as usize];
        let mut place = 0u32.runtime();
        for other in 0..len {
            let first_of_other = firsts[other as usize];
            if first_of_other < first {
                place += 1u32;
            } else if first_of_other == first {
                let second = seconds[i as usize];
                let second_of_other = seconds[other as usize];
                if second_of_other < second || (second_of_other == second && other < i) {
                    place += 1u32;
                }
            }
        }
        order[place as usize] = i;
        i += CUBE_DIM;
    }
    sync_cube();
}
