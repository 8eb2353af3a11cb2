//! Who enters a space unit that several pedestrians want.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]

use throng_device::cubecl::{self, prelude::*};

/// The purpose of the random numbers of a tick: the block of a pedestrian, a tick and this purpose has its [`priority`]
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
