//! Times of paths that lead from cell to cell: along the axes (Manhattan), or also diagonally (Chebyshev).
//!
//! The time of a cell is that of the lowest neighbour, plus its own. This is monotonic in the times of the neighbours,
//! so lowering cells in any order yields the same times, as in the [first-order scheme](super::first_order).

// The macros of CubeCL generate items without documentation.
#![allow(missing_docs)]

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::wrapping_sum;

use super::NEVER;
use super::bordered::Cell;
use super::first_order::Rule;

/// The time of a cell that takes `step` ticks and whose lowest neighbour has the time `low`. A time beyond 32 bits is
/// [`NEVER`].
#[cube]
#[inline(always)]
pub fn time_beside(low: u32, step: u32) -> u32 {
    let sum = wrapping_sum(low, step);
    select(sum < low, NEVER, sum)
}

/// The time of a diagonal neighbour; [`NEVER`] unless both cells beside the step to it are open.
///
/// Devices take cells for open once they have a time. The final times are the same, since every open cell beside a cell
/// with a time gets one.
#[cube]
#[inline(always)]
pub fn diagonal_time(diagonal: u32, beside_is_open: bool, other_is_open: bool) -> u32 {
    select(beside_is_open && other_is_open, diagonal, NEVER)
}

/// Steps to four neighbours.
#[derive(Clone, Copy)]
pub(super) struct Axes;

impl Rule for Axes {
    fn dependents(self, cell: usize, width: usize) -> impl Iterator<Item = usize> {
        [cell + 1, cell - 1, cell + width, cell - width].into_iter()
    }

    #[inline(always)]
    fn time(self, cells: &[Cell], cell: usize, width: usize) -> u32 {
        let time = |cell: usize| cells[cell].time;
        let low = time(cell - 1).min(time(cell + 1)).min(time(cell - width)).min(time(cell + width));
        time_beside(low, u32::from(cells[cell].step))
    }
}

/// Steps to eight neighbours.
#[derive(Clone, Copy)]
pub(super) struct AxesAndDiagonals;

impl Rule for AxesAndDiagonals {
    fn dependents(self, cell: usize, width: usize) -> impl Iterator<Item = usize> {
        let (below, above) = (cell - width, cell + width);
        [cell + 1, cell - 1, above, below, above + 1, above - 1, below + 1, below - 1].into_iter()
    }

    #[inline(always)]
    fn time(self, cells: &[Cell], cell: usize, width: usize) -> u32 {
        let mut low = NEVER;
        for column in [cell - 1, cell + 1] {
            low = low.min(cells[column].time);
        }
        for row in [cell - width, cell + width] {
            low = low.min(cells[row].time);
            for column in [cell - 1, cell + 1] {
                let [beside, other] = [column, row].map(|cell| cells[cell].step != 0);
                low = low.min(diagonal_time(cells[row + column - cell].time, beside, other));
            }
        }
        time_beside(low, u32::from(cells[cell].step))
    }
}

#[cfg(all(test, feature = "gpu"))]
mod on_devices {
    use throng_testing_devices::same_on_devices;

    use super::*;
    use crate::rule_tables::words;

    fn times() -> impl Iterator<Item = (u32, u32, u32)> {
        words([u32::MAX, u32::MAX, 32_768])
            .flat_map(|[a, b, step]| [(a, b, step), (NEVER, b, step), (a, NEVER, step), (NEVER - a % 50_000, b, step)])
    }

    same_on_devices!(fn steps(low: u32, beside: u32, step: u32) -> u32 {
        time_beside(diagonal_time(low, beside != NEVER, step != 7u32), step)
    } for times());
}
