//! The keys of the eight directions, sorted by the paper's exchanges or by a general sort.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_pedestrians::rules::decision::{key, pressure};
use throng_pedestrians::rules::direction::{DIRECTIONS, turns};
use throng_pedestrians::rules::sums::zeros;

use super::Parameters;
use crate::yu::numbers::NOT_STORED;
use crate::yu::sorting::EXCHANGES;
use crate::yu::techniques::{Technique, Techniques};

/// Computes the keys of the eight directions, in descending order.
#[cube]
pub fn sort_keys(
    params: &Parameters,
    fields: &Array<i32>,
    keys: &mut SliceMut<i32>,
    unit: u32,
    heading: u32,
    prefers_right: u32,
    #[comptime] techniques: Techniques,
) {
    let branch_free = comptime!(techniques.has(Technique::Divergence));
    let mut crowd = zeros();
    #[unroll]
    for direction in 0..DIRECTIONS {
        crowd.set(direction, fields[params.index(direction.runtime(), params.stored(), unit)]);
    }
    #[unroll]
    for direction in 0..DIRECTIONS {
        let pushed = pressure(&crowd, direction);
        let number = params.numbers.same(heading, direction.runtime());
        let same = number_or_zero(params, fields, number, unit, branch_free);
        let number = params.numbers.oncoming(heading, direction.runtime());
        let oncoming = number_or_zero(params, fields, number, unit, branch_free);
        let score = params.weights.score_towards(direction.runtime(), heading, pushed, same, oncoming, 0i32);
        keys[direction as usize] = key(score, turns(heading, direction.runtime()), prefers_right);
    }
    if comptime!(techniques.has(Technique::Sorting)) {
        exchange_all(keys);
    } else {
        quick_sort(keys);
    }
}

/// A stored number of a space unit; 0 if it is not stored.
#[cube]
fn number_or_zero(
    params: &Parameters,
    fields: &Array<i32>,
    number: u32,
    unit: u32,
    #[comptime] branch_free: bool,
) -> i32 {
    let is_stored = number != NOT_STORED;
    if comptime!(branch_free) {
        let read = fields[params.index(select(is_stored, number, 0u32), params.stored(), unit)];
        select(is_stored, read, 0i32)
    } else {
        let mut found = 0i32;
        if is_stored {
            found = fields[params.index(number, params.stored(), unit)];
        }
        found
    }
}

/// Appendix D.
#[cube]
fn exchange_all(keys: &mut SliceMut<i32>) {
    #[unroll]
    for exchange in 0..comptime!(EXCHANGES.len() as u32) {
        let (first, second) = comptime!((EXCHANGES[exchange as usize][0], EXCHANGES[exchange as usize][1]));
        let (a, b) = (keys[first], keys[second]);
        keys[first] = max(a, b);
        keys[second] = min(a, b);
    }
}

/// A general quicksort, as in the paper's first program, with a stack of ranges instead of recursion.
#[allow(clippy::identity_op, reason = "in kernels, the sum is a variable of its own")]
#[cube]
fn quick_sort(keys: &mut SliceMut<i32>) {
    // First and last index of each range. Ranges on the stack are disjoint and have at least two of the eight keys.
    let mut ranges = Array::<u32>::new(8usize);
    ranges[0] = 0u32;
    ranges[1] = comptime!(DIRECTIONS - 1).runtime();
    let mut count = 1u32.runtime();
    while count > 0u32 {
        count -= 1u32;
        let (first, last) = (ranges[(2u32 * count) as usize], ranges[(2u32 * count + 1u32) as usize]);
        let pivot = keys[last as usize];
        let mut boundary = first + 0u32;
        for at in first..last {
            let key = keys[at as usize];
            if key > pivot {
                keys[at as usize] = keys[boundary as usize];
                keys[boundary as usize] = key;
                boundary += 1u32;
            }
        }
        keys[last as usize] = keys[boundary as usize];
        keys[boundary as usize] = pivot;
        if boundary > first + 1u32 {
            ranges[(2u32 * count) as usize] = first;
            ranges[(2u32 * count + 1u32) as usize] = boundary - 1u32;
            count += 1u32;
        }
        if boundary + 1u32 < last {
            ranges[(2u32 * count) as usize] = boundary + 1u32;
            ranges[(2u32 * count + 1u32) as usize] = last;
            count += 1u32;
        }
    }
}
