//! Second-order times, computed from first-order times.
//!
//! A cell uses the neighbours that have lower first-order times, and whose second-order times are known. The
//! dependencies of each time are therefore unique, independent of the order of computation. Where the neighbours beyond
//! are also lower, differences are of second order (Sethian, Level set methods and fast marching methods, 1999, chapter
//! 8.9); around goals they are corrected by [`distance_corrections`](super::distance_corrections).

// The macros of CubeCL generate items without documentation.
#![allow(missing_docs)]

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::wrapping_sum;

use super::NEVER;
use super::bordered::{Bordered, Cell};
use super::distance_corrections::DISTANCE_CORRECTIONS;
use super::first_order::{self, Godunov, godunov};
use super::source::{NO_SOURCE, correction_from, distance_from, source_beyond};
use super::task::MAX_TICKS;

/// Computes the first-order and second-order times of every cell, starting at the goals. Second-order times of a group
/// of cells are computed as soon as its first-order times are final, while the cells are in the caches.
///
/// Returns whether all times fit into 32 bits.
pub(super) fn settle(all: &mut Bordered) -> bool {
    let highest = all.cells.iter().map(|cell| cell.step).max().unwrap_or(0);
    let scheme =
        Scheme { width: all.width(), corrections: &DISTANCE_CORRECTIONS, bits: spare_bits(u32::from(highest)) };
    let (mut path, mut fits) = (Vec::new(), true);
    first_order::settle(all, Godunov, |cells, group| {
        for &cell in group {
            path.push(cell as usize);
            // Down to the next cell whose neighbours are known, and up again.
            while let Some(&cell) = path.last() {
                if cells[cell].second == NEVER
                    && let Err(unknown) = scheme.compute(cells, cell)
                {
                    path.push(unknown);
                    continue;
                }
                if cells[cell].second == NEVER {
                    // Not `NEVER`, which marks unknown times: the loop would compute this cell again and again.
                    cells[cell].second = NEVER - 1;
                    fits = false;
                }
                path.pop();
            }
        }
    });
    fits
}

/// Number of bits by which the ticks of the most expensive cell may be extended.
pub fn spare_bits(highest: u32) -> u32 {
    (MAX_TICKS as u32 / highest.max(1)).ilog2()
}

struct Scheme {
    /// The index offset between neighbours along y.
    width: usize,
    corrections: &'static [u32],
    bits: u32,
}

/// The lower neighbour along an axis.
#[derive(Clone, Copy)]
struct Upwind {
    cell: usize,
    /// The first-order time; `second` is the second-order time. Both are [`NEVER`] if no neighbour is lower.
    time: u32,
    second: u32,
    /// The second-order time of the cell beyond; [`NEVER`] unless that is lower than its neighbour.
    beyond: u32,
    /// Whether the neighbour and the cell beyond are at higher coordinates.
    up: bool,
}

impl Scheme {
    /// Computes the time of a cell, or returns a neighbour whose time must be computed first.
    fn compute(&self, cells: &mut [Cell], cell: usize) -> Result<(), usize> {
        let (x, y) = (upwind(cells, cell, 1), upwind(cells, cell, self.width));
        for upwind in [x, y] {
            if upwind.time != NEVER && upwind.second == NEVER {
                return Err(upwind.cell);
            }
        }
        let step = u32::from(cells[cell].step);
        let source = self.source(cells, x, y, step);
        let second = is_of_second_order(x.second, x.beyond, y.second, y.beyond);
        let bend = |up: bool, along_y: bool| self.corrections[correction_from(source, along_y, up, second) as usize];
        let along = |upwind: Upwind, along_y: bool| {
            let Upwind { second, beyond, up, .. } = upwind;
            Along { time: second, beyond, bend: bend(up, along_y) }
        };
        cells[cell].second = time_from(&along(x, false), &along(y, true), step << self.bits, self.bits, second);
        cells[cell].source = source as u16;
        Ok(())
    }

    /// The goal of the neighbour with the lowest time, if the path from there is straight and not too long.
    fn source(&self, cells: &[Cell], x: Upwind, y: Upwind, step: u32) -> u32 {
        let along_y = y.time < x.time;
        let near = if along_y { y } else { x };
        let source = u32::from(cells[near.cell].source);
        if source == NO_SOURCE {
            return NO_SOURCE;
        }
        let distance = self.corrections[distance_from(source) as usize];
        source_beyond(source, distance, near.second, step, along_y, near.up)
    }
}

/// The lower neighbour along an axis; without times if none is lower.
#[inline(always)]
fn upwind(cells: &[Cell], cell: usize, apart: usize) -> Upwind {
    let up = cells[cell + apart].time < cells[cell - apart].time;
    let near = if up { cell + apart } else { cell - apart };
    let Cell { time, second, .. } = cells[near];
    if time >= cells[cell].time {
        return Upwind { cell: near, time: NEVER, second: NEVER, beyond: NEVER, up };
    }
    // The cell beyond a border cell may not exist, but then the border cell has no time.
    let beyond = cells.get(if up { near + apart } else { near.wrapping_sub(apart) });
    let beyond = beyond.map_or(NEVER, |beyond| time_beyond(time, second, beyond.time, beyond.second));
    Upwind { cell: near, time, second, beyond, up }
}

/// The second-order time beyond an upwind neighbour, given both times of the neighbour and of the cell beyond it;
/// [`NEVER`] unless both times of the latter are lower.
#[cube]
#[inline(always)]
pub fn time_beyond(near: u32, near_second: u32, beyond: u32, beyond_second: u32) -> u32 {
    select(beyond < near && beyond_second < near_second, beyond_second, NEVER)
}

/// Whether second-order differences apply: there is a time beyond along each axis that has an upwind neighbour.
#[cube]
#[inline(always)]
pub fn is_of_second_order(x: u32, beyond_x: u32, y: u32, beyond_y: u32) -> bool {
    (x == NEVER || beyond_x != NEVER) && (y == NEVER || beyond_y != NEVER)
}

/// The inputs for the time of a cell along an axis.
#[derive(CubeType, Debug, Clone, Copy)]
pub struct Along {
    /// The second-order time of the upwind neighbour; [`NEVER`] if there is none.
    pub time: u32,
    /// The time beyond it; [`NEVER`] unless it is lower.
    pub beyond: u32,
    /// The correction of the difference.
    pub bend: u32,
}

/// The time of a cell. `scaled` is the step of the cell, with `bits` additional fractional bits.
#[cube]
#[inline(always)]
pub fn time_from(x: &Along, y: &Along, scaled: u32, bits: u32, second: bool) -> u32 {
    let low = u32::min(x.time, y.time);
    let along_x = argument(x.time, x.beyond, low, x.bend, scaled, bits, second);
    let along_y = argument(y.time, y.beyond, low, y.bend, scaled, bits, second);
    second_order_time(along_x, along_y, low, scaled, bits, second)
}

/// The term that one axis contributes to Godunov's scheme, computed from the time of the upwind neighbour; [`NEVER`] if
/// it has no effect. Relative to the time one cell before `low`, the lower of both neighbours, in fractions of a tick.
/// `scaled` is the step of the cell in these fractions.
#[cube]
#[inline(always)]
fn argument(time: u32, beyond: u32, low: u32, bend: u32, scaled: u32, bits: u32, second: bool) -> u32 {
    let mut argument = NEVER.runtime();
    // The time of a cell exceeds the lower one of both by at most a step, plus a third for the one beyond.
    if time != NEVER && time - low <= (4u32 * scaled) >> bits {
        // Starting one cell before `low`, because corrections may be negative. They are in units of 2^-15.
        argument = ((time - low) << bits) + ((scaled * bend) >> 15u32);
        if second {
            // (3 t - 4 a + b) / 2 is 3 / 2 of the difference of t and a + (a - b) / 3.
            argument += (((time - beyond) << bits) + 1u32) / 3u32;
        }
    }
    argument
}

/// The time of a cell from the arguments along x and y.
#[cube]
#[inline(always)]
fn second_order_time(x: u32, y: u32, low: u32, scaled: u32, bits: u32, second: bool) -> u32 {
    let more = godunov(x, y, select(second, (2u32 * scaled + 1u32) / 3u32, scaled));
    let half = (1u32 << bits) >> 1u32;
    let ticks = (u32::max(more, scaled) - scaled + half) >> bits;
    // Later than the neighbour, so that every path down ends at a goal.
    let sum = wrapping_sum(low, u32::max(ticks, 1u32));
    select(sum < low, NEVER, sum)
}

#[cfg(all(test, feature = "gpu"))]
mod on_devices {
    use throng_testing_devices::same_on_devices;

    use super::*;
    use crate::rule_tables::words;

    /// The time of a cell next to one with 100,000 ticks and one with `apart` more; the times beyond are lower by
    /// `fall`.
    #[cube]
    fn refined(apart: u32, fall: u32, bend: u32, step: u32, second: bool) -> u32 {
        let low = 100_000u32;
        let high = low + apart;
        let x = Along { time: low, beyond: low - fall, bend };
        let y = Along { time: high, beyond: high - fall, bend };
        time_from(&x, &y, step << 1u32, 1u32, second)
    }

    fn cases() -> impl Iterator<Item = (u32, u32, u32, u32)> {
        words([70_000, 40_000, 65_536, 16_384]).map(|[apart, fall, bend, step]| (apart, fall, bend, step.max(1)))
    }

    same_on_devices!(fn first(apart: u32, fall: u32, bend: u32, step: u32) -> u32 {
        refined(apart, fall, bend, step, false)
    } for cases());
    same_on_devices!(fn second(apart: u32, fall: u32, bend: u32, step: u32) -> u32 {
        refined(apart, fall, bend, step, true)
    } for cases());
}
