//! Votes: the choice among pedestrians that want to enter the same space unit.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(clippy::collapsible_if, reason = "in a kernel the right side of `&&` always runs")]

use throng_device::cubecl::{self, prelude::*};

use super::diagonal::blocked_diagonals;
use super::direction::{DIRECTIONS, turned};
use super::floor::EMPTY;
use super::grid::{Grid, NOWHERE};

/// Purpose of the random draws of a tick. The block of a pedestrian, a tick and this purpose contains its
/// [`priority()`] in the first word, and in bit 0 of the second whether it prefers the right of two equally good
/// directions. They depend on nothing else, so the pedestrian with the overall highest priority gets any space unit
/// that it wants.
pub const TICK: u32 = 0;

/// Computes the priority from a random word: 28 bits, so that it fits into a word together with an intent.
#[cube]
#[inline]
pub fn priority(drawn: u32) -> u32 {
    drawn >> 4u32
}

/// Whether a candidate beats the best one so far. Ties go to the lower index.
#[cube]
#[inline]
pub fn beats(priority: u32, pedestrian: u32, best_priority: u32, best: u32) -> bool {
    priority > best_priority || (priority == best_priority && pedestrian < best)
}

/// Whether a pedestrian that cannot move requests an exchange of places: another pedestrian is straight ahead, but not
/// diagonally between two walls. `free` and `walls`: the directions of space units that can be entered, and of walls, a
/// bit for each. The request may also target an empty space unit that cannot be entered yet; it has no effect there,
/// since an exchange takes two requests.
#[cube]
#[inline]
pub fn asks_exchange(heading: u32, free: u32, walls: u32) -> bool {
    ((free | walls | blocked_diagonals(walls)) >> heading) & 1u32 == 0u32
}

/// Whether two neighbouring pedestrians exchange their places: each wants to move to the position of the other.
/// `direction` and `other` are their directions, or [`NONE`](super::direction::NONE).
#[cube]
#[inline]
pub fn exchange(direction: u32, other: u32) -> bool {
    turned(direction, 4u32) == other
}

/// Returns the ticks from a step to the next possible step of a pedestrian. With `equal_speeds`, a diagonal step takes
/// 1.41 times as long as one along an axis, rounded, in proportion to its length.
#[cube]
#[inline]
pub fn pause(period: u32, direction: u32, #[comptime] equal_speeds: bool) -> u32 {
    let mut ticks = period;
    if equal_speeds {
        ticks = select(direction & 1u32 == 1u32, (period * 141u32 + 50u32) / 100u32, period);
    }
    ticks
}

/// Returns the tick in which a pedestrian that made a step is due again. `times`: factor on the duration of the step, 1
/// except for exchanges of places. Opposite directions take equally long.
#[cube]
#[inline]
pub fn due_after(tick: u32, period: u32, direction: u32, times: u32, #[comptime] equal_speeds: bool) -> u32 {
    tick + pause(period, direction, equal_speeds) * times
}

/// View of the candidates for space units.
#[cube]
pub trait CandidatesView {
    /// Word of the pedestrian in space unit `from` that wants to step in a direction, or [`EMPTY`] if there is none, as
    /// for [`NOWHERE`].
    fn candidate(&mut self, from: u32, direction: u32) -> u32;
    /// Index of the pedestrian in a word.
    fn number(&self, candidate: u32) -> u32;
    /// Priority of a pedestrian; if priorities are known, the priority of the last candidate.
    fn priority(&self, candidate: u32) -> u32;
}

/// The best candidate so far.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Winner {
    /// Word of the pedestrian, or [`EMPTY`].
    pub pedestrian: u32,
    /// Space unit where the pedestrian is.
    pub from: u32,
    /// Direction of its step.
    pub direction: u32,
    priority: u32,
}

/// Sentinel for a [`priority()`] that has not been drawn.
const NOT_DRAWN: u32 = u32::MAX;

/// All directions in which candidates may arrive.
pub const ANY: u32 = (1 << DIRECTIONS) - 1;

/// Returns the pedestrian that enters the empty space unit at `x`, `y`: the candidate with the highest priority.
/// `coming`: the directions in which candidates may arrive, a bit for each. `known`: whether priorities are known with
/// the candidates; otherwise they are drawn only where two candidates meet, which is rare.
#[cube]
#[inline]
pub fn winner<C: CandidatesView>(
    candidates: &mut C,
    grid: &Grid,
    x: i32,
    y: i32,
    coming: u32,
    #[comptime] known: bool,
) -> Winner {
    let mut winner = Winner {
        pedestrian: EMPTY.runtime(),
        from: NOWHERE.runtime(),
        direction: 0u32.runtime(),
        priority: NOT_DRAWN.runtime(),
    };
    // Draws take many instructions, so a loop with draws is better not unrolled.
    if known {
        #[unroll]
        for direction in 0..DIRECTIONS {
            if (coming >> direction) & 1u32 == 1u32 {
                consider::<C>(&mut winner, candidates, grid, x, y, direction.runtime(), known);
            }
        }
    } else {
        for direction in 0..DIRECTIONS {
            if (coming >> direction) & 1u32 == 1u32 {
                consider::<C>(&mut winner, candidates, grid, x, y, direction, known);
            }
        }
    }
    winner
}

/// Considers the candidate that steps in a direction.
#[cube]
#[inline]
fn consider<C: CandidatesView>(
    winner: &mut Winner,
    candidates: &mut C,
    grid: &Grid,
    x: i32,
    y: i32,
    direction: u32,
    #[comptime] known: bool,
) {
    let from = grid.neighbour(x, y, turned(direction, 4u32));
    let candidate = candidates.candidate(from, direction);
    if candidate != EMPTY {
        let mut wins = winner.pedestrian == EMPTY;
        let mut own = NOT_DRAWN.runtime();
        if comptime!(known) || !wins {
            own = candidates.priority(candidate);
        }
        if !wins {
            if comptime!(!known) {
                if winner.priority == NOT_DRAWN {
                    winner.priority = candidates.priority(winner.pedestrian);
                }
            }
            let (number, best) = (candidates.number(candidate), candidates.number(winner.pedestrian));
            wins = beats(own, number, winner.priority, best);
        }
        if wins {
            winner.pedestrian = candidate;
            winner.from = from;
            winner.direction = direction;
            winner.priority = own;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_exchanges() {
        assert_eq!([1, 2, 3, 5].map(|period| pause(period, 1, true)), [1, 3, 4, 7]);
        assert_eq!((pause(5, 2, true), pause(5, 3, false)), (5, 5));
        // A pedestrian in the north-east, with a wall in the north, and then another wall in the east.
        assert!(asks_exchange(1, 0, 0b100) && !asks_exchange(1, 0, 0b101) && !asks_exchange(1, 0b10, 0));
        assert!(asks_exchange(0, 0, 0b110) && !asks_exchange(2, 0, 0b110));
        assert!(exchange(1, 5) && exchange(6, 2) && !exchange(1, 4) && !exchange(0, 0));
        assert!(beats(2, 9, 1, 0) && beats(1, 0, 1, 9) && !beats(1, 9, 1, 9) && priority(u32::MAX) == (1 << 28) - 1);
    }
}
