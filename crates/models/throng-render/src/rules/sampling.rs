//! Where the samples of a pixel are.

use throng_device::prelude::*;

/// A position within a pixel, from its upper left corner.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct Position {
    pub across: f32,
    pub down: f32,
}

/// The purpose of draws for positions in pixels.
pub const PURPOSE: u32 = 1;

/// The position that two words of a draw give.
#[cube]
#[inline(always)]
pub fn position(first: u32, second: u32) -> Position {
    Position { across: unit(first), down: unit(second) }
}

/// A number in [0, 1) with 24 random bits.
#[cube]
#[inline(always)]
fn unit(word: u32) -> f32 {
    (word >> 8u32) as f32 * 5.960_464_5e-8f32
}
