//! The random draws of discs: words of Philox as a function of seed and counter.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_core::Philox;
use throng_device::cubecl::{self, prelude::*};
#[cfg(feature = "gpu")]
use throng_device::philox;
use throng_device::philox::Counter;

/// Purpose of the draws of priorities.
const PRIORITY: u32 = 1;

/// Draws a word on the host.
#[inline]
pub fn word_of(counter: Counter, draws: Philox) -> u32 {
    draws.block([counter.entity, counter.step, counter.purpose, counter.index])[0]
}

/// Draws a word in kernels. The seed is passed in two halves.
#[cfg(feature = "gpu")]
#[cube]
pub fn word(counter: Counter, seed_low: u32, seed_high: u32) -> u32 {
    philox::words(seed_low, seed_high, counter.entity, counter.step, counter.purpose, counter.index).first
}

/// Returns the counter of the priority of the disc with this id, in the step whose number has these halves. The disc
/// with the lowest word comes first.
#[cube]
#[inline]
pub fn priority_draw(id: u32, step_low: u32, step_high: u32) -> Counter {
    Counter { entity: id, step: step_low, purpose: PRIORITY.runtime(), index: step_high }
}

/// Returns the priority of the disc with this id in a step, on the host.
#[inline]
pub fn priority_of(draws: Philox, id: u32, step: u64) -> u32 {
    word_of(priority_draw(id, step as u32, (step >> 32) as u32), draws)
}
