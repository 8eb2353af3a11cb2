//! The check of the optimised baseline, in tiles of cells.

use throng_collision::rules::overlap::is_nearer;
use throng_device::cubecl::prelude::*;
use throng_device::{CUBE_UNITS, cubecl};

use super::sorted::{SortedDiscs, SortedGrid, meets_another};
use super::{Answers, DIAMETER, NONE, answer};

/// Number of cells of a tile and of those around it.
pub const fn cells_with_halo(tile: u32) -> u32 {
    (tile + 2) * (tile + 2)
}

/// Maximum number of discs in shared memory, for a tile and the cells around it. A dense crowd fills a third of it, in
/// the largest tiles a half; only the wishes of many discs for one position exceed it.
pub const fn tile_discs(tile: u32) -> u32 {
    let discs = 4 * tile * tile;
    if discs < 2048 { discs } else { 2048 }
}

/// Shared memory of a cube, bytes.
pub const fn shared_bytes(tile: u32) -> usize {
    4 * (2 * cells_with_halo(tile) + 2 * tile_discs(tile) + 1) as usize
}

/// Units of a cube: one per cell, but at most [`CUBE_UNITS`]; in larger tiles each unit checks several cells.
pub const fn tile_units(tile: u32) -> u32 {
    if tile * tile < CUBE_UNITS { tile * tile } else { CUBE_UNITS }
}

/// Step 5 of the optimised baseline, with the discs of a tile of side `tile` and of the cells around it in shared
/// memory. The discs of a row of cells in a tile are contiguous in global memory.
#[cube(launch)]
pub fn check_tiles(
    sorted: &SortedDiscs,
    answers: &mut Answers,
    grid: &SortedGrid,
    #[comptime] tile: u32,
    #[comptime] count: bool,
) {
    let mut firsts = SharedMemory::<u32>::new(comptime!(cells_with_halo(tile) as usize));
    let mut counts = SharedMemory::<u32>::new(comptime!(cells_with_halo(tile) as usize));
    let mut wishes = SharedMemory::<i32>::new(comptime!(2 * tile_discs(tile) as usize));
    let total = SharedMemory::<Atomic<u32>>::new(1usize);
    let side = comptime!(tile + 2);
    let units = comptime!(tile_units(tile));
    let capacity = comptime!(tile_discs(tile));
    if UNIT_POS == 0u32 {
        total[0].store(0u32);
    }
    sync_cube();
    let left = (CUBE_POS as u32 % grid.tile_columns) * tile;
    let top = (CUBE_POS as u32 / grid.tile_columns) * tile;
    let mut cell = UNIT_POS + 0u32;
    while cell < comptime!(cells_with_halo(tile)) {
        let column = left + cell % side - 1u32;
        let row = top + cell / side - 1u32;
        let mut begin = NONE.runtime();
        let mut discs = 0u32.runtime();
        if column < grid.columns && row < grid.rows {
            let key = grid.key(column, row, tile) as usize;
            begin = sorted.cells.begins[key];
            if begin != NONE {
                discs = sorted.cells.ends[key] - begin;
            }
        }
        // The order of cells in shared memory does not matter.
        let mut first = 0u32.runtime();
        if discs > 0u32 {
            first = total[0].fetch_add(discs);
            if first + discs <= capacity {
                for k in 0..discs {
                    wishes[(2u32 * (first + k)) as usize] = sorted.wishes[(2u32 * (begin + k)) as usize];
                    wishes[(2u32 * (first + k) + 1u32) as usize] = sorted.wishes[(2u32 * (begin + k) + 1u32) as usize];
                }
            }
        }
        firsts[cell as usize] = first;
        counts[cell as usize] = discs;
        cell += units;
    }
    sync_cube();
    let is_complete = total[0].load() <= capacity;
    let mut own_cell = UNIT_POS + 0u32;
    while own_cell < comptime!(tile * tile) {
        let middle = (own_cell / tile + 1u32) * side + own_cell % tile + 1u32;
        let own = counts[middle as usize];
        if own > 0u32 {
            let first = firsts[middle as usize];
            let begin = sorted.cells.begins[grid.key(left + own_cell % tile, top + own_cell / tile, tile) as usize];
            for k in 0..own {
                let mut meets = false;
                let mut tests = 0u32;
                if is_complete {
                    let x = wishes[(2u32 * (first + k)) as usize];
                    let y = wishes[(2u32 * (first + k) + 1u32) as usize];
                    for around in 0..9u32 {
                        let cell = middle + around / 3u32 * side + around % 3u32 - comptime!(tile + 3);
                        let start = firsts[cell as usize];
                        for other in start..start + counts[cell as usize] {
                            if other != first + k {
                                let dx = wishes[(2u32 * other) as usize] - x;
                                let dy = wishes[(2u32 * other + 1u32) as usize] - y;
                                meets = meets || is_nearer(dx, dy, DIAMETER);
                                tests += 1u32;
                            }
                        }
                    }
                } else {
                    let found = meets_another(sorted, grid, begin + k, tile);
                    meets = found.meets;
                    tests = found.tests;
                }
                answer(answers, sorted.ids[(begin + k) as usize], meets as u32, tests, count);
            }
        }
        own_cell += units;
    }
}
