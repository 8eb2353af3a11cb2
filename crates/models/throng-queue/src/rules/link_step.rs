//! The step of a link: vehicles enter traffic, reach the end of the link, arrive or move into the buffer. The step ends
//! by scheduling the next one.

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

/// Executes the first part of a step, up to the arrivals. Returns whether flow capacity ran out.
#[cube]
#[inline(always)]
pub fn move_vehicles<L: LinkView>(
    link: &mut L,
    now: f64,
    #[comptime] waiting_first: bool,
    #[comptime] fast_update: bool,
    #[comptime] transit: bool,
) -> bool {
    if comptime!(!fast_update) {
        link.refill_one_step();
    }
    link.begin_upstream_end();
    let mut out_of_capacity = false;
    if comptime!(waiting_first) {
        out_of_capacity = move_waiting::<L>(link, transit);
    }
    if comptime!(transit) {
        link.leave_stops();
    }
    let queue_out_of_capacity = move_queue::<L>(link, now, transit);
    out_of_capacity || queue_out_of_capacity
}

/// Executes the rest of a step, after agents that have arrived have continued with their plans and may wait on the link
/// again. `out_of_capacity` is the result of the first part.
#[allow(clippy::fn_params_excessive_bools, reason = "three are constants of a run")]
#[cube]
#[inline(always)]
pub fn finish<L: LinkView>(
    link: &mut L,
    mut out_of_capacity: bool,
    now: f64,
    #[comptime] waiting_first: bool,
    #[comptime] fast_update: bool,
    #[comptime] transit: bool,
) {
    if comptime!(!waiting_first) {
        let waiting_out_of_capacity = move_waiting::<L>(link, transit);
        out_of_capacity = out_of_capacity || waiting_out_of_capacity;
    }
    let waits = link.select_waiting();
    let flow = link.flow();
    if out_of_capacity {
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
    } else if comptime!(!fast_update) {
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
    if comptime!(transit) {
        let at_stops = link.is_due_with_stops();
        idle = idle && !at_stops;
    }
    if comptime!(!fast_update) {
        idle = idle && !flow.is_below_a_step();
    }
    link.end_upstream_end(idle);
}

/// Lets vehicles at the end of the link stop, arrive or move into the buffer. Returns whether flow capacity ran out.
///
/// A vehicle that leaves the queue for a stop frees its room each time, but takes none when it returns, so that the
/// link has more room for the rest of the day. MATSim does the same.
#[cube]
#[inline(always)]
fn move_queue<L: LinkView>(link: &mut L, now: f64, #[comptime] transit: bool) -> bool {
    let mut out_of_capacity = false;
    let mut moving = link.select_driving();
    while moving {
        // This is read together with the exit time, so that a device waits only once.
        let arrives = link.arrives();
        moving = link.exit_time() <= now;
        let mut stays = false;
        if comptime!(transit) {
            if moving {
                stays = link.stays_at_stop();
            }
            if stays {
                moving = !link.stop_is_blocking();
            }
        }
        // Skipped for a vehicle that arrives: it needs no capacity, and the test for capacity would refill it.
        if moving && !arrives && !stays {
            moving = link.has_capacity();
            out_of_capacity = !moving;
        }
        if moving {
            link.leave_queue();
            if stays {
                link.join_stops();
            } else if arrives {
                link.arrive();
            } else {
                link.join_buffer();
            }
            moving = link.select_driving();
        }
    }
    out_of_capacity
}

/// Lets departed vehicles enter traffic at the downstream end: into the buffer, or to the front of the queue if their
/// trip ends on this link, because vehicles in the buffer cannot arrive. Returns whether flow capacity ran out.
#[cube]
#[inline(always)]
fn move_waiting<L: LinkView>(link: &mut L, #[comptime] transit: bool) -> bool {
    let mut out_of_capacity = false;
    let mut moving = link.select_waiting();
    while moving {
        if link.has_capacity() {
            link.enter_traffic();
            let mut stays = false;
            if comptime!(transit) {
                stays = link.stays_at_stop();
            }
            if stays {
                link.join_stops();
            } else if link.arrives() {
                link.join_front();
            } else {
                link.join_buffer();
            }
            moving = link.select_waiting();
        } else {
            out_of_capacity = true;
            moving = false;
        }
    }
    out_of_capacity
}
