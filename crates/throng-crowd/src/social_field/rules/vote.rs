//! Who enters a space unit that several pedestrians want.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]

use throng_device::cubecl::{self, prelude::*};

/// The purpose of the random numbers of a tick: of the block of a pedestrian, a tick and this purpose, the first word is
/// the pedestrian's priority in votes, and bit 0 of the second says whether it prefers the right of two directions that
/// are equally good. They depend on nothing else, so the pedestrian with the highest priority of all gets whatever space
/// unit it wants.
pub const TICK: u32 = 0;

/// Whether a candidate beats the best one so far. Of equal priorities the lower number wins.
#[cube]
#[inline]
pub fn beats(priority: u32, pedestrian: u32, best_priority: u32, best: u32) -> bool {
    priority > best_priority || (priority == best_priority && pedestrian < best)
}
