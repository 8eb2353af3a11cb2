//! Which exit a pedestrian chooses: the one through which it expects to leave first, by distance and crowding.
//!
//! The paper (Yu et al.) names route selection as future work; this rule is Throng's own.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]

use throng_device::cubecl::{self, prelude::*};

use super::fixed::scaled;

/// The purpose of the draws that decide who chooses: the first word of the block of a pedestrian, a tick and this purpose.
pub const CHOICE: u32 = 4;

/// Whether a pedestrian chooses, of which a quarter does each time.
#[cube]
#[inline]
pub fn chooses(drawn: u32) -> bool {
    drawn < 1u32 << 30u32
}

/// Distances are counted in bins of so many tenths of a space unit, the last of which has all the larger ones.
const BIN_WIDTH: u32 = 80;
/// How many bins an exit has.
pub const BINS: u32 = 1024;

/// The bin of the length of a way.
#[cube]
#[inline]
pub fn bin(length: u32) -> u32 {
    min(length / BIN_WIDTH, BINS - 1)
}

/// The time of a way that does not exist.
pub const NEVER: u32 = u32::MAX;

/// The time that a pedestrian expects until it has left through an exit, ticks: the time to walk there, and the time in
/// which those before it leave. `length`: of the way, 10 for a space unit. `ahead`: how many go to the same exit and are
/// nearer. `queue`: ticks for each of them, a fixed-point number.
#[cube]
#[inline]
pub fn expected_time(length: u32, period: u32, ahead: u32, queue: i32) -> u32 {
    length / 10u32 * period + scaled(ahead as i32, queue) as u32
}

/// Whether another exit is so much better than the present one that a pedestrian changes its mind: it saves more than a
/// fifth of the time.
#[cube]
#[inline]
pub fn is_better(time: u32, present: u32) -> bool {
    time < present - present / 5u32
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
    fn a_quarter_chooses() {
        assert!(chooses(0) && chooses((1 << 30) - 1) && !chooses(1 << 30) && !chooses(u32::MAX));
    }

    #[test]
    fn an_exit_is_chosen_by_distance_and_crowding() {
        // 30 space units at 2 ticks each, and 12 persons who need 1.5 ticks each.
        assert_eq!(expected_time(305, 2, 12, ONE * 3 / 2), 78);
        assert_eq!(expected_time(0, 1, 0, ONE), 0);
        assert!(is_better(79, 100) && !is_better(80, 100) && is_better(0xA000_0000, NEVER) && !is_better(NEVER, NEVER));
    }
}
