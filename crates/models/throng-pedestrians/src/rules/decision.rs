//! Decisions of pedestrians: scores of the eight directions.
//!
//! The paper (Yu et al.) sorts the strengths of eight directions and tries them in this order. The formula of a score
//! is Throng's own, because the paper refers to an earlier one that could not be obtained.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(clippy::collapsible_if, reason = "in a kernel the right side of `&&` always runs")]

use throng_device::KernelParameter;
use throng_device::cubecl::{self, prelude::*};

use super::diagonal::blocked_diagonals;
use super::direction::{DIRECTIONS, NONE, angle, packed, turned, turns};
use super::draws::Drawn;
use super::fixed::{COSINE_45, ONE, scaled};
use super::floor::Around;
use super::sums::{ByDirection, Sums};
use super::vote::asks_exchange;

/// Sentinel for a [`key()`] before any direction has been considered; all keys are greater.
pub const NO_SCORE: i32 = i32::MIN;

/// Weights of the terms of a score, and the threshold; fixed-point numbers.
#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Weights {
    /// Weight of the desired heading.
    pub heading: i32,
    /// Weight of RR: away from others of any heading.
    pub crowd: i32,
    /// Weight of DA: towards others with the same heading.
    pub same: i32,
    /// Weight of DR: away from others with the opposite heading.
    pub oncoming: i32,
    /// Weight of the direction to the right of the desired heading, so that streams pass each other on one side.
    pub side: i32,
    /// Threshold: a direction is taken only if its score is above this.
    pub threshold: i32,
}

/// Returns the cosine of an angle of 0 to 4 times 45°.
#[cube]
#[inline]
pub fn cosine(angle: u32) -> i32 {
    let beside = select(angle == 1u32, COSINE_45, select(angle == 3u32, -COSINE_45, 0));
    select(angle == 0u32, ONE, select(angle == 4u32, -ONE, beside))
}

/// Projects the field strengths of the eight sectors onto a direction: the sum of each strength times the cosine
/// between its sector and the direction. Each argument is a strength minus the strength of the opposite sector: `ahead`
/// in the direction itself, `left` and `right` in the sectors next to it.
#[cube]
#[inline]
pub fn projection(ahead: i32, left: i32, right: i32) -> i32 {
    ahead + scaled(left + right, COSINE_45)
}

/// Returns the [`projection()`] of the field strengths of the eight sectors onto a direction.
#[cube]
#[inline]
pub fn pressure(sums: &ByDirection, #[comptime] direction: u32) -> i32 {
    projection(
        sums.at(direction) - sums.at(comptime!((direction + 4) % 8)),
        sums.at(comptime!((direction + 1) % 8)) - sums.at(comptime!((direction + 5) % 8)),
        sums.at(comptime!((direction + 7) % 8)) - sums.at(comptime!((direction + 3) % 8)),
    )
}

#[cube]
impl Weights {
    /// Returns the score of a direction for a pedestrian with a heading; `crowd`, `same`, `oncoming` and `fixed` as for
    /// [`score`](Self::score).
    #[inline]
    pub fn score_towards(&self, direction: u32, heading: u32, crowd: i32, same: i32, oncoming: i32, fixed: i32) -> i32 {
        let right = turned(heading, 6u32);
        self.score(angle(heading, direction), angle(right, direction), crowd, same, oncoming, fixed)
    }

    /// Returns the score of a direction. `angle`: between the direction and the desired heading, in units of 45°;
    /// `from_right`: between the direction and the right of that heading. `crowd`: the [`projection()`] of the field
    /// strengths of others onto the direction. `same` and `oncoming`: strengths of others with the same and with
    /// opposite headings, in the sector of the direction. `fixed`: the score from exits and walls.
    #[inline]
    pub fn score(&self, angle: u32, from_right: u32, crowd: i32, same: i32, oncoming: i32, fixed: i32) -> i32 {
        let mut score = scaled(cosine(angle), self.heading) - scaled(crowd, self.crowd) + fixed;
        score += scaled(cosine(from_right), self.side);
        if angle <= 1u32 {
            score += scaled(same, self.same);
        }
        if angle <= 2u32 {
            score -= scaled(oncoming, self.oncoming);
        }
        score
    }
}

/// Ranks of directions by left turns from the desired heading: straight on, half left, half right, left, right, and so
/// on to backwards.
const RANKS: u32 = packed([7, 6, 4, 2, 0, 1, 3, 5], 3);

/// Returns the key by which directions are tried, the largest first: by score, and for equal scores in an order that
/// depends on the side that the pedestrian prefers. `turns`: left turns by 45° from the desired heading. The keys of
/// different directions differ.
#[cube]
#[inline]
pub fn key(score: i32, turns: u32, prefers_right: u32) -> i32 {
    let from = select(prefers_right == 1u32, (8u32 - turns) & 7u32, turns);
    score * 8 + ((RANKS >> (3u32 * from)) & 7u32) as i32
}

/// View of a deciding pedestrian.
#[cube]
pub trait PedestrianView {
    /// Neighbouring space units that the pedestrian can enter, and walls.
    fn around(&self) -> Around;
    /// Random draws of the pedestrian in this tick.
    fn drawn(&self) -> Drawn;
    /// Sums of field strengths at the space unit where the pedestrian reads them.
    fn sums(&mut self) -> Sums;
    /// Contribution of exits and walls to the score of a direction at that space unit.
    fn static_score(&self, #[comptime] direction: u32) -> i32;
}

/// The decision of a pedestrian.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// The direction in which the pedestrian wants to move; [`NONE`] if it stays.
    pub direction: u32,
    /// Whether the pedestrian wants to exchange positions with the one in that direction.
    pub exchanges: bool,
    /// Priority of the pedestrian; meaningful only if it wants to move.
    pub priority: u32,
}

/// Decides for a pedestrian with a heading: it enters the space unit in the best direction, or, if it cannot move and
/// there are `exchanges`, it exchanges places with the pedestrian straight ahead.
#[cube]
#[inline]
pub fn decide<P: PedestrianView>(
    pedestrian: &mut P,
    weights: &Weights,
    heading: u32,
    #[comptime] exchanges: bool,
) -> Decision {
    let around = pedestrian.around();
    let mut decision = Decision { direction: NONE.runtime(), exchanges: false.runtime(), priority: 0u32.runtime() };
    if comptime!(exchanges) || around.free != 0u32 {
        let drawn = pedestrian.drawn();
        let sums = pedestrian.sums();
        let possible = around.free & !blocked_diagonals(around.walls);
        let best = best_direction::<P>(pedestrian, weights, &sums, heading, possible, drawn.prefers_right);
        decision.direction = best;
        decision.priority = drawn.priority;
        if exchanges {
            if best == NONE && asks_exchange(heading, around.free, around.walls) {
                decision.direction = heading;
                decision.exchanges = true.runtime();
            }
        }
    }
    decision
}

/// Returns the direction with the largest [`key()`] among those whose bit is set in `possible` and whose score is above
/// the threshold; [`NONE`] if there is none.
#[cube]
#[inline]
fn best_direction<P: PedestrianView>(
    pedestrian: &P,
    weights: &Weights,
    sums: &Sums,
    heading: u32,
    possible: u32,
    prefers_right: u32,
) -> u32 {
    let mut best = NO_SCORE.runtime();
    let mut chosen = NONE.runtime();
    #[unroll]
    for direction in 0..DIRECTIONS {
        if (possible >> direction) & 1u32 == 1u32 {
            let crowd = pressure(&sums.crowd, direction);
            let (same, oncoming) = (sums.same.at(direction), sums.oncoming.at(direction));
            let fixed = pedestrian.static_score(direction);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_scores_are_tried_from_the_front_to_the_back() {
        let order = |prefers_right: u32| {
            let mut directions: Vec<u32> = (0..8).collect();
            directions.sort_by_key(|&direction| -key(5, turns(2, direction), prefers_right));
            directions
        };
        assert_eq!(order(0), [2, 3, 1, 4, 0, 5, 7, 6]);
        assert_eq!(order(1), [2, 1, 3, 0, 4, 7, 5, 6]);
        assert!(key(6, 4, 0) > key(5, 0, 0) && key(-6, 0, 0) < key(-5, 4, 0));
    }

    #[test]
    fn one_source_pushes_by_the_cosine() {
        for source in 0..8u32 {
            for direction in 0..8u32 {
                let of =
                    |sector: u32| i32::from(sector & 7 == source) * ONE - i32::from((sector + 4) & 7 == source) * ONE;
                let push = projection(of(direction), of(direction + 1), of(direction + 7));
                let sums = ByDirection(std::array::from_fn(|sector| i32::from(sector as u32 == source) * ONE));
                assert_eq!(pressure(&sums, direction), push, "{source} {direction}");
                assert!((push - cosine(angle(source, direction))).abs() <= 1, "{source} {direction}");
            }
        }
    }

    #[test]
    fn scores_match_values_computed_by_hand() {
        let weights = Weights { heading: ONE, crowd: 3277, same: 1311, oncoming: 6554, side: 0, threshold: 0 };
        // 1 - 0.05 * 2 + 0.02 * 1 - 0.10 * 3, in 65536ths, each product rounded down.
        assert_eq!(weights.score(0, 2, 2 * ONE, ONE, 3 * ONE, 0), 65_536 - 6554 + 1311 - 19_662);
        // Beyond 45° the strength of the same heading does not count, beyond 90° that of oncoming ones does not either.
        assert_eq!(weights.score(2, 0, 0, ONE, ONE, 7), -6554 + 7);
        assert_eq!(weights.score(3, 1, 0, ONE, ONE, 0), -COSINE_45);
        // The same by directions: north-east is 45° off a heading to the north and off its right, west 90° and 180°.
        assert_eq!(weights.score_towards(1, 2, 0, 0, 0, 0), weights.score(1, 1, 0, 0, 0, 0));
        assert_eq!(weights.score_towards(4, 2, 0, ONE, ONE, 7), weights.score(2, 4, 0, ONE, ONE, 7));
        // A tenth to the right, rounded down on both sides.
        let right = Weights { side: 6554, ..weights };
        assert_eq!([0, 2, 4].map(|from_right| right.score(2, from_right, 0, 0, 0, 0)), [6554, 0, -6554]);
    }
}
