//! Times of second order, from those of first order.
//!
//! A cell uses the neighbours that have lower times of first order, and whose times of second order are known. So each
//! time follows from others in one way only, in whatever order they are computed. Where the neighbours beyond are also
//! lower, differences are of second order (Sethian, Level set methods and fast marching methods, 1999, chapter 8.9);
//! around goals they are corrected by [`bends`](super::bends).

// The macros of CubeCL generate items without documentation.
#![allow(missing_docs)]

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::wrapping_sum;

use super::NEVER;
use super::bends::BENDS;
use super::bordered::{Bordered, Cell};
use super::first_order::{self, godunov};
use super::source::{NO_SOURCE, correction_from, distance_from, source_beyond};
use super::task::MOST_TICKS;

/// Computes the times of first and of second order of every cell from those of the goals. Each group of cells whose
/// times of first order are final gets those of second order at once, while it is in the caches.
///
/// Returns whether all times fit into 32 bits.
pub(super) fn settle(all: &mut Bordered) -> bool {
    let highest = all.cells.iter().map(|cell| cell.step).max().unwrap_or(0);
    let scheme = Scheme { width: all.width(), bends: &BENDS, bits: spare_bits(u32::from(highest)) };
    let (mut path, mut fits) = (Vec::new(), true);
    first_order::settle(all, |cells, group| {
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
                    // Cells behind this one need some time.
                    cells[cell].second = NEVER - 1;
                    fits = false;
                }
                path.pop();
            }
        }
    });
    fits
}

/// Binary digits by which the ticks of the most expensive cell may be extended.
pub fn spare_bits(highest: u32) -> u32 {
    (MOST_TICKS as u32 / highest.max(1)).ilog2()
}

struct Scheme {
    /// The distance of neighbours along y.
    width: usize,
    bends: &'static [u32],
    bits: u32,
}

impl Scheme {
    /// Computes the time of a cell, or returns a neighbour whose time has to be computed before. That of the cell beyond
    /// it is known once its own is.
    fn compute(&self, cells: &mut [Cell], cell: usize) -> Result<(), usize> {
        let times = CellTimes { cells, bends: self.bends };
        let [x, y] = [1, self.width].map(|apart| upwind(&times, cell, lower_neighbour(&times, cell, apart)));
        for upwind in [x, y] {
            if upwind.first != NEVER && upwind.second == NEVER {
                return Err(upwind.cell);
            }
        }
        let step = u32::from(cells[cell].step);
        let arrival = arrival(&times, cell, &x, &y, step, self.bits);
        let cell = &mut cells[cell];
        (cell.second, cell.source) = (arrival.time, arrival.source as u16);
        Ok(())
    }
}

/// The times of cells, and the goals from which their paths come; see [`source`](super::source).
#[cube]
pub trait TimesView {
    /// The time of first order.
    fn first(&self, cell: usize) -> u32;
    /// The time of second order; [`NEVER`] if it is not known.
    fn second(&self, cell: usize) -> u32;
    fn source(&self, cell: usize) -> u32;
    /// An entry of [`BENDS`].
    fn bend(&self, at: u32) -> u32;
}

struct CellTimes<'c> {
    cells: &'c [Cell],
    bends: &'c [u32],
}

impl TimesView for CellTimes<'_> {
    #[inline(always)]
    fn first(&self, cell: usize) -> u32 {
        self.cells[cell].time
    }

    #[inline(always)]
    fn second(&self, cell: usize) -> u32 {
        self.cells[cell].second
    }

    #[inline(always)]
    fn source(&self, cell: usize) -> u32 {
        u32::from(self.cells[cell].source)
    }

    #[inline(always)]
    fn bend(&self, at: u32) -> u32 {
        self.bends[at as usize]
    }
}

/// The times of some cells in kernels, where CubeCL's traits require a type, too.
#[cfg(feature = "gpu")]
#[derive(CubeType)]
pub struct SharedTimes<'b> {
    pub first: SharedMemory<u32>,
    pub second: SharedMemory<u32>,
    pub sources: SharedMemory<u32>,
    pub bends: &'b Array<u32>,
}

#[cfg(feature = "gpu")]
impl CubeType for CellTimes<'_> {
    type ExpandType = <SharedTimes<'static> as CubeType>::ExpandType;
}

#[cfg(feature = "gpu")]
#[cube]
impl TimesView for SharedTimes<'_> {
    fn first(&self, cell: usize) -> u32 {
        self.first[cell]
    }

    fn second(&self, cell: usize) -> u32 {
        self.second[cell]
    }

    fn source(&self, cell: usize) -> u32 {
        self.sources[cell]
    }

    fn bend(&self, at: u32) -> u32 {
        self.bends[at as usize]
    }
}

/// The lower one of two neighbours, which are `apart` from a cell.
#[cube]
#[inline(always)]
pub fn lower_neighbour<T: TimesView>(times: &T, at: usize, apart: usize) -> usize {
    let up = times.first(at + apart) < times.first(at - apart);
    select(up, at + apart, at - apart)
}

/// The cell beyond a neighbour.
#[cube]
#[inline(always)]
pub fn beyond(at: usize, near: usize) -> usize {
    near + near - at
}

/// The lower neighbour along an axis.
#[derive(CubeType, Debug, Clone, Copy)]
pub struct Upwind {
    pub cell: usize,
    /// Its times of first and second order; [`NEVER`] if it is not lower than the cell itself.
    pub first: u32,
    pub second: u32,
    /// The time of second order of the cell beyond; [`NEVER`] unless both times are lower there.
    pub beyond: u32,
    /// Whether they are at higher coordinates.
    pub up: bool,
}

/// A neighbour of a cell, or the cell itself, which is not lower.
#[cube]
#[inline(always)]
pub fn upwind<T: TimesView>(times: &T, at: usize, near: usize) -> Upwind {
    let mut first = NEVER.runtime();
    let mut second = NEVER.runtime();
    let mut next = NEVER.runtime();
    if times.first(near) < times.first(at) {
        first = times.first(near);
        second = times.second(near);
        let beyond = beyond(at, near);
        let (first_beyond, second_beyond) = (times.first(beyond), times.second(beyond));
        // Two choices instead of one by both conditions, for which compilers of the host branch.
        next = select(first_beyond < first, select(second_beyond < second, second_beyond, NEVER), NEVER);
    }
    Upwind { cell: near, first, second, beyond: next, up: near > at }
}

/// What follows for a cell from its neighbours.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct Arrival {
    pub time: u32,
    pub source: u32,
}

/// The time and the source of a cell that takes `step` ticks, from its neighbours.
#[cube]
#[inline(always)]
pub fn arrival<T: TimesView>(times: &T, at: usize, x: &Upwind, y: &Upwind, step: u32, bits: u32) -> Arrival {
    // The source is that of the neighbour with the lowest time, as long as the path from there is straight and not too
    // long.
    let along_y = y.first < x.first;
    let near = select(along_y, y.cell, x.cell);
    let mut source = times.source(near);
    if source != NO_SOURCE {
        let distance = times.bend(distance_from(source));
        source = source_beyond(source, distance, times.second(near), step, along_y, near > at);
    }
    let second = is_of_second_order(x.second, x.beyond, y.second, y.beyond);
    let bend_x = times.bend(correction_from(source, false, x.up, second));
    let bend_y = times.bend(correction_from(source, true, y.up, second));
    let along_x = Along { time: x.second, beyond: x.beyond, bend: bend_x };
    let along_y = Along { time: y.second, beyond: y.beyond, bend: bend_y };
    Arrival { time: time_from(&along_x, &along_y, step << bits, bits, second), source }
}

/// Whether differences are of second order: along each axis that has an upwind neighbour, there is a time beyond.
#[cube]
#[inline(always)]
fn is_of_second_order(x: u32, beyond_x: u32, y: u32, beyond_y: u32) -> bool {
    (x == NEVER || beyond_x != NEVER) && (y == NEVER || beyond_y != NEVER)
}

/// What the time of a cell follows from along an axis.
#[derive(CubeType, Debug, Clone, Copy)]
struct Along {
    /// The time of second order of the upwind neighbour; [`NEVER`] if there is none.
    time: u32,
    /// The time beyond it; [`NEVER`] unless it is lower.
    beyond: u32,
    /// The correction of the difference.
    bend: u32,
}

/// The time of a cell. `scaled` is the step of the cell, extended by `bits`.
#[cube]
#[inline(always)]
fn time_from(x: &Along, y: &Along, scaled: u32, bits: u32, second: bool) -> u32 {
    let low = u32::min(x.time, y.time);
    let along_x = argument(x.time, x.beyond, low, x.bend, scaled, bits, second);
    let along_y = argument(y.time, y.beyond, low, y.bend, scaled, bits, second);
    second_order_time(along_x, along_y, low, scaled, bits, second)
}

/// What the difference along an axis makes of the time of the upwind neighbour: an argument of Godunov's scheme, in
/// parts of a tick, from a cell before the lower one of both neighbours on, [`NEVER`] if it has no effect. `scaled` is
/// the step of the cell in these parts.
#[cube]
#[inline(always)]
fn argument(time: u32, beyond: u32, low: u32, bend: u32, scaled: u32, bits: u32, second: bool) -> u32 {
    let mut argument = NEVER.runtime();
    // The time of a cell is at most a step, and a third for the one beyond, above the lower one of both.
    if time != NEVER && time - low <= (4u32 * scaled) >> bits {
        // From one cell before on, because corrections may be negative. They are in units of 2^-15.
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
    // Later than its neighbour, so that every path down ends at a goal.
    let sum = wrapping_sum(low, u32::max(ticks, 1u32));
    select(sum < low, NEVER, sum)
}

#[cfg(all(test, feature = "gpu"))]
mod on_devices {
    use throng_testing_devices::same_on_devices;

    use super::*;
    use crate::rule_tables::words;

    /// The time of a cell beside one of 100,000 ticks and one that is `apart` more; the times beyond are `fall` less.
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
