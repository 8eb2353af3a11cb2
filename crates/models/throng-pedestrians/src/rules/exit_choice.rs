//! Choice of exits: a pedestrian chooses the exit through which it expects to leave first, by distance and crowding.
//!
//! The paper (Yu et al.) names route selection as future work; this rule is Throng's own.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::cubecl::{self, prelude::*};
use throng_device::exact::copied;

use super::fixed::scaled;

/// Purpose of the draws that decide which pedestrians choose: the first word of the block of a pedestrian, a tick and
/// this purpose.
pub const CHOICE: u32 = 4;

/// Whether a pedestrian chooses; a quarter of them does each time.
#[cube]
#[inline]
pub fn chooses(drawn: u32) -> bool {
    drawn < 1u32 << 30u32
}

/// Width of the bins in which distances are counted, tenths of a space unit. The last bin contains all larger
/// distances.
const BIN_WIDTH: u32 = 80;
/// Number of bins per exit.
pub const BINS: u32 = 1024;

/// Returns the bin of the length of a route.
#[cube]
#[inline]
pub fn bin(length: u32) -> u32 {
    min(length / BIN_WIDTH, BINS - 1)
}

/// Sentinel time of a route that does not exist.
pub const NEVER: u32 = u32::MAX;

/// Returns the time after which a pedestrian expects to have left through an exit, ticks: the time to walk there, plus
/// the time in which the pedestrians ahead leave. `length`: of the route, 10 per space unit. `ahead`: number of
/// pedestrians that walk to the same exit and are nearer. `queue`: ticks per pedestrian ahead, a fixed-point number.
#[cube]
#[inline]
pub fn expected_time(length: u32, period: u32, ahead: u32, queue: i32) -> u32 {
    length / 10u32 * period + scaled(ahead as i32, queue) as u32
}

/// Whether another exit is so much better than the current one that a pedestrian switches: it saves more than a fifth
/// of the time.
#[cube]
#[inline]
pub fn is_better(time: u32, present: u32) -> bool {
    time < present - present / 5u32
}

/// Whether an exit is in a set of exits, a bit for each.
#[cube]
#[inline]
pub fn allows(exits: u32, exit: u32) -> bool {
    (exits >> exit) & 1u32 == 1u32
}

/// Returns the first tick in which a space unit of an exit can be entered after a pedestrian with this walk period has
/// left it with a step in the tick before `tick`.
#[cube]
#[inline]
pub fn after_leaving(tick: u32, period: u32) -> u32 {
    tick - 1u32 + period
}

/// The nearest exit found so far; ties go to the lower index, even if none can be reached.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nearest {
    pub exit: u32,
    length: u32,
    is_found: bool,
}

/// Returns the initial state, before any exit.
#[cube]
#[inline]
pub fn nearest() -> Nearest {
    Nearest { exit: 0u32.runtime(), length: 0u32.runtime(), is_found: false.runtime() }
}

#[cube]
impl Nearest {
    /// Considers the next exit, given the length of the route to it.
    #[inline]
    pub fn consider(&mut self, exit: u32, length: u32) {
        if !self.is_found || length < self.length {
            self.exit = exit;
            self.length = length;
            self.is_found = true;
        }
    }
}

/// The exit chosen so far; ties go to the current exit, and then to the lower index.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chosen {
    pub exit: u32,
    time: u32,
}

/// Starts with the current exit of a pedestrian and the time until it has left through it.
#[cube]
#[inline]
pub fn chosen(present: u32, time: u32) -> Chosen {
    Chosen { exit: copied(present), time: copied(time) }
}

#[cube]
impl Chosen {
    /// Considers another exit, given the time until the pedestrian has left through it.
    #[inline]
    pub fn consider(&mut self, exit: u32, time: u32) {
        if is_better(time, self.time) {
            self.exit = exit;
            self.time = time;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixed::ONE;
    use super::*;

    #[test]
    fn the_last_bin_has_all_larger_lengths() {
        assert_eq!([0, 79, 80, 81_919, 81_920, u32::MAX].map(bin), [0, 0, 1, 1023, 1023, 1023]);
    }

    #[test]
    fn of_equally_near_exits_the_first_is_the_nearest() {
        let of = |lengths: &[u32]| {
            let mut nearest = nearest();
            (3..).zip(lengths).for_each(|(exit, &length)| nearest.consider(exit, length));
            nearest.exit
        };
        assert_eq!([of(&[]), of(&[7, 5, 5]), of(&[u32::MAX, u32::MAX]), of(&[u32::MAX, 0])], [0, 4, 3, 4]);
        assert!(allows(0b101, 2) && !allows(0b101, 1) && allows(1 << 31, 31));
    }

    #[test]
    fn a_quarter_chooses() {
        assert!(chooses(0) && chooses((1 << 30) - 1) && !chooses(1 << 30) && !chooses(u32::MAX));
    }

    #[test]
    fn an_exit_is_chosen_by_distance_and_crowding() {
        // 30 space units at 2 ticks each, and 12 pedestrians at 1.5 ticks each.
        assert_eq!(expected_time(305, 2, 12, ONE * 3 / 2), 78);
        assert_eq!(expected_time(0, 1, 0, ONE), 0);
        let best = |times: &[u32]| {
            let mut best = chosen(9, 100);
            (0..).zip(times).for_each(|(exit, &time)| best.consider(exit, time));
            best.exit
        };
        assert_eq!([best(&[80, 90]), best(&[79, 79, 78]), best(&[79, 63, 51])], [9, 0, 1]);
        assert!(is_better(79, 100) && !is_better(80, 100) && is_better(0xA000_0000, NEVER) && !is_better(NEVER, NEVER));
    }
}
