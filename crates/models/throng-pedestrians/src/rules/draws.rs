//! The random draws of a tick: all draws of an executor, and their counters.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::KernelParameter;
use throng_device::cubecl::{self, prelude::*};
use throng_device::philox::words;

use super::entry::{FIRST_PLACE, first_place};
use super::exit_choice::{CHOICE, chooses};
use super::vote::{TICK, priority};

/// The seed of all draws, in two halves, because some devices have no 64-bit integers.
#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seed {
    pub low: u32,
    pub high: u32,
}

impl Seed {
    /// Splits a seed into its halves.
    pub fn new(seed: u64) -> Self {
        Self { low: seed as u32, high: (seed >> 32) as u32 }
    }
}

/// The draws of a deciding pedestrian.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drawn {
    /// The [`priority()`] of the pedestrian.
    pub priority: u32,
    /// 1 if the pedestrian prefers the right of two equally good directions.
    pub prefers_right: u32,
}

#[cube]
impl Seed {
    /// Returns the draws of a pedestrian in a tick.
    #[inline]
    pub fn of_tick(&self, pedestrian: u32, tick: u32) -> Drawn {
        let words = words(self.low, self.high, pedestrian, tick, TICK.runtime(), 0u32.runtime());
        Drawn { priority: priority(words.first), prefers_right: words.second & 1u32 }
    }

    /// Whether a pedestrian chooses an exit in a tick.
    #[inline]
    pub fn chooses(&self, pedestrian: u32, tick: u32) -> bool {
        chooses(words(self.low, self.high, pedestrian, tick, CHOICE.runtime(), 0u32.runtime()).first)
    }

    /// Returns the index of the space unit at which an entry starts searching for empty ones in a tick.
    #[inline]
    pub fn first_place(&self, entry: u32, tick: u32, units: u32) -> u32 {
        first_place(words(self.low, self.high, entry, tick, FIRST_PLACE.runtime(), 0u32.runtime()).first, units)
    }
}
