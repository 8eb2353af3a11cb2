//! The queue model of Strippgen and Nagel, *Using common graphics hardware for multi-agent traffic simulation with CUDA*
//! (Simutools 2009), in the data layouts that the paper compares.
//!
//! It is a baseline, not the model that Throng offers: no events, no stuck time, no scoring, whole vehicles. In each
//! step of one second
//!
//! 1. a scan over **all agents** finds those whose activity is over; of those who want to enter the same link, the one
//!    with the lowest number gets a place;
//! 2. `moveLink`, for each link: vehicles that have driven the link arrive, or go into the buffer as long as it has
//!    room and the link has flow; then the departing agent enters at the end of the queue, if there is room;
//! 3. `moveNode`, for each node: the in-links in fixed order send the vehicles of their buffers on, until one finds no
//!    room. Or `moveBuffer`, for each link at once: the first one gets the room.
//!
//! Where the paper is silent or in error:
//!
//! * Its formula for the travel time multiplies length and speed; here it is `length / speed`, in whole seconds.
//! * Its buffer holds the flow per step, which is a fraction of a vehicle on nearly all streets. Here a link gathers
//!   flow as credit in fixed point and spends it vehicle by vehicle; less than one vehicle is carried over, so an idle
//!   link saves nothing up ([`rules::refilled()`]). The buffer has room for the flow per step, rounded up. (A buffer of
//!   one place without credit would let 3,600 vehicles per hour pass everywhere.)
//! * The printed `moveNode` returns from the whole node when one vehicle finds no room; here only its in-link stops.
//! * Nothing is said of stuck vehicles, so there is no such thing: a blocked vehicle waits, and a gridlock stays.
//! * Nothing is said of capacities for samples of the population, so they are those of the whole population. (A
//!   scenario's own capacity factors do count.)
//! * A departing agent enters its link where others enter it, and drives all of it.
//! * Arrivals are not limited by the flow of the link.
//!
//! [`cpu_run`] is the reference on one thread; [`reproduce`] measures it and the same programs on a GPU beside the
//! published figures. With `NODES` both end in the same [`State`]; without, threads of a GPU compete for places and only
//! [`State::check`] holds. (One CPU thread goes through the links by number, which at each node is the order of `NODES`.)

mod calendar;
mod cpu;
mod error;
mod full_model;
#[cfg(feature = "gpu")]
mod gpu;
mod input;
mod layouts;
mod model;
mod paper;
mod plans;
mod program;
mod published;
mod report;
mod reproduce;
mod roads;
pub mod rules;
mod state;
mod table;
#[cfg(test)]
mod testing;
mod variant;

pub use cpu::{CpuRun, Departures, cpu_run};
pub use error::StrippgenError;
pub use input::generated_city;
pub use model::Model;
pub use paper::STRIPPGEN;
pub use plans::Plans;
pub use program::{Found, Measured, Measurement, Program};
pub use published::{Published, TABLE_2};
pub use report::{NAMES, files};
pub use reproduce::{Options, StrippgenMeasurements, reproduce};
pub use roads::Roads;
pub use state::{Lists, State, Vehicle};
pub use table::table;
pub use variant::{Layout, Variant};
