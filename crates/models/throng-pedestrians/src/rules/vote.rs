//! Who enters a space unit that several pedestrians want.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]
#![allow(clippy::collapsible_if, reason = "in a kernel the right side of `&&` always runs")]

use throng_device::cubecl::{self, prelude::*};

use super::diagonal::shut;
use super::direction::{DIRECTIONS, turned};
use super::floor::EMPTY;
use super::grid::{Grid, NOWHERE};

/// The purpose of the random numbers of a tick: the block of a pedestrian, a tick and this purpose has its [`priority()`]
/// in the first word, and in bit 0 of the second whether it prefers the right of two directions that are equally good.
/// They depend on nothing else, so the pedestrian with the highest priority of all gets whatever space unit it wants.
pub const TICK: u32 = 0;

/// The priority from a random word: 28 bits, so that an intent fits into a word with it.
#[cube]
#[inline]
pub fn priority(drawn: u32) -> u32 {
    drawn >> 4u32
}

/// Whether a candidate beats the best one so far. Of equal priorities the lower number wins.
#[cube]
#[inline]
pub fn beats(priority: u32, pedestrian: u32, best_priority: u32, best: u32) -> bool {
    priority > best_priority || (priority == best_priority && pedestrian < best)
}

/// Whether a pedestrian that cannot go anywhere asks for an exchange of places: someone stands straight ahead of it, and
/// not diagonally between two walls. `free` and `walls`: the directions in which space units can be entered, and in which
/// they are walls, a bit for each. It may also ask an empty space unit that cannot be entered yet; an exchange takes two
/// that ask.
#[cube]
#[inline]
pub fn asks_exchange(heading: u32, free: u32, walls: u32) -> bool {
    ((free | walls | shut(walls)) >> heading) & 1u32 == 0u32
}

/// Whether two pedestrians side by side exchange their places: each wants to go to where the other one is. `direction` is
/// that of the one, `other` that of the other, or [`NONE`](super::direction::NONE).
#[cube]
#[inline]
pub fn exchange(direction: u32, other: u32) -> bool {
    turned(direction, 4u32) == other
}

/// Ticks until a pedestrian that has made a step may make the next one. With `equal_speeds` a diagonal step takes 1.41
/// times as long as one along an axis, rounded, because it is so much longer.
#[cube]
#[inline]
pub fn pause(period: u32, direction: u32, #[comptime] equal_speeds: bool) -> u32 {
    let mut ticks = period;
    if equal_speeds {
        ticks = select(direction & 1u32 == 1u32, (period * 141u32 + 50u32) / 100u32, period);
    }
    ticks
}

/// The tick in which a pedestrian that has made a step is due again. `times`: how often the step takes its time, 1 but for
/// exchanges of places. Opposite directions take equally long.
#[cube]
#[inline]
pub fn due_after(tick: u32, period: u32, direction: u32, times: u32, #[comptime] equal_speeds: bool) -> u32 {
    tick + pause(period, direction, equal_speeds) * times
}

/// Those that want to step somewhere.
#[cube]
pub trait CandidatesView {
    /// The word of the pedestrian in space unit `from` that wants to step in a direction, or [`EMPTY`] for none; nobody is
    /// [`NOWHERE`].
    fn candidate(&mut self, from: u32, direction: u32) -> u32;
    /// The number in the word of a pedestrian.
    fn number(&self, candidate: u32) -> u32;
    /// The priority of a pedestrian; where priorities are known, of the last candidate.
    fn priority(&self, candidate: u32) -> u32;
}

/// The best candidate so far.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Winner {
    /// Its word, or [`EMPTY`].
    pub pedestrian: u32,
    /// The space unit where it is.
    pub from: u32,
    /// The direction in which it steps.
    pub direction: u32,
    priority: u32,
}

/// No [`priority()`]: it has not been drawn.
const NOT_DRAWN: u32 = u32::MAX;

/// The directions in which candidates may come, if nothing is known about them: all.
pub const ANY: u32 = (1 << DIRECTIONS) - 1;

/// Who enters the empty space unit at `x`, `y`: of those that want to, the one with the highest priority. `coming`: the
/// directions in which they may come, a bit for each. `known`: whether priorities are known with the candidates; otherwise
/// they are drawn where two of them meet, which is rare.
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
    // Draws are long, so that a loop with them is better not unrolled.
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

/// Looks at the candidate that steps in a direction.
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
        // Someone in the north-east, with a wall in the north, and then another one in the east.
        assert!(asks_exchange(1, 0, 0b100) && !asks_exchange(1, 0, 0b101) && !asks_exchange(1, 0b10, 0));
        assert!(asks_exchange(0, 0, 0b110) && !asks_exchange(2, 0, 0b110));
        assert!(exchange(1, 5) && exchange(6, 2) && !exchange(1, 4) && !exchange(0, 0));
        assert!(beats(2, 9, 1, 0) && beats(1, 0, 1, 9) && !beats(1, 9, 1, 9) && priority(u32::MAX) == (1 << 28) - 1);
    }
}
