//! Agents sorted by cell on a device: count, place, and order within the cells.
//!
//! Agents of a cell are placed in the order in which the device comes to them, which differs from run to run, and are put
//! in order afterwards. In a cell of few agents each agent counts those before it; that reads what every visit of the
//! neighbours reads too. A crowd is sorted by a cube of its own.

#![allow(clippy::collapsible_if, reason = "in a kernel the right side of `&&` always runs")]

use cubecl::prelude::*;

use super::grid::UniformGrid;

/// The most agents of a cell that are ordered by counting.
pub(super) const FEW: u32 = 64;
/// Agents of the first runs of a crowd.
const RUN: u32 = 16;
/// Steps of a search in a run of up to [`super::MAX_AGENTS`].
const SEARCH_STEPS: u32 = 31;

#[cube(launch)]
pub(super) fn clear(counts: &mut Array<u32>, crowds: &mut Array<u32>) {
    let i = ABSOLUTE_POS;
    if i < counts.len() {
        counts[i] = 0u32;
    }
    if i == 0 {
        crowds[0] = 0u32;
    }
}

/// The cell of each agent, how many of its cell came before it, and the agents of each cell.
#[cube(launch)]
pub(super) fn count(
    grid: &UniformGrid,
    xs: &Array<i32>,
    ys: &Array<i32>,
    zs: &Array<i32>,
    agents: u32,
    cells: &mut Array<u32>,
    arrivals: &mut Array<u32>,
    counts: &mut Array<Atomic<u32>>,
) {
    let i = ABSOLUTE_POS;
    if i < agents as usize {
        // In the plane the third buffer is the second once more, and ignored.
        let cell = grid.cell_of(xs[i], ys[i], zs[i]);
        cells[i] = cell;
        arrivals[i] = counts[cell as usize].fetch_add(1u32);
    }
}

#[cube(launch)]
pub(super) fn place(
    cells: &Array<u32>,
    arrivals: &Array<u32>,
    starts: &Array<u32>,
    agents: u32,
    placed: &mut Array<u32>,
) {
    let i = ABSOLUTE_POS;
    if i < agents as usize {
        let to = starts[cells[i] as usize] + arrivals[i];
        placed[to as usize] = i as u32;
    }
}

/// Brings each agent to its place among the agents of its cell, unless that is a crowd. Crowds get into a list, behind
/// their number; in which order is no matter.
#[cube(launch)]
pub(super) fn order_few(
    cells: &Array<u32>,
    arrivals: &Array<u32>,
    starts: &Array<u32>,
    placed: &Array<u32>,
    agents: u32,
    ordered: &mut Array<u32>,
    crowds: &mut Array<Atomic<u32>>,
) {
    let i = ABSOLUTE_POS;
    if i < agents as usize {
        let cell = cells[i];
        let begin = starts[cell as usize];
        let end = starts[cell as usize + 1];
        if end - begin <= FEW {
            let mut to = begin;
            for slot in begin..end {
                if placed[slot as usize] < i as u32 {
                    to += 1u32;
                }
            }
            ordered[to as usize] = i as u32;
        } else if arrivals[i] == 0u32 {
            let at = crowds[0].fetch_add(1u32);
            crowds[at as usize + 1].store(cell);
        }
    }
}

/// Sorts the crowds, each by one cube: runs of [`RUN`] agents by counting, then runs of twice the length in turns between
/// the two buffers, in which each agent finds its place by a binary search in the other run. For `n` agents that are about
/// `n log2(n)^2` reads, and so far less than visiting the neighbours of as many agents.
///
/// The inner loops are unrolled: Mesa's software Vulkan ends the loops of a unit after 65,535 turns altogether, without a
/// word. As it is, a crowd of millions stays below that.
#[cube(launch)]
pub(super) fn order_crowds(
    starts: &Array<u32>,
    crowds: &Array<u32>,
    placed: &mut Array<u32>,
    ordered: &mut Array<u32>,
) {
    let total = crowds[0];
    let mut crowd = CUBE_POS as u32;
    while crowd < total {
        let cell = crowds[crowd as usize + 1];
        let begin = starts[cell as usize];
        let count = starts[cell as usize + 1] - begin;
        sort_runs(placed, ordered, begin, count);
        sync_storage();
        let mut width = RUN.runtime();
        let mut done = true.runtime();
        while width < count {
            if done {
                merge_runs(ordered, placed, begin, count, width);
            } else {
                merge_runs(placed, ordered, begin, count, width);
            }
            sync_storage();
            done = !done;
            width *= 2u32;
        }
        if !done {
            let mut i = UNIT_POS;
            while i < count {
                ordered[(begin + i) as usize] = placed[(begin + i) as usize];
                i += CUBE_DIM;
            }
        }
        crowd += CUBE_COUNT as u32;
    }
}

/// Sorts runs of [`RUN`] agents of the `count` from `begin` on.
#[cube]
fn sort_runs(from: &Array<u32>, to: &mut Array<u32>, begin: u32, count: u32) {
    let mut i = UNIT_POS;
    while i < count {
        let first = i / RUN * RUN;
        let agent = from[(begin + i) as usize];
        let mut at = begin + first;
        #[unroll]
        for k in 0..RUN {
            if first + k < count {
                if from[(begin + first + k) as usize] < agent {
                    at += 1u32;
                }
            }
        }
        to[at as usize] = agent;
        i += CUBE_DIM;
    }
}

/// Merges each two neighbouring sorted runs of `width` agents.
#[cube]
fn merge_runs(from: &Array<u32>, to: &mut Array<u32>, begin: u32, count: u32, width: u32) {
    let mut i = UNIT_POS;
    while i < count {
        let first = i / width / 2u32 * width * 2u32;
        let middle = min(first + width, count);
        let agent = from[(begin + i) as usize];
        // The other run, and where the agent goes if nothing of that comes before it.
        let mut other = middle;
        let mut len = min(first + 2u32 * width, count) - middle;
        let mut at = begin + i;
        if i >= middle {
            other = first;
            len = middle - first;
            at -= len;
        }
        let mut before = 0u32;
        #[unroll]
        for k in 0..SEARCH_STEPS {
            let probe = before + (1u32 << (SEARCH_STEPS - 1 - k));
            if probe <= len {
                if from[(begin + other + probe - 1u32) as usize] < agent {
                    before = probe;
                }
            }
        }
        to[(at + before) as usize] = agent;
        i += CUBE_DIM;
    }
}
