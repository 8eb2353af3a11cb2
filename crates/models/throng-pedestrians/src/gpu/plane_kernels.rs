//! The kernels that write a state to the bit planes, and count along rows and columns.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::copied;

use super::super::planes::{ALL, BITS, ONCOMING, SAME};
use super::super::rules::direction::DIRECTIONS;
use super::super::rules::grid::{NOWHERE, shown};
use super::super::scene::WALL;
use super::super::summing::Summing;
use super::state::{Config, NUMBER_BITS, Parameters};

/// Returns empty words of the planes of all headings at one position, including
/// [`STANDS`](super::super::rules::direction::STANDS).
#[cube]
fn no_words() -> Array<u32> {
    let mut words = Array::<u32>::new(comptime!(DIRECTIONS as usize + 1));
    #[unroll]
    for heading in 0..comptime!(DIRECTIONS + 1) {
        words[heading as usize] = 0u32;
    }
    words
}

/// Sets the bit of an occupant in the word of its heading.
#[cube]
fn set_bit(words: &mut Array<u32>, occupant: u32, bit: u32) {
    if occupant < WALL {
        #[unroll]
        for heading in 0..comptime!(DIRECTIONS + 1) {
            let is_here = select(occupant >> NUMBER_BITS == heading, 1u32, 0u32);
            words[heading as usize] |= is_here << bit;
        }
    }
}

/// Stores the words of all planes at one position; `plane` is the number of words per plane.
#[cube]
fn store_words(planes: &mut Array<u32>, words: &Array<u32>, at: u32, plane: u32) {
    let mut all = copied(words[comptime!(DIRECTIONS as usize)]);
    #[unroll]
    for heading in 0..DIRECTIONS {
        let own = words[heading as usize];
        all |= own;
        planes[(at + comptime!(SAME as u32 + heading) * plane) as usize] = own;
        let oncoming = words[comptime!(((heading + 3) % 8) as usize)]
            | words[comptime!(((heading + 4) % 8) as usize)]
            | words[comptime!(((heading + 5) % 8) as usize)];
        planes[(at + comptime!(ONCOMING as u32 + heading) * plane) as usize] = oncoming;
    }
    planes[(at + comptime!(ALL as u32) * plane) as usize] = all;
}

/// Writes the bits of the planes by rows: one unit per word of a row. For windows a word also has the bits of the next
/// one, so that each row of a window is in one word, and the words of a row are consecutive, which is faster to read.
#[cube(launch_unchecked)]
pub(super) fn show_rows(
    params: &Parameters,
    occupants: &Array<u32>,
    planes: &mut Array<u32>,
    #[comptime] config: Config,
) {
    let i = ABSOLUTE_POS as u32;
    if i < params.rows * params.row_words {
        let (line, word) = if comptime!(config.summing == Summing::Windows) {
            (i / params.row_words, i % params.row_words)
        } else {
            (i % params.rows, i / params.rows)
        };
        let row = shown(line, params.radius, params.grid.height, comptime!(params.grid.boundary));
        let first = word * BITS;
        let mut words = no_words();
        if row != NOWHERE {
            let bits = comptime!(if config.summing == Summing::Windows { 2 * BITS } else { BITS });
            for bit in 0..bits {
                if first + bit < params.columns {
                    let width = params.grid.width;
                    let column = shown(first + bit, params.radius, width, comptime!(params.grid.boundary));
                    if column != NOWHERE {
                        set_bit(&mut words, occupants[(row * width + column) as usize], bit);
                    }
                }
            }
        }
        store_words(planes, &words, i, params.rows * params.row_words);
    }
}

/// Writes the bits of the planes by columns: one unit per word of a column.
#[cube(launch_unchecked)]
pub(super) fn show_columns(params: &Parameters, occupants: &Array<u32>, planes: &mut Array<u32>) {
    let i = ABSOLUTE_POS as u32;
    if i < params.columns * params.column_words {
        let width = params.grid.width;
        let column = shown(i % params.columns, params.radius, width, comptime!(params.grid.boundary));
        let first = (i / params.columns) * BITS;
        let mut words = no_words();
        if column != NOWHERE {
            for bit in 0..BITS {
                if first + bit < params.rows {
                    let height = params.grid.height;
                    let row = shown(first + bit, params.radius, height, comptime!(params.grid.boundary));
                    if row != NOWHERE {
                        set_bit(&mut words, occupants[(row * width + column) as usize], bit);
                    }
                }
            }
        }
        store_words(planes, &words, i, params.columns * params.column_words);
    }
}

/// Adds to each word of a line of a plane the number of bits in the line before it: one unit per line. `all`: number of
/// lines of all planes; `lines`: lines per plane; `line_words`: words per line.
#[cube(launch_unchecked)]
pub(super) fn count(planes: &mut Array<u32>, all: u32, lines: u32, line_words: u32) {
    let i = ABSOLUTE_POS as u32;
    if i < all {
        let first = (i / lines) * lines * line_words + i % lines;
        let mut before = 0u32;
        for word in 0..line_words {
            let at = (first + word * lines) as usize;
            let bits = planes[at];
            planes[at] = bits | (before << BITS);
            before += bits.count_ones();
        }
    }
}
