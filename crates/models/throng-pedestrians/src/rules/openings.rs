//! Actions of openings at the end of a tick, for one space unit or pedestrian.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(clippy::collapsible_if, reason = "in a kernel the right side of `&&` always runs")]

use throng_device::cubecl::{self, prelude::*};

use super::exit_choice::{BINS, NEVER, after_leaving, allows, bin, chosen, expected_time, nearest};
use super::floor::{EMPTY, FreeFromView, WALL, is_free};

/// Sentinel length of a route that does not exist.
pub const UNREACHABLE: u32 = u32::MAX;

/// View of the routes from the floor to the exits.
#[cube]
pub trait RoutesView {
    /// Length of the route from a space unit to an exit, 10 per space unit; [`UNREACHABLE`] if there is none.
    fn length(&self, exit: u32, unit: u32) -> u32;
}

/// View of the pedestrians in a world with openings, by index.
#[cube]
pub trait CrowdView {
    /// The pedestrian in a space unit, or [`EMPTY`] or [`WALL`].
    fn pedestrian(&self, unit: u32) -> u32;
    /// The exits through which a pedestrian may leave, a bit for each.
    fn exits(&self, pedestrian: u32) -> u32;
    /// Sets the exit that a pedestrian walks to.
    fn set_exit(&mut self, pedestrian: u32, exit: u32);
    /// The tick in which a pedestrian may make a step, or arrives at its entry.
    fn due(&self, pedestrian: u32) -> u32;
    /// Walk period of a pedestrian.
    fn period(&self, pedestrian: u32) -> u32;
    /// Places a pedestrian in an empty space unit, in which it may make a step in `tick` or later.
    fn let_in(&mut self, pedestrian: u32, unit: u32, tick: u32);
    /// Removes a pedestrian from its space unit and from the world in a tick.
    fn let_out(&mut self, pedestrian: u32, unit: u32, tick: u32);
    /// Sets the first tick in which an empty space unit can be entered after a pedestrian has left it.
    fn set_free_from(&mut self, unit: u32, tick: u32);
}

/// Handles a pedestrian in a space unit of an exit through which it may leave: it walks to this exit, and leaves the
/// world as soon as it may make a step. `tick`: the next tick.
#[cube]
#[inline]
pub fn leave<C: CrowdView>(crowd: &mut C, unit: u32, exit: u32, tick: u32, #[comptime] has_long_steps: bool) {
    let pedestrian = crowd.pedestrian(unit);
    if pedestrian < WALL {
        if allows(crowd.exits(pedestrian), exit) {
            crowd.set_exit(pedestrian, exit);
            if crowd.due(pedestrian) < tick {
                crowd.let_out(pedestrian, unit, tick);
                if has_long_steps {
                    let free_from = after_leaving(tick, crowd.period(pedestrian));
                    crowd.set_free_from(unit, free_from);
                }
            }
        }
    }
}

/// Returns the occupant of a space unit of a door: if empty, a closed door is a wall, and an open one is not.
#[cube]
#[inline]
pub fn occupant_of_door(occupant: u32, is_open: bool) -> u32 {
    select(occupant < WALL, occupant, select(is_open, EMPTY, WALL))
}

/// Lets the next pedestrian of an entry into one of its space units if the pedestrian is due and the space unit empty,
/// and assigns it to its nearest exit. Returns the index of the following pedestrian, or its own if it waits.
#[cube]
#[inline]
pub fn enter<C: CrowdView + FreeFromView + RoutesView>(
    crowd: &mut C,
    pedestrian: u32,
    unit: u32,
    tick: u32,
    #[comptime] exits: u32,
    #[comptime] has_long_steps: bool,
) -> u32 {
    let mut next = pedestrian;
    if crowd.due(pedestrian) <= tick {
        let occupant = crowd.pedestrian(unit);
        if is_free::<C>(crowd, unit, occupant, tick, has_long_steps) {
            let exit = nearest_exit::<C>(crowd, crowd.exits(pedestrian), unit, exits);
            crowd.let_in(pedestrian, unit, tick);
            crowd.set_exit(pedestrian, exit);
            next += 1u32;
        }
    }
    next
}

/// Returns the nearest exit from a space unit; the first allowed if none can be reached. `allowed`: a bit for each of
/// `exits` exits.
#[cube]
#[inline]
pub fn nearest_exit<R: RoutesView>(routes: &R, allowed: u32, unit: u32, #[comptime] exits: u32) -> u32 {
    let mut nearest = nearest();
    for exit in 0..exits {
        if allows(allowed, exit) {
            nearest.consider(exit, routes.length(exit, unit));
        }
    }
    nearest.exit
}

/// View of the crowds in front of exits.
#[cube]
pub trait QueuesView {
    /// Number of pedestrians in nearer bins that walk to the same exit, at the index from [`counter()`].
    fn ahead(&self, counter: u32) -> u32;
    /// Ticks per pedestrian ahead, a fixed-point number.
    fn ticks_for_each(&self, exit: u32) -> i32;
}

/// Returns the index of the counter for an exit and the bin of a length.
#[cube]
#[inline]
pub fn counter(exit: u32, length: u32) -> u32 {
    exit * BINS + bin(length)
}

/// Returns the exit that a pedestrian in a space unit chooses. `present`: its current exit; `allowed`: the exits that
/// it may choose, a bit for each of `exits` exits.
#[cube]
#[inline]
pub fn choose<V: RoutesView + QueuesView>(
    view: &V,
    unit: u32,
    period: u32,
    present: u32,
    allowed: u32,
    #[comptime] exits: u32,
) -> u32 {
    let mut best = chosen(present, time_to::<V>(view, unit, period, present));
    for exit in 0..exits {
        if exit != present {
            if allows(allowed, exit) {
                best.consider(exit, time_to::<V>(view, unit, period, exit));
            }
        }
    }
    best.exit
}

/// Returns the time after which a pedestrian in a space unit expects to have left through an exit, ticks.
#[cube]
#[inline]
fn time_to<V: RoutesView + QueuesView>(view: &V, unit: u32, period: u32, exit: u32) -> u32 {
    let length = view.length(exit, unit);
    let mut time = NEVER.runtime();
    if length != UNREACHABLE {
        time = expected_time(length, period, view.ahead(counter(exit, length)), view.ticks_for_each(exit));
    }
    time
}
