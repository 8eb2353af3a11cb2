//! Godunov's first-order scheme, solved in the order of times.
//!
//! The scheme rounds the exact real result down, so it is monotonic in its arguments: lowering cells in any order
//! yields the same final times, on every executor. In the order of times, almost no cell is lowered twice. Cells wait
//! in buckets of times, an "untidy" queue (Yatziv, Bartesaghi and Sapiro, O(N) implementation of the fast marching
//! algorithm, 2006), but since cells may be lowered again, the result is exact.

// The macros of CubeCL generate items without documentation.
#![allow(missing_docs)]

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::wrapping_sum;

use super::NEVER;
use super::bordered::{Bordered, Cell};
use crate::rules::fixed_point::whole_root;

/// The time of a cell, given the times of its neighbours: monotonic, and at least as late as the lowest of them.
pub(super) trait Rule: Copy {
    /// The cells whose times depend on that of a cell, in a grid whose rows are `width` cells apart.
    fn dependents(self, cell: usize, width: usize) -> impl Iterator<Item = usize>;

    /// The time of an open cell.
    fn time(self, cells: &[Cell], cell: usize, width: usize) -> u32;
}

/// Godunov's scheme.
#[derive(Clone, Copy)]
pub(super) struct Godunov;

impl Rule for Godunov {
    #[inline(always)]
    fn dependents(self, cell: usize, width: usize) -> impl Iterator<Item = usize> {
        [cell + 1, cell - 1, cell + width, cell - width].into_iter()
    }

    #[inline(always)]
    fn time(self, cells: &[Cell], cell: usize, width: usize) -> u32 {
        let across = cells[cell - 1].time.min(cells[cell + 1].time);
        let down = cells[cell - width].time.min(cells[cell + width].time);
        godunov(across, down, u32::from(cells[cell].step))
    }
}

/// Computes the time of every cell by a rule, starting at the goals. Calls `settled` for groups of cells whose times
/// are final; all lower times are in the same group or in previous ones.
///
/// Cost: about two evaluations of the scheme per cell, for any walls and costs.
pub(super) fn settle(all: &mut Bordered, rule: impl Rule, mut settled: impl FnMut(&mut [Cell], &[u32])) {
    let width = all.width();
    let mut queue = Queue::new(all);
    for &goal in &all.goals {
        queue.push(0, goal);
    }
    let cells = &mut all.cells[..];
    let (mut due, mut group) = (Vec::new(), Vec::new());
    while queue.find() {
        group.clear();
        while queue.take(&mut due) {
            for &(time, cell) in &due {
                // If the times differ, the cell has been lowered since, and has a newer entry.
                if cells[cell as usize].time == time {
                    group.push(cell);
                    lower_beside(cells, rule, cell as usize, width, &mut queue);
                }
            }
        }
        settled(cells, &group);
    }
}

/// Lowers the neighbours of a cell to the times that follow from its own.
#[inline(always)]
fn lower_beside(cells: &mut [Cell], rule: impl Rule, cell: usize, width: usize, queue: &mut Queue) {
    let time = cells[cell].time;
    for beside in rule.dependents(cell, width) {
        let Cell { time: old, step, .. } = cells[beside];
        if old <= time || step == 0 {
            continue;
        }
        let new = rule.time(cells, beside, width);
        if new < old {
            cells[beside].time = new;
            queue.push(new, beside as u32);
        }
    }
}

/// Cells in the order of their times, in buckets about as wide as the time of the cheapest cell. Cells within a bucket
/// are unordered.
struct Queue {
    /// Times and cells. No cell waits longer than the time of the most expensive cell, so buckets are reused
    /// cyclically.
    buckets: Vec<Vec<(u32, u32)>>,
    /// Binary logarithm of the width of a bucket, in ticks.
    width: u32,
    /// The index of the current bucket, counted from time 0.
    now: u32,
    waiting: usize,
}

impl Queue {
    fn new(all: &Bordered) -> Self {
        let steps = || all.cells.iter().map(|cell| u32::from(cell.step)).filter(|&step| step > 0);
        let (cheapest, most) = (steps().min().unwrap_or(1), steps().max().unwrap_or(1));
        let width = cheapest.ilog2();
        let count = ((most >> width) + 2).next_power_of_two();
        Self { buckets: vec![Vec::new(); count as usize], width, now: 0, waiting: 0 }
    }

    fn push(&mut self, time: u32, cell: u32) {
        let bucket = (time >> self.width) as usize & (self.buckets.len() - 1);
        self.buckets[bucket].push((time, cell));
        self.waiting += 1;
    }

    /// Advances to the next bucket with entries. Returns whether there is one.
    fn find(&mut self) -> bool {
        while self.waiting > 0 {
            if !self.current().is_empty() {
                return true;
            }
            self.now += 1;
        }
        false
    }

    /// Moves the entries of the current bucket to `due`, so that new ones can be added to the bucket. Returns whether
    /// there were any.
    fn take(&mut self, due: &mut Vec<(u32, u32)>) -> bool {
        due.clear();
        std::mem::swap(due, self.current());
        self.waiting -= due.len();
        !due.is_empty()
    }

    fn current(&mut self) -> &mut Vec<(u32, u32)> {
        let count = self.buckets.len();
        &mut self.buckets[self.now as usize & (count - 1)]
    }
}

/// The time of a cell whose neighbours along x and y have the times `a` and `b`, and that takes `step` ticks to cross,
/// rounded down: the larger root of `(t - a)^2 + (t - b)^2 = step^2`, or a straight step if `|a - b| >= step`. A
/// time beyond 32 bits is [`NEVER`].
#[cube]
#[inline(always)]
pub fn godunov(a: u32, b: u32, step: u32) -> u32 {
    let low = u32::min(a, b);
    let mut time = low;
    if low != NEVER {
        let apart = u32::max(a, b) - low;
        let mut more = step;
        if apart < step {
            // (a + b + sqrt(2 step^2 - (a - b)^2)) / 2, minus the lower of the two.
            more = (apart + whole_root(2 * step * step - apart * apart)) >> 1;
        }
        let sum = wrapping_sum(low, more);
        time = select(sum < low, NEVER, sum);
    }
    time
}

#[cfg(all(test, feature = "gpu"))]
mod on_devices {
    use throng_testing_devices::same_on_devices;

    use super::*;
    use crate::rule_tables::words;

    /// Times that differ slightly or strongly, or one of which is [`NEVER`].
    fn times() -> impl Iterator<Item = (u32, u32, u32)> {
        let near = words([u32::MAX, 40_000, 32_768]).map(|[a, apart, step]| (a, a.saturating_add(apart), step));
        near.chain(words([u32::MAX, u32::MAX, 32_768]).map(|[a, b, step]| (a, b, step))).flat_map(|(a, b, step)| {
            [(a, b, step), (b, a, step), (a, NEVER, step), (NEVER - a % 50_000, NEVER - b % 50_000, step)]
        })
    }

    same_on_devices!(fn steps(a: u32, b: u32, step: u32) -> u32 { godunov(a, b, step) } for times());
}
