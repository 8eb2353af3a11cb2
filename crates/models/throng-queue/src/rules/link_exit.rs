//! The downstream end of a link: vehicles enter traffic, reach the end, arrive, or go into the buffer.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

/// The view of the vehicles driving on a link.
#[cube]
pub trait QueueView {
    /// Selects the vehicle that leaves next, for the other functions; false if there is none.
    fn look_at_next(&mut self) -> bool;
    /// The earliest time at which the vehicle may leave the link, seconds of the day.
    fn exit_time(&self) -> f64;
    /// Whether its trip ends on this link.
    fn arrives(&self) -> bool;
    /// Whether flow capacity allows it to leave now.
    fn has_capacity(&mut self) -> bool;
    /// The vehicle leaves the queue, and frees its room.
    fn leave(&mut self);
    /// The vehicle, which has left the queue, arrives.
    fn arrive(&mut self);
    /// The vehicle, which has left the queue, goes into the buffer.
    fn move_to_buffer(&mut self);
}

/// The view of the vehicles that have departed on a link and wait to enter traffic.
#[cube]
pub trait WaitingView {
    /// Selects the vehicle that enters next, for the other functions; false if there is none.
    fn look_at_next(&mut self) -> bool;
    /// Whether flow capacity allows it to enter now.
    fn has_capacity(&mut self) -> bool;
    /// The vehicle enters traffic at the downstream end: it goes into the buffer, or, because no vehicle arrives from
    /// the buffer, to the front of the queue if its trip ends here.
    fn enter_traffic(&mut self);
}

/// Vehicles at the end of the link arrive or go into the buffer. Returns whether flow capacity ran out.
#[cube]
pub fn move_queue<Q: QueueView>(queue: &mut Q, now: f64) -> bool {
    let mut out_of_capacity = false;
    let mut moving = queue.look_at_next();
    while moving {
        // Read together with the exit time, so that a device waits only once.
        let arrives = queue.arrives();
        moving = queue.exit_time() <= now;
        // A vehicle that arrives needs no capacity, and a look at the capacity refills it.
        if moving && !arrives {
            moving = queue.has_capacity();
            out_of_capacity = !moving;
        }
        if moving {
            queue.leave();
            if arrives {
                queue.arrive();
            } else {
                queue.move_to_buffer();
            }
            moving = queue.look_at_next();
        }
    }
    out_of_capacity
}

/// Departed vehicles enter traffic. Returns whether flow capacity ran out.
#[cube]
pub fn move_waiting<W: WaitingView>(waiting: &mut W) -> bool {
    let mut out_of_capacity = false;
    let mut moving = waiting.look_at_next();
    while moving {
        if waiting.has_capacity() {
            waiting.enter_traffic();
            moving = waiting.look_at_next();
        } else {
            out_of_capacity = true;
            moving = false;
        }
    }
    out_of_capacity
}
