//! Consumption: each unit is consumed with the same probability every day.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::cubecl::{self, prelude::*};
use throng_device::philox::Draws;

/// Returns how many of `units` are consumed: one 32-bit draw per unit, which is consumed if the draw is at most `to`.
#[cube]
#[inline]
pub fn consumed(draws: &Draws, units: u32, to: u32) -> u32 {
    let mut consumed = 0u32;
    let mut first = 0u32;
    while first < units {
        let block = draws.block(first / 4u32);
        let left = units - first;
        consumed += select(block.first <= to, 1u32, 0u32);
        consumed += select(left > 1u32 && block.second <= to, 1u32, 0u32);
        consumed += select(left > 2u32 && block.third <= to, 1u32, 0u32);
        consumed += select(left > 3u32 && block.fourth <= to, 1u32, 0u32);
        first += 4u32;
    }
    consumed
}
