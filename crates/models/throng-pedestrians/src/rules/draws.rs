//! The random draws of a tick: all that an executor draws, and by which counters.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]

use throng_core::Philox;
use throng_device::KernelParameter;
use throng_device::cubecl::{self, prelude::*};

use super::entry::{FIRST_PLACE, first_place};
use super::exit_choice::{CHOICE, chooses};
use super::vote::{TICK, priority};

/// The seed of all draws, in two halves, because some devices have no numbers of 64 bits.
#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seed {
    pub low: u32,
    pub high: u32,
}

impl Seed {
    /// The halves of a seed.
    pub fn new(seed: u64) -> Self {
        Self { low: seed as u32, high: (seed >> 32) as u32 }
    }
}

/// The draws of a pedestrian that decides.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drawn {
    /// Its [`priority()`].
    pub priority: u32,
    /// 1 if it prefers the right of two directions that are equally good.
    pub prefers_right: u32,
}

#[cube]
impl Seed {
    /// The draws of a pedestrian in a tick.
    #[inline]
    pub fn of_tick(&self, pedestrian: u32, tick: u32) -> Drawn {
        let (first, second) = words(self.low, self.high, pedestrian, tick, TICK.runtime());
        Drawn { priority: priority(first), prefers_right: second & 1u32 }
    }

    /// Whether a pedestrian chooses an exit in a tick.
    #[inline]
    pub fn chooses(&self, pedestrian: u32, tick: u32) -> bool {
        let (first, _) = words(self.low, self.high, pedestrian, tick, CHOICE.runtime());
        chooses(first)
    }

    /// At which of its space units an entry begins to look for empty ones in a tick.
    #[inline]
    pub fn first_place(&self, entry: u32, tick: u32, units: u32) -> u32 {
        let (first, _) = words(self.low, self.high, entry, tick, FIRST_PLACE.runtime());
        first_place(first, units)
    }
}

/// The first two words of a block. [`Philox`] and the generator of kernels make the same ones.
#[inline(always)]
fn words(seed_low: u32, seed_high: u32, entity: u32, tick: u32, purpose: u32) -> (u32, u32) {
    let seed = u64::from(seed_high) << 32 | u64::from(seed_low);
    let [first, second, ..] = Philox::new(seed).block([entity, tick, purpose, 0]);
    (first, second)
}

#[cfg(feature = "gpu")]
mod words {
    use throng_device::cubecl::prelude::*;
    use throng_device::philox;

    type Word = NativeExpand<u32>;

    pub fn expand(scope: &mut Scope, low: Word, high: Word, entity: Word, tick: Word, purpose: Word) -> (Word, Word) {
        let words = philox::words::expand(scope, low, high, entity, tick, purpose, 0u32.into());
        (words.first, words.second)
    }
}
