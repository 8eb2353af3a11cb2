//! Transforms on the CPU: several lines at once, side by side, so that one instruction does the same with all of them.

use multiversion::multiversion;

use super::modular::{forward_butterfly, inverse_butterfly};
use super::tiling::LANES;

/// A number of each line.
pub type Lanes = [u32; LANES];

/// Transforms lines: the result has the order of reversed bits.
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

/// The same backwards, but for a factor of the length: from the order of reversed bits. `roots` are the inverse ones.
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

/// Copies a square of numbers so that rows become columns: `from` gives the rows.
#[inline(always)]
pub fn turn<'n>(from: impl Iterator<Item = &'n Lanes>, to: &mut [Lanes]) {
    for (i, row) in from.enumerate() {
        for (column, &number) in to.iter_mut().zip(row) {
            column[i] = number;
        }
    }
}
