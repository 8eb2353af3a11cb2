//! The static grid with a linked list of discs in each cell.

use throng_device::cubecl::prelude::*;
use throng_device::{KernelArrays, cubecl};

use super::sorted::{SortedGrid, sorted_cell};
use super::{Answers, Compared, NONE, answer, is_near};

/// The last disc inserted into each cell.
#[derive(CubeLaunch, CubeType, KernelArrays)]
pub struct Heads {
    pub heads: Array<Atomic<u32>>,
    /// The disc inserted before each disc, or [`NONE`].
    pub next: Array<u32>,
}

/// The same for reading, and the wishes of the discs.
#[derive(CubeLaunch, CubeType, KernelArrays)]
pub struct Listed {
    pub heads: Array<u32>,
    pub next: Array<u32>,
    pub to: Array<i32>,
}

/// Inserts each disc into the list of the cell of its wish. The order of a list depends on the race, the answers do
/// not.
#[cube(launch)]
pub fn insert(to: &Array<i32>, lists: &mut Heads, grid: &SortedGrid) {
    let i = ABSOLUTE_POS as u32;
    if i < grid.discs {
        let x = (2u32 * i) as usize;
        let cell = grid.key(sorted_cell(to[x]), sorted_cell(to[x + 1]), 0u32);
        lists.next[i as usize] = lists.heads[cell as usize].swap(i);
    }
}

/// Compares each disc with the lists of nine cells: one unit per disc.
#[cube(launch)]
pub fn check_lists(listed: &Listed, answers: &mut Answers, grid: &SortedGrid, #[comptime] count: bool) {
    let i = ABSOLUTE_POS as u32;
    if i < grid.discs {
        let found = meets_listed(listed, grid, i);
        answer(answers, i, found.meets as u32, found.tests, count);
    }
}

#[cube]
fn meets_listed(listed: &Listed, grid: &SortedGrid, i: u32) -> Compared {
    let x = listed.to[(2u32 * i) as usize];
    let y = listed.to[(2u32 * i + 1u32) as usize];
    let mut meets = false;
    let mut tests = 0u32;
    for cell in 0..9u32 {
        // Negative values wrap around.
        let column = sorted_cell(x) + cell % 3u32 - 1u32;
        let row = sorted_cell(y) + cell / 3u32 - 1u32;
        if column < grid.columns && row < grid.rows {
            let mut other = listed.heads[grid.key(column, row, 0u32) as usize];
            while other != NONE {
                if other != i {
                    meets = meets || is_near(&listed.to, other, x, y);
                    tests += 1u32;
                }
                other = listed.next[other as usize];
            }
        }
    }
    Compared { meets, tests }
}
