//! The sort of eight keys without branches (appendix D of the paper), and the contents of direction keys.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::cubecl::{self, prelude::*};
use throng_pedestrians::rules::direction::DIRECTIONS;

/// The paper's 21 exchanges: after each, the first of the two keys is the larger one.
pub const EXCHANGES: [[usize; 2]; 21] = [
    [0, 1],
    [2, 3],
    [4, 5],
    [6, 7],
    [0, 2],
    [1, 3],
    [1, 2],
    [4, 6],
    [5, 7],
    [5, 6],
    [0, 4],
    [3, 7],
    [3, 6],
    [2, 6],
    [1, 4],
    [1, 5],
    [2, 3],
    [4, 5],
    [2, 4],
    [3, 5],
    [3, 4],
];

/// Sorts keys in descending order.
pub fn sort(keys: &mut [i32; DIRECTIONS as usize]) {
    for [first, second] in EXCHANGES {
        let (a, b) = (keys[first], keys[second]);
        keys[first] = a.max(b);
        keys[second] = a.min(b);
    }
}

/// The turns to the left, in units of 45°, for ranks 0 to 7 in a [`key`](throng_pedestrians::rules::decision::key) of
/// pedestrians that prefer the left; three bits each.
const TURNS: u32 = 4 | (5 << 3) | (3 << 6) | (6 << 9) | (2 << 12) | (7 << 15) | (1 << 18);

/// The score in a key.
#[cube]
#[inline]
pub fn score_of(key: i32) -> i32 {
    key >> 3i32
}

/// The direction of a key, as a number of 45° turns to the left of the wanted heading.
#[cube]
#[inline]
pub fn turns_of(key: i32, prefers_right: u32) -> u32 {
    let from = (TURNS >> (3u32 * (key as u32 & 7u32))) & 7u32;
    select(prefers_right == 1u32, (8u32 - from) & 7u32, from)
}

#[cfg(test)]
mod tests {
    use throng_pedestrians::rules::decision::key;

    use super::*;

    /// A network that sorts all sequences of zeros and ones sorts all inputs.
    #[test]
    fn the_papers_exchanges_sort_all_zeros_and_ones() {
        for bits in 0..256 {
            let mut keys = std::array::from_fn(|index| (bits >> index) & 1);
            sort(&mut keys);
            assert!(keys.is_sorted_by(|a, b| a >= b), "{bits:08b}: {keys:?}");
        }
    }

    #[test]
    fn a_key_is_decoded_into_its_parts() {
        for score in [-70_000, -1, 0, 1, 99_999] {
            for turns in 0..8 {
                for prefers_right in 0..2 {
                    let key = key(score, turns, prefers_right);
                    assert_eq!((score_of(key), turns_of(key, prefers_right)), (score, turns));
                }
            }
        }
    }
}
