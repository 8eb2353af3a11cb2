//! The step of a link: vehicles enter traffic, reach the end of the link, stop, arrive or move into the buffer. The
//! step ends by scheduling the next one.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::flow_capacity::FlowCapacity;

/// The view of a link: the vehicles that drive on it, those that have departed and wait to enter traffic, and the
/// buffer of those that may cross the node.
#[cube]
pub trait LinkView {
    /// Slow capacity update: adds the flow of one step.
    fn refill_one_step(&mut self);
    /// Begins the step of the upstream end, which updates holes and inflow.
    fn begin_upstream_end(&mut self);
    /// Selects the driving vehicle that leaves next; false if there is none.
    fn select_driving(&mut self) -> bool;
    /// Selects the waiting vehicle that enters traffic next; false if there is none.
    fn select_waiting(&mut self) -> bool;

    /// The earliest time at which the selected vehicle may leave the link, seconds of the day.
    fn exit_time(&self) -> f64;
    /// Whether its trip ends on this link.
    fn arrives(&self) -> bool;
    /// Whether it is so small that it needs no flow capacity.
    fn needs_no_capacity(&self) -> bool;
    /// Whether flow capacity allows it to leave or to enter now.
    fn has_capacity(&mut self) -> bool;

    /// Removes the vehicle from the queue and frees its room.
    fn leave_queue(&mut self);
    /// Moves the vehicle from the waiting list into traffic.
    fn enter_traffic(&mut self);
    /// Completes the trip of the vehicle, which is in no list.
    fn arrive(&mut self);
    /// Whether agents who have arrived have yet to continue with their plans. A device lets them continue at a single
    /// place, between the parts of a step, because that code is most of the kernel; the CPU lets them continue at once.
    fn has_arrivals(&self) -> bool;
    /// Puts the vehicle, which is in no list, at the front of the queue.
    fn join_front(&mut self);
    /// Puts the vehicle, which is in no list, into the buffer, from which the end node takes it. Uses flow capacity.
    fn join_buffer(&mut self);

    /// Serves the stops of the vehicle that are on this link and next on its route. Returns whether it stays at one of
    /// them; then its exit time is the time of the next call.
    fn stays_at_stop(&mut self) -> bool;
    /// Whether the stop at which the vehicle stays blocks the vehicles behind it.
    fn stop_is_blocking(&self) -> bool;
    /// Puts the vehicle, which is in no list, among those at stops beside the road.
    fn join_stops(&mut self);
    /// Returns the vehicles at stops beside the road whose exit time has come to the front of the queue.
    fn leave_stops(&mut self);
    /// Schedules the link for the earliest exit time of the vehicles at stops. Returns whether there are any.
    fn is_due_with_stops(&mut self) -> bool;

    /// Returns the flow accumulator.
    fn flow(&self) -> FlowCapacity;
    /// Schedules the link for the next step.
    fn is_due_soon(&mut self);
    /// Schedules the link for `time`, but not before the next step.
    fn is_due_at(&mut self, time: f64);
    /// Schedules the link for the step in which `flow` allows a vehicle to leave, or earlier. Does nothing if it
    /// does not grow, or if the vehicles in the buffer have used it up: the link becomes due when one of them leaves.
    fn is_due_with_capacity(&mut self, flow: FlowCapacity);
    /// Ends the step of the upstream end, which may also schedule the link. `idle`: as in
    /// [`stays_active`](super::upstream_end::stays_active()).
    fn end_upstream_end(&mut self, idle: bool);
}

/// The settings that decide about the step of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LinkRules {
    /// Whether waiting vehicles enter traffic before the driving ones move.
    pub waiting_first: bool,
    /// Whether flow capacity is updated when it is needed, rather than in each step.
    pub fast_update: bool,
    /// Whether there is public transport.
    pub transit: bool,
}

/// How far the step of a link has come.
#[derive(CubeType, Debug, Clone, Copy, Default)]
pub struct Progress {
    /// [`NOT_BEGUN`], the list whose vehicles are moving, or the end.
    pub stage: u32,
    /// Whether flow capacity has run out.
    pub out_of_capacity: bool,
}

/// Nothing has been done.
pub const NOT_BEGUN: u32 = 0;
/// The vehicles of the queue are moving, or those of the waiting list if it comes first.
const FIRST_LIST: u32 = 1;
/// No vehicle can move any more; only with public transport.
const MOVED: u32 = 3;

/// Executes the first part of a step. Returns true if it pauses, so that agents who have arrived continue with their
/// plans before it is resumed; they may wait on the link again.
///
/// It pauses with public transport only, after each vehicle whose driver or passengers continue, because the events of
/// stops are in the order of the queue. Otherwise all who have arrived continue before [`finish()`].
#[cube]
#[inline(always)]
pub fn move_vehicles<L: LinkView>(
    link: &mut L,
    progress: &mut Progress,
    now: f64,
    #[comptime] rules: LinkRules,
) -> bool {
    if progress.stage == NOT_BEGUN {
        if comptime!(!rules.fast_update) {
            link.refill_one_step();
        }
        link.begin_upstream_end();
        if comptime!(rules.transit && !rules.waiting_first) {
            link.leave_stops();
        }
        progress.stage = FIRST_LIST.runtime();
    }
    let mut pauses = false;
    if comptime!(rules.transit) {
        // One loop for both lists, because a device has the code for stops only once.
        while progress.stage < MOVED && !pauses {
            let mut waits = progress.stage == FIRST_LIST;
            if comptime!(!rules.waiting_first) {
                waits = !waits;
            }
            let moved = move_first::<L>(link, progress, waits, now, rules);
            pauses = link.has_arrivals();
            if !moved {
                // The other list, or the end.
                progress.stage += 1;
                if comptime!(rules.waiting_first) {
                    if waits {
                        link.leave_stops();
                    }
                }
            }
        }
    } else {
        if comptime!(rules.waiting_first) {
            move_list::<L>(link, progress, true, now, rules);
        }
        move_list::<L>(link, progress, false, now, rules);
    }
    pauses
}

/// Moves the vehicles of a list: see [`move_first()`].
#[cube]
#[inline(always)]
fn move_list<L: LinkView>(link: &mut L, progress: &mut Progress, waits: bool, now: f64, #[comptime] rules: LinkRules) {
    let mut moving = true;
    while moving {
        moving = move_first::<L>(link, progress, waits, now, rules);
    }
}

/// Moves the first vehicle of a list, if it can move; returns whether it has. `waits`: the list is that of the waiting
/// vehicles. They enter traffic at the downstream end: into the buffer, or to the front of the queue if their trip
/// ends on this link, because vehicles in the buffer cannot arrive. Vehicles in the queue stop, arrive or move into the
/// buffer once they reach the end of the link.
///
/// A vehicle that leaves the queue for a stop frees its room each time, but takes none when it returns, so that the
/// link has more room for the rest of the day. MATSim does the same.
#[cube]
#[inline(always)]
fn move_first<L: LinkView>(
    link: &mut L,
    progress: &mut Progress,
    waits: bool,
    now: f64,
    #[comptime] rules: LinkRules,
) -> bool {
    let mut moves = if waits { link.select_waiting() } else { link.select_driving() };
    let mut arrives = false;
    let mut stays = false;
    if moves {
        // This is read together with the exit time, so that a device waits only once.
        arrives = link.arrives();
        if waits {
            moves = link.has_capacity();
            if moves {
                link.enter_traffic();
            } else {
                progress.out_of_capacity = true;
            }
        } else {
            moves = link.exit_time() <= now;
        }
    }
    if comptime!(rules.transit) {
        if moves {
            stays = link.stays_at_stop();
            if stays && !waits {
                moves = !link.stop_is_blocking();
            }
        }
    }
    // Skipped for a vehicle that arrives: it needs no capacity, and the test for capacity would refill it.
    if moves && !waits && !arrives && !stays {
        moves = link.has_capacity();
        if !moves {
            progress.out_of_capacity = true;
        }
    }
    if moves {
        if !waits {
            link.leave_queue();
        }
        if stays {
            link.join_stops();
        } else if !arrives {
            link.join_buffer();
        } else if waits {
            link.join_front();
        } else {
            link.arrive();
        }
    }
    moves
}

/// Executes the rest of a step: vehicles enter traffic, unless they have in the first part, and the next step is
/// scheduled.
#[cube]
#[inline(always)]
pub fn finish<L: LinkView>(link: &mut L, progress: &mut Progress, now: f64, #[comptime] rules: LinkRules) {
    if comptime!(!rules.transit && !rules.waiting_first) {
        move_list::<L>(link, progress, true, now, rules);
    }
    let waits = link.select_waiting();
    let flow = link.flow();
    if progress.out_of_capacity {
        // A small vehicle is still waiting only if it joined the waiting list after the list was processed in this
        // step.
        let mut first_waiting_needs_no_capacity = false;
        if waits {
            first_waiting_needs_no_capacity = link.needs_no_capacity();
        }
        if first_waiting_needs_no_capacity {
            link.is_due_soon();
        } else {
            link.is_due_with_capacity(flow);
        }
    } else if waits {
        link.is_due_soon();
    } else if comptime!(!rules.fast_update) {
        if flow.grows() && flow.is_below_a_step() {
            link.is_due_soon();
        }
    }
    let drives = link.select_driving();
    if drives {
        let exit_time = link.exit_time();
        // A vehicle that wants to arrive is still in the queue only if waiting vehicles were processed after the
        // driving ones.
        if exit_time > now || link.arrives() {
            link.is_due_at(exit_time);
        }
    }
    let mut idle = !drives && !waits;
    if comptime!(rules.transit) {
        let at_stops = link.is_due_with_stops();
        idle = idle && !at_stops;
    }
    if comptime!(!rules.fast_update) {
        idle = idle && !flow.is_below_a_step();
    }
    link.end_upstream_end(idle);
}
