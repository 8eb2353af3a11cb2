//! What openings do at the end of a tick, for one space unit or pedestrian.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]
#![allow(clippy::collapsible_if, reason = "in a kernel the right side of `&&` always runs")]

use throng_device::cubecl::{self, prelude::*};

use super::exit_choice::{BINS, NEVER, after_leaving, allows, bin, chosen, expected_time, nearest};
use super::floor::{EMPTY, FreeFromView, WALL, is_free};

/// The length of a route that does not exist.
pub const UNREACHABLE: u32 = u32::MAX;

/// The routes from a floor to the exits.
#[cube]
pub trait RoutesView {
    /// The length of the route from a space unit to an exit, 10 for a space unit; [`UNREACHABLE`] if there is none.
    fn length(&self, exit: u32, unit: u32) -> u32;
}

/// The pedestrians in a world with openings, by their numbers.
#[cube]
pub trait CrowdView {
    /// The pedestrian in a space unit, or [`EMPTY`] or [`WALL`].
    fn pedestrian(&self, unit: u32) -> u32;
    /// The exits through which a pedestrian may leave, a bit for each.
    fn exits(&self, pedestrian: u32) -> u32;
    /// The exit to which it goes.
    fn set_exit(&mut self, pedestrian: u32, exit: u32);
    /// The tick in which it may make a step, or comes to its entry.
    fn due(&self, pedestrian: u32) -> u32;
    /// Its walk period.
    fn period(&self, pedestrian: u32) -> u32;
    /// Lets it into an empty space unit, in which it may make a step in a tick.
    fn let_in(&mut self, pedestrian: u32, unit: u32, tick: u32);
    /// Takes it out of its space unit and out of the world in a tick.
    fn let_out(&mut self, pedestrian: u32, unit: u32, tick: u32);
    /// The first tick in which an empty space unit can be entered after somebody has left it.
    fn set_free_from(&mut self, unit: u32, tick: u32);
}

/// Who stands in a space unit of an exit through which it may leave goes to it, and steps out of the world as soon as it may
/// make a step. `tick`: the next one.
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

/// The occupant of a space unit of a door: where nobody is, a closed door is a wall, and an open one is not.
#[cube]
#[inline]
pub fn occupant_of_door(occupant: u32, is_open: bool) -> u32 {
    select(occupant < WALL, occupant, select(is_open, EMPTY, WALL))
}

/// The next pedestrian of an entry comes into a space unit of it, if it is due and the space unit is empty, and goes to its
/// nearest exit. Returns the pedestrian after it, or itself if it waits.
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

/// The nearest of some exits from a space unit; the first of them if none can be reached. `allowed`: a bit for each, of `exits`.
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

/// The crowds before exits.
#[cube]
pub trait QueuesView {
    /// How many go to an exit from a nearer bin: the counter of [`counter()`].
    fn ahead(&self, counter: u32) -> u32;
    /// Ticks for each of them, a fixed-point number.
    fn ticks_for_each(&self, exit: u32) -> i32;
}

/// The counter of those that go to an exit from the bin of a length.
#[cube]
#[inline]
pub fn counter(exit: u32, length: u32) -> u32 {
    exit * BINS + bin(length)
}

/// The exit that a pedestrian in a space unit chooses. `present`: the one to which it goes; `allowed`: a bit for each of the
/// `exits` that it may choose.
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

/// The time that a pedestrian in a space unit expects until it has left through an exit.
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
