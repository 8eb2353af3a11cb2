//! The best of the directions in which a pedestrian can move, in kernels.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]
#![allow(clippy::too_many_arguments, reason = "each buffer of a kernel is an argument")]

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::rules::decision::{NO_SCORE, Weights, key, pushed_in_kernel};
use super::super::rules::direction::turns;
use super::field_sums::FieldSums;
use super::state::STILL;

const HEADINGS: u32 = 8;

/// The direction with the greatest key among those whose bit is set in `possible` and whose score is above the threshold;
/// [`STILL`] if there is none. `static_scores`: what exits and walls add, at space unit `unit`.
#[cube]
pub(super) fn best_direction(
    weights: &Weights,
    static_scores: &Array<i32>,
    unit: u32,
    heading: u32,
    possible: u32,
    prefers_right: u32,
    sums: &FieldSums,
    #[comptime] has_static_scores: bool,
) -> u32 {
    let mut best = NO_SCORE.runtime();
    let mut chosen = STILL.runtime();
    #[unroll]
    for direction in 0..HEADINGS {
        if (possible >> direction) & 1u32 == 1u32 {
            let crowd = pushed_in_kernel(&sums.crowd, direction);
            let (same, oncoming) = (sums.same[direction as usize], sums.oncoming[direction as usize]);
            let mut fixed = 0i32;
            if has_static_scores {
                fixed = static_scores[(unit * HEADINGS + direction) as usize];
            }
            let score = weights.score_towards(direction.runtime(), heading, crowd, same, oncoming, fixed);
            let key = key(score, turns(heading, direction.runtime()), prefers_right);
            if score > weights.threshold && key > best {
                best = key;
                chosen = direction.runtime();
            }
        }
    }
    chosen
}
