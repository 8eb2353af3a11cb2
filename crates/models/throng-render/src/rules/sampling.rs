//! The positions of the samples of a pixel.

use throng_device::prelude::*;

/// A position within a pixel, relative to its upper left corner.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct Position {
    pub across: f32,
    pub down: f32,
}

/// Counter word of random draws for positions in pixels.
pub const PURPOSE: u32 = 1;

/// Converts two words of a draw to a position.
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
