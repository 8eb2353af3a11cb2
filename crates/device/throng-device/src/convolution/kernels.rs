//! Convolution kernels: each cube transforms a strip of rows or columns of a tile in shared memory.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use cubecl::prelude::*;

use super::modular::{forward_butterfly, inverse_butterfly, product};
use super::tiling::LANES;
use crate::{CUBE_UNITS, KernelArrays, KernelParameter};

const STRIP: u32 = LANES as u32;

/// A world and a range of its tiles: see [`Tiling`](super::tiling::Tiling).
#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy)]
pub(super) struct Tiles {
    /// Index of the first tile; `count` is the number of tiles.
    pub first: u32,
    pub count: u32,
    /// Number of tiles across the width of the world.
    pub across: u32,
    /// Number of columns of the world; `height` is the number of rows.
    pub width: u32,
    pub height: u32,
    pub radius: u32,
    /// Number of columns of a tile; `rows` is the number of rows.
    #[cube(comptime)]
    pub columns: u32,
    #[cube(comptime)]
    pub rows: u32,
}

/// The marks of a plane, and the roots of unity.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub(super) struct Marks {
    pub marks: Array<u32>,
    pub roots: Array<u32>,
}

/// The spectra of sources and of weights, and the inverse roots of unity.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub(super) struct Spectra {
    pub roots: Array<u32>,
    pub plane: Array<u32>,
    pub spectrum: Array<u32>,
}

/// The products of spectra, with columns transformed back; the marks of targets, and the inverse roots of unity.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub(super) struct Products {
    pub roots: Array<u32>,
    pub work: Array<u32>,
    pub marks: Array<u32>,
}

/// Returns the column and row of the world where the sums of a tile begin.
#[cube]
fn origin(tiles: &Tiles, tile: u32) -> (u32, u32) {
    let number = tiles.first + tile;
    let (columns, rows) = (tiles.columns - 2u32 * tiles.radius, tiles.rows - 2u32 * tiles.radius);
    ((number % tiles.across) * columns, (number / tiles.across) * rows)
}

/// Returns the strip indices of the two numbers of a butterfly, and the index of its root.
#[cube]
fn butterfly_indices(butterfly: u32, #[comptime] log_half: u32) -> (u32, u32, u32) {
    let (number, lane) = (butterfly / STRIP, butterfly % STRIP);
    let along = number & comptime!((1u32 << log_half) - 1);
    let low = ((number - along) * 2u32 + along) * STRIP + lane;
    (low, low + comptime!(STRIP << log_half), along + comptime!(1u32 << log_half))
}

/// Transforms the lines of a strip in place.
#[cube]
fn forward(strip: &mut SharedMemory<u32>, roots: &Array<u32>, #[comptime] length: u32) {
    let steps = comptime!(length.ilog2());
    #[unroll]
    for step in 0..steps {
        sync_cube();
        let mut butterfly = UNIT_POS;
        while butterfly < comptime!(length / 2 * STRIP) {
            let (low, high, root) = butterfly_indices(butterfly, comptime!(steps - 1 - step));
            let (a, b) = forward_butterfly(strip[low as usize], strip[high as usize], roots[root as usize]);
            strip[low as usize] = a;
            strip[high as usize] = b;
            butterfly += CUBE_UNITS;
        }
    }
    sync_cube();
}

/// Inverts [`forward()`], up to a factor of the length.
#[cube]
fn inverse(strip: &mut SharedMemory<u32>, roots: &Array<u32>, #[comptime] length: u32) {
    #[unroll]
    for step in 0..comptime!(length.ilog2()) {
        sync_cube();
        let mut butterfly = UNIT_POS;
        while butterfly < comptime!(length / 2 * STRIP) {
            let (low, high, root) = butterfly_indices(butterfly, step);
            let (a, b) = inverse_butterfly(strip[low as usize], strip[high as usize], roots[root as usize]);
            strip[low as usize] = a;
            strip[high as usize] = b;
            butterfly += CUBE_UNITS;
        }
    }
    sync_cube();
}

/// Returns the index of a number in the tiles, which are stored in strips of columns.
#[cube]
fn place(tiles: &Tiles, tile: u32, x: u32, y: u32) -> u32 {
    tile * comptime!(tiles.columns * tiles.rows) + (x / STRIP) * comptime!(STRIP * tiles.rows) + y * STRIP + x % STRIP
}

/// Transforms rows of sources; one cube per strip of rows.
#[cube(launch)]
pub(super) fn forward_rows(tiles: &Tiles, from: &Marks, work: &mut Array<u32>, sources: u32) {
    let mut strip = SharedMemory::<u32>::new(comptime!((tiles.columns * STRIP) as usize));
    let strips = comptime!(tiles.rows / STRIP);
    let (tile, first) = (CUBE_POS as u32 / strips, (CUBE_POS as u32 % strips) * STRIP);
    if tile < tiles.count {
        let (left, bottom) = origin(tiles, tile);
        let (columns, rows) = (tiles.width + 2u32 * tiles.radius, tiles.height + 2u32 * tiles.radius);
        let mut i = UNIT_POS;
        while i < comptime!(tiles.columns * STRIP) {
            let (x, lane) = (i % comptime!(tiles.columns), i / comptime!(tiles.columns));
            let (column, row) = (left + x, bottom + first + lane);
            let mut number = 0u32;
            if column < columns && row < rows {
                number = select(from.marks[(row * columns + column) as usize] & sources != 0u32, 1u32, 0u32);
            }
            strip[(x * STRIP + lane) as usize] = number;
            i += CUBE_UNITS;
        }
        forward(&mut strip, &from.roots, comptime!(tiles.columns));
        let mut i = UNIT_POS;
        while i < comptime!(tiles.columns * STRIP) {
            let (x, lane) = (across(i), lane(i));
            work[place(tiles, tile, x, first + lane) as usize] = strip[(x * STRIP + lane) as usize];
            i += CUBE_UNITS;
        }
    }
}

/// Returns the column of the `i`-th number of a strip of rows, in the order of [`place()`]; [`lane()`] returns its row
/// in the strip.
#[cube]
fn across(i: u32) -> u32 {
    (i / comptime!(STRIP * STRIP)) * STRIP + i % STRIP
}

#[cube]
fn lane(i: u32) -> u32 {
    (i / STRIP) % STRIP
}

/// Transforms columns; one cube per strip.
#[cube(launch)]
pub(super) fn forward_columns(tiles: &Tiles, roots: &Array<u32>, work: &mut Array<u32>) {
    let length = comptime!(tiles.rows * STRIP);
    let mut strip = SharedMemory::<u32>::new(comptime!(length as usize));
    if CUBE_POS as u32 / comptime!(tiles.columns / STRIP) < tiles.count {
        let first = CUBE_POS as u32 * length;
        let mut i = UNIT_POS;
        while i < length {
            strip[i as usize] = work[(first + i) as usize];
            i += CUBE_UNITS;
        }
        forward(&mut strip, roots, comptime!(tiles.rows));
        let mut i = UNIT_POS;
        while i < length {
            work[(first + i) as usize] = strip[i as usize];
            i += CUBE_UNITS;
        }
    }
}

/// Multiplies a spectrum by that of the weights, and transforms the columns of the product back.
#[cube(launch)]
pub(super) fn inverse_columns(tiles: &Tiles, spectra: &Spectra, work: &mut Array<u32>) {
    let length = comptime!(tiles.rows * STRIP);
    let mut strip = SharedMemory::<u32>::new(comptime!(length as usize));
    let strips = comptime!(tiles.columns / STRIP);
    if CUBE_POS as u32 / strips < tiles.count {
        let (first, in_tile) = (CUBE_POS as u32 * length, (CUBE_POS as u32 % strips) * length);
        let mut i = UNIT_POS;
        while i < length {
            strip[i as usize] = product(spectra.plane[(first + i) as usize], spectra.spectrum[(in_tile + i) as usize]);
            i += CUBE_UNITS;
        }
        inverse(&mut strip, &spectra.roots, comptime!(tiles.rows));
        let mut i = UNIT_POS;
        while i < length {
            work[(first + i) as usize] = strip[i as usize];
            i += CUBE_UNITS;
        }
    }
}

/// Transforms rows back and stores the sums of targets; one cube per strip of rows.
#[cube(launch)]
pub(super) fn inverse_rows(tiles: &Tiles, from: &Products, sums: &mut Array<u32>, targets: u32, to: u32) {
    let mut strip = SharedMemory::<u32>::new(comptime!((tiles.columns * STRIP) as usize));
    let strips = comptime!(tiles.rows / STRIP);
    let (tile, first) = (CUBE_POS as u32 / strips, (CUBE_POS as u32 % strips) * STRIP);
    let (left, bottom) = origin(tiles, tile);
    let rows = min(tiles.rows - 2u32 * tiles.radius, tiles.height - min(bottom, tiles.height));
    if tile < tiles.count && first < rows {
        let mut i = UNIT_POS;
        while i < comptime!(tiles.columns * STRIP) {
            let (x, lane) = (across(i), lane(i));
            strip[(x * STRIP + lane) as usize] = from.work[place(tiles, tile, x, first + lane) as usize];
            i += CUBE_UNITS;
        }
        inverse(&mut strip, &from.roots, comptime!(tiles.columns));
        let columns = min(tiles.columns - 2u32 * tiles.radius, tiles.width - left);
        let mut i = UNIT_POS;
        while i < comptime!(tiles.columns * STRIP) {
            let (x, lane) = (i % comptime!(tiles.columns), i / comptime!(tiles.columns));
            if x < columns && first + lane < rows {
                let (column, row) = (left + x, bottom + first + lane);
                let in_plane = (row + tiles.radius) * (tiles.width + 2u32 * tiles.radius) + column + tiles.radius;
                if from.marks[in_plane as usize] & targets != 0u32 {
                    let unit = row * tiles.width + column;
                    sums[(to * tiles.width * tiles.height + unit) as usize] = strip[(x * STRIP + lane) as usize];
                }
            }
            i += CUBE_UNITS;
        }
    }
}
