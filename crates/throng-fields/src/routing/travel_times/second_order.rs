//! Times of second order, from those of first order.
//!
//! A cell uses the neighbours that have lower times of first order, and whose times of second order are known. So each
//! time follows from others in one way only, in whatever order they are computed. Where the neighbours beyond are also
//! lower, differences are of second order (Sethian, Level set methods and fast marching methods, 1999, chapter 8.9);
//! around goals they are corrected by [`bends`](super::bends).

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::wrapping_sum;

use super::NEVER;
use super::bends::{BENDS, FAR, STRAIGHT, bend_at, distance_at, is_straight};
use super::bordered::{Bordered, Cell, NO_SOURCE, Source};
use super::first_order::{self, godunov};
use super::task::MOST_TICKS;

/// Computes the times of first and of second order of every cell from those of the goals. Each group of cells whose
/// times of first order are final gets those of second order at once, while it is in the caches.
///
/// Returns whether all times fit into 32 bits.
pub(super) fn settle(all: &mut Bordered) -> bool {
    let highest = all.cells.iter().map(|cell| cell.step).max().unwrap_or(0);
    let scheme = Scheme { width: all.width(), bends: &BENDS, bits: spare_bits(u32::from(highest)) };
    let (mut way, mut fits) = (Vec::new(), true);
    first_order::settle(all, |cells, group| {
        for &cell in group {
            way.push(cell as usize);
            // Down to the next cell whose neighbours are known, and up again.
            while let Some(&cell) = way.last() {
                if cells[cell].second == NEVER
                    && let Err(unknown) = scheme.compute(cells, cell)
                {
                    way.push(unknown);
                    continue;
                }
                if cells[cell].second == NEVER {
                    // Cells behind this one need some time.
                    cells[cell].second = NEVER - 1;
                    fits = false;
                }
                way.pop();
            }
        }
    });
    fits
}

/// Binary digits by which the ticks of the most expensive cell may be extended.
pub(crate) fn spare_bits(highest: u32) -> u32 {
    (MOST_TICKS as u32 / highest.max(1)).ilog2()
}

struct Scheme {
    /// The distance of neighbours along y.
    width: usize,
    bends: &'static [u32],
    bits: u32,
}

/// The lower neighbour along an axis.
#[derive(Clone, Copy)]
struct Upwind {
    cell: usize,
    /// Its times of first and second order.
    time: u32,
    second: u32,
    /// The time of second order of the cell beyond; [`NEVER`] unless that is lower than its neighbour.
    beyond: u32,
    /// Whether they are at higher coordinates.
    up: bool,
}

impl Scheme {
    /// Computes the time of a cell, or returns a neighbour whose time has to be computed before.
    fn compute(&self, cells: &mut [Cell], cell: usize) -> Result<(), usize> {
        let (x, y) = (upwind(cells, cell, 1), upwind(cells, cell, self.width));
        for upwind in [x, y].into_iter().flatten() {
            if upwind.second == NEVER {
                return Err(upwind.cell);
            }
        }
        let step = u32::from(cells[cell].step);
        let source = self.source(cells, x, y, step);
        let has_beyond = |upwind: Option<Upwind>| upwind.is_none_or(|upwind| upwind.beyond != NEVER);
        let second = has_beyond(x) && has_beyond(y);
        let (a, b) = (x.map_or(NEVER, |x| x.second), y.map_or(NEVER, |y| y.second));
        let (low, scaled) = (a.min(b), step << self.bits);
        let along = |upwind: Option<Upwind>, along: i8, across: i8| {
            let Some(Upwind { second: time, beyond, up, .. }) = upwind else { return NEVER };
            // The neighbour is nearer to the goal.
            let bend = if source != NO_SOURCE && along != 0 && up == (along > 0) {
                let place = bend_at(u32::from(along.unsigned_abs()), u32::from(across.unsigned_abs()), second);
                self.bends[place as usize]
            } else {
                STRAIGHT
            };
            argument(time, beyond, low, bend, scaled, self.bits, second)
        };
        let arguments = (along(x, source[0], source[1]), along(y, source[1], source[0]));
        cells[cell].second = second_order_time(arguments.0, arguments.1, low, scaled, self.bits, second);
        cells[cell].source = source;
        Ok(())
    }

    /// The goal of the neighbour with the lowest time, as long as the way from there is straight and not too long.
    fn source(&self, cells: &[Cell], x: Option<Upwind>, y: Option<Upwind>, step: u32) -> Source {
        let time = |upwind: Option<Upwind>| upwind.map_or(NEVER, |upwind| upwind.time);
        let (axis, near) = if time(y) < time(x) { (1, y) } else { (0, x) };
        let Some(near) = near else { return NO_SOURCE };
        let mut source = cells[near.cell].source;
        if source == NO_SOURCE {
            return NO_SOURCE;
        }
        let [along, across] = source.map(|offset| u32::from(offset.unsigned_abs()));
        if !is_straight(near.second, step, self.bends[distance_at(along, across) as usize]) {
            return NO_SOURCE;
        }
        source[axis] += if near.up { 1 } else { -1 };
        if u32::from(source[axis].unsigned_abs()) > FAR { NO_SOURCE } else { source }
    }
}

#[inline(always)]
fn upwind(cells: &[Cell], cell: usize, apart: usize) -> Option<Upwind> {
    let up = cells[cell + apart].time < cells[cell - apart].time;
    let near = if up { cell + apart } else { cell - apart };
    let Cell { time, second, .. } = cells[near];
    (time < cells[cell].time).then(|| {
        // A cell of the border may have none beyond, but then it has no time.
        let beyond = cells.get(if up { near + apart } else { near.wrapping_sub(apart) });
        let beyond = beyond.filter(|beyond| beyond.time < time && beyond.second < second);
        Upwind { cell: near, time, second, beyond: beyond.map_or(NEVER, |beyond| beyond.second), up }
    })
}

/// What the difference along an axis makes of the time of the upwind neighbour: an argument of Godunov's scheme, in
/// parts of a tick, from a cell before the lower one of both neighbours on, [`NEVER`] if it has no effect. `scaled` is
/// the step of the cell in these parts.
#[cube]
#[inline(always)]
pub(crate) fn argument(time: u32, beyond: u32, low: u32, bend: u32, scaled: u32, bits: u32, second: bool) -> u32 {
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
pub(crate) fn second_order_time(x: u32, y: u32, low: u32, scaled: u32, bits: u32, second: bool) -> u32 {
    let more = godunov(x, y, select(second, (2u32 * scaled + 1u32) / 3u32, scaled));
    let half = (1u32 << bits) >> 1u32;
    let ticks = (u32::max(more, scaled) - scaled + half) >> bits;
    // Later than its neighbour, so that every way down ends at a goal.
    let sum = wrapping_sum(low, u32::max(ticks, 1u32));
    select(sum < low, NEVER, sum)
}

#[cfg(all(test, feature = "gpu"))]
mod on_devices {
    use throng_testing::same_on_devices;

    use super::*;
    use crate::rule_tables::words;

    /// The time of a cell beside one of 100,000 ticks and one that is `apart` more; the times beyond are `fall` less.
    #[cube]
    fn refined(apart: u32, fall: u32, bend: u32, step: u32, second: bool) -> u32 {
        let low = 100_000u32;
        let scaled = step << 1u32;
        let x = argument(low, low - fall, low, bend, scaled, 1u32, second);
        let y = argument(low + apart, low + apart - fall, low, bend, scaled, 1u32, second);
        second_order_time(x, y, low, scaled, 1u32, second)
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
