//! The travel times of links, measured from the events of an iteration.
//!
//! * [`TravelTimeCalculator`] measures mean travel times of links by slot of the time of entry, from events.
//! * [`FreeSpeeds`] has the travel times of an empty network.
//! * [`TravelTimeTable`] is the result of a calculator, read-only, for routers on any number of threads.
//! * [`LinkTravelTimes`] is the interface of the last two.
//!
//! # Rules
//! The rules and the order of operations are those of MATSim's travel time calculator, so that values are equal to the
//! last bit.
//!
//! * A day of 30 hours is divided into slots; later times belong to the last one.
//! * A vehicle that enters a link from upstream and leaves it downstream counts in the slot of its entry. Therefore,
//!   the first and the last link of a trip do not count, nor does a link on which the vehicle stops.
//! * An empty slot has the travel time at free speed, length divided by free speed, in fractions of a second (vehicles
//!   in the simulation take whole time steps).
//! * No overtaking between slots: a slot's travel time is at least that of the previous slot minus the slot length.
//!
//! # Differences from MATSim
//! * MATSim counts the entries of a slot in 16 bits with a sign, which overflow after 32,767 entries; here, 32 bits.
//! * For a link without any measurement, MATSim keeps the free-speed travel time of the first query of each slot. If
//!   the free speed changes within the slot, later values depend on the order of queries. Here, every query uses the
//!   free speed at its own time.

mod calculator;
mod free_speeds;
mod slots;
mod table;

pub use calculator::{LinkSlots, TravelTimeCalculator};
pub use free_speeds::FreeSpeeds;
pub use table::{Getter, TravelTimeTable};

/// Travel times of links by time of entry.
pub trait LinkTravelTimes: Sync {
    /// Returns the travel time of a vehicle that enters `link` at `time_s` (seconds of the day), in seconds; infinite
    /// if the link is closed.
    fn travel_time_s(&self, link: u32, time_s: f64) -> f64;
}
