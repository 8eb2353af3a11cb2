//! Transforms on the CPU: several lines side by side, so that vector instructions process all of them at once.

use multiversion::multiversion;

use super::modular::{forward_butterfly, inverse_butterfly};
use super::tiling::LANES;

/// One number per line.
pub type Lanes = [u32; LANES];

/// Transforms lines in place; the result is in bit-reversed order.
#[multiversion(targets("x86_64+avx2"))]
pub fn forward(strip: &mut [Lanes], roots: &[u32]) {
    let mut half = strip.len() / 2;
    while half > 0 {
        for block in strip.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for ((low, high), &root) in low.iter_mut().zip(high).zip(&roots[half..]) {
                for (low, high) in low.iter_mut().zip(high) {
                    (*low, *high) = forward_butterfly(*low, *high, root);
                }
            }
        }
        half /= 2;
    }
}

/// Inverts [`forward()`], up to a factor of the length; the input is in bit-reversed order. `roots` are the inverse
/// roots.
#[multiversion(targets("x86_64+avx2"))]
pub fn inverse(strip: &mut [Lanes], roots: &[u32]) {
    let mut half = 1;
    while half < strip.len() {
        for block in strip.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for ((low, high), &root) in low.iter_mut().zip(high).zip(&roots[half..]) {
                for (low, high) in low.iter_mut().zip(high) {
                    (*low, *high) = inverse_butterfly(*low, *high, root);
                }
            }
        }
        half *= 2;
    }
}

/// Transposes a square of numbers; `from` yields the rows.
#[inline(always)]
pub fn transpose<'n>(from: impl Iterator<Item = &'n Lanes>, to: &mut [Lanes]) {
    for (i, row) in from.enumerate() {
        for (column, &number) in to.iter_mut().zip(row) {
            column[i] = number;
        }
    }
}
