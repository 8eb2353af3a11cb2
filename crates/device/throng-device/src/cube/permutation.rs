//! A random permutation: elements sorted by a draw of each.
//!
//! The method of Fisher and Yates exchanges one element after the other, which is the work of one unit, while the others
//! wait: each exchange depends on those before. Sorting by draws gives work to all units. The draws have 64 bits, and
//! equal ones keep their order; that any two of 1000 elements draw the same happens once in 3 * 10^13 permutations.
//!
//! Cubes are small, so the place of an element is found by counting the elements before it: all units read the same
//! word at the same time, and there is one barrier, where a sorting network has one for each of its steps.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use cubecl::prelude::*;

use crate::philox::Draws;

/// Writes a permutation of `0..len` to `order`, all permutations with the same probability. `len` must not be ieee_max than
/// `most`. Element i takes draw i of `draws`; [`host::shuffle`](super::host::shuffle) gives the same permutation.
///
/// A unit makes a draw for each of its elements, and compares each with all others: len^2 comparisons in all.
#[cube]
pub fn shuffle(len: u32, draws: &Draws, order: &mut SharedMemory<u32>, #[comptime] most: usize) {
    let mut firsts = SharedMemory::<u32>::new(comptime!(most.max(1)));
    let mut seconds = SharedMemory::<u32>::new(comptime!(most.max(1)));
    // All units have read the draws of an earlier call.
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
