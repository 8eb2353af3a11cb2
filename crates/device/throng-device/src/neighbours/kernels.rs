//! Sorting of agents by cell on a device: count, place, and order within the cells.
//!
//! The agents of a cell are first placed in execution order, which differs from run to run, and then sorted. In a cell
//! with few agents, each agent counts those before it, which reads no more than a visit of the neighbours. A crowded
//! cell is sorted by a separate cube.

#![allow(clippy::collapsible_if, reason = "in a kernel the right side of `&&` always runs")]

use cubecl::prelude::*;

use super::grid::UniformGrid;
use crate::KernelArrays;

/// Maximum number of agents of a cell that are ordered by counting.
pub(super) const FEW: u32 = 64;
/// Length of the initial runs of a crowd, in agents.
const RUN: u32 = 16;
/// Steps of a binary search in a run of up to [`super::MAX_AGENTS`].
const SEARCH_STEPS: u32 = 31;

/// The positions of agents. In the plane `zs` repeats `ys` and is ignored.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub(super) struct Axes {
    pub xs: Array<i32>,
    pub ys: Array<i32>,
    pub zs: Array<i32>,
}

/// The cell of each agent, and its arrival rank within that cell.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub(super) struct Visits {
    pub cells: Array<u32>,
    pub arrivals: Array<u32>,
}

/// For each cell, the index of its first agent in `placed`, the list of agents by cell.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub(super) struct Places {
    pub starts: Array<u32>,
    pub placed: Array<u32>,
}

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

/// Finds the cell of each agent, its arrival rank within that cell, and the number of agents per cell.
#[cube(launch)]
pub(super) fn count(
    grid: &UniformGrid,
    positions: &Axes,
    agents: u32,
    visits: &mut Visits,
    counts: &mut Array<Atomic<u32>>,
) {
    let i = ABSOLUTE_POS;
    if i < agents as usize {
        let cell = grid.cell_of(positions.xs[i], positions.ys[i], positions.zs[i]);
        visits.cells[i] = cell;
        visits.arrivals[i] = counts[cell as usize].fetch_add(1u32);
    }
}

#[cube(launch)]
pub(super) fn place(visits: &Visits, starts: &Array<u32>, agents: u32, placed: &mut Array<u32>) {
    let i = ABSOLUTE_POS;
    if i < agents as usize {
        let to = starts[visits.cells[i] as usize] + visits.arrivals[i];
        placed[to as usize] = i as u32;
    }
}

/// Moves each agent to its position within its cell, unless the cell is a crowd. Appends crowds to a list, in any
/// order, after their count.
#[cube(launch)]
pub(super) fn order_few(
    visits: &Visits,
    places: &Places,
    agents: u32,
    ordered: &mut Array<u32>,
    crowds: &mut Array<Atomic<u32>>,
) {
    let i = ABSOLUTE_POS;
    if i < agents as usize {
        let cell = visits.cells[i];
        let begin = places.starts[cell as usize];
        let end = places.starts[cell as usize + 1];
        if end - begin <= FEW {
            let mut to = begin;
            for slot in begin..end {
                if places.placed[slot as usize] < i as u32 {
                    to += 1u32;
                }
            }
            ordered[to as usize] = i as u32;
        } else if visits.arrivals[i] == 0u32 {
            let at = crowds[0].fetch_add(1u32);
            crowds[at as usize + 1].store(cell);
        }
    }
}

/// Sorts the crowds, one cube each. First it sorts runs of [`RUN`] agents by counting. Then it merges pairs of runs,
/// alternating between two buffers; each agent finds its position by a binary search in the other run. For `n` agents
/// this takes about `n log2(n)^2` reads, far less than visiting the neighbours of as many agents.
///
/// The inner loops are unrolled, because Mesa's software Vulkan silently ends the loops of a unit after 65,535
/// iterations in total. With unrolling, a crowd of millions stays below that.
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

/// Sorts runs of [`RUN`] agents among the `count` agents that start at index `begin`.
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

/// Merges pairs of neighbouring sorted runs of `width` agents.
#[cube]
fn merge_runs(from: &Array<u32>, to: &mut Array<u32>, begin: u32, count: u32, width: u32) {
    let mut i = UNIT_POS;
    while i < count {
        let first = i / width / 2u32 * width * 2u32;
        let middle = min(first + width, count);
        let agent = from[(begin + i) as usize];
        // The other run, and the position of the agent if no element of the other run precedes it.
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
