//! The downstream end of a link: vehicles enter traffic, reach the end, arrive, or go into the buffer.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

/// The view of a link that the rules need. `next_...` look at a vehicle; the functions below them are about that vehicle.
#[cube]
pub trait LinkView {
    /// Looks at the driving vehicle that leaves next; false if there is none.
    fn next_in_queue(&mut self) -> bool;
    /// Looks at the first vehicle that waits to enter traffic; false if there is none.
    fn next_waiting(&mut self) -> bool;
    /// The earliest time at which the vehicle may leave the link, seconds of the day.
    fn exit_time(&self) -> f64;
    /// Whether its trip ends on this link.
    fn arrives(&self) -> bool;
    /// Whether flow capacity allows it to leave now.
    fn has_capacity(&mut self) -> bool;
    /// The vehicle leaves the queue and arrives.
    fn arrive(&mut self);
    /// The vehicle leaves the queue for the buffer.
    fn leave_queue(&mut self);
    /// The waiting vehicle enters traffic at the downstream end: it goes into the buffer, or, because no vehicle arrives
    /// from the buffer, to the front of the queue if its trip ends here.
    fn enter_traffic(&mut self);
}

/// Vehicles at the end of the link arrive or go into the buffer. Returns whether flow capacity ran out.
#[cube]
pub fn move_queue<L: LinkView>(link: &mut L, now: f64) -> bool {
    let mut out_of_capacity = false;
    let mut moving = link.next_in_queue();
    while moving {
        moving = link.exit_time() <= now;
        if moving {
            // A vehicle that arrives needs no capacity, and looking for capacity refills it.
            if link.arrives() {
                link.arrive();
            } else if link.has_capacity() {
                link.leave_queue();
            } else {
                out_of_capacity = true;
                moving = false;
            }
        }
        if moving {
            moving = link.next_in_queue();
        }
    }
    out_of_capacity
}

/// Departed vehicles enter traffic. Returns whether flow capacity ran out.
#[cube]
pub fn move_waiting<L: LinkView>(link: &mut L) -> bool {
    let mut out_of_capacity = false;
    let mut moving = link.next_waiting();
    while moving {
        if link.has_capacity() {
            link.enter_traffic();
            moving = link.next_waiting();
        } else {
            out_of_capacity = true;
            moving = false;
        }
    }
    out_of_capacity
}
