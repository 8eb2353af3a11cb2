//! The best of the directions in which a pedestrian can move.

use super::fields::Sums;
use super::rules::decision::{NO_SCORE, Weights, key, pushed};
use super::rules::direction::{DIRECTIONS, turns};

/// What a pedestrian decides by.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings<'s> {
    pub heading: u32,
    pub sums: Sums,
    /// What exits and walls add to the scores of the eight directions, if they do.
    pub static_scores: Option<&'s [i32]>,
    /// The directions in which it can move, a bit for each.
    pub possible: u32,
    /// 1 if it prefers the right of two directions that are equally good.
    pub prefers_right: u32,
}

/// The possible direction with the greatest key among those whose score is above the threshold.
pub fn best_direction(weights: &Weights, surroundings: &Surroundings<'_>) -> Option<u32> {
    let Surroundings { heading, sums, static_scores, possible, prefers_right } = *surroundings;
    let (mut best, mut chosen) = (NO_SCORE, None);
    for direction in (0..DIRECTIONS).filter(|&direction| possible >> direction & 1 == 1) {
        let crowd = pushed(&sums.crowd, direction);
        let [same, oncoming] = [sums.same, sums.oncoming].map(|of| of[direction as usize]);
        let fixed = static_scores.map_or(0, |scores| scores[direction as usize]);
        let score = weights.score_towards(direction, heading, crowd, same, oncoming, fixed);
        let key = key(score, turns(heading, direction), prefers_right);
        if score > weights.threshold && key > best {
            (best, chosen) = (key, Some(direction));
        }
    }
    chosen
}
