//! The queue model of Strippgen and Nagel, *Using common graphics hardware for multi-agent traffic simulation with
//! CUDA* (Simutools 2009), in the data layouts that the paper compares.
//!
//! It is a baseline, not the model that Throng offers: no events, no stuck time, no scoring, and whole vehicles only.
//! Each step of one second has three parts:
//!
//! 1. A scan over **all agents** finds those whose activity is over. If several want to enter the same link, the one
//!    with the lowest index gets a slot.
//! 2. `moveLink`, for each link: vehicles that have driven the link arrive, or move into the buffer as long as it has
//!    room and the link has flow. Then the departing agent enters at the end of the queue, if there is room.
//! 3. `moveNode`, for each node: the in-links, in fixed order, send on the vehicles of their buffers until one finds no
//!    room. Alternatively `moveBuffer`, for all links in parallel: the first thread gets the slot.
//!
//! Where the paper is silent or wrong:
//!
//! * Its formula for the travel time multiplies length and speed; this implementation uses `length / speed`, in whole
//!   seconds.
//! * Its buffer holds the flow per step, which is a fraction of a vehicle on nearly all streets. In this
//!   implementation, a link accumulates flow as credit in fixed point and spends it vehicle by vehicle. It carries over
//!   less than one vehicle, so an idle link does not save up credit ([`rules::refilled()`]). The buffer has room for
//!   the flow per step, rounded up. (A buffer with one slot and no credit would let 3,600 vehicles per hour pass
//!   everywhere.)
//! * The printed `moveNode` returns from the whole node when one vehicle finds no room; this implementation only stops
//!   the in-link.
//! * The paper does not mention stuck vehicles, so nothing handles them: a blocked vehicle waits; gridlock persists.
//! * The paper does not mention capacities for samples of the population, so the capacities of the whole population
//!   apply. (A scenario's own capacity factors do apply.)
//! * A departing agent enters its link at the upstream end and drives all of it.
//! * Arrivals are not limited by the flow of the link.
//!
//! [`cpu_run`] is the reference on one thread; [`reproduce`] measures it and the same programs on a GPU, next to the
//! published figures. With `NODES`, both end in the same [`State`]; without, GPU threads compete for slots, and only
//! [`State::check`] holds. (A single CPU thread processes the links by index, which at each node is the order of
//! `NODES`.)

mod calendar;
mod cpu;
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
mod statements;
mod table;
mod technique;
#[cfg(test)]
mod testing;
mod variant;

pub use cpu::{CpuRun, Departures, cpu_run};
pub use input::generated_city;
pub use model::Model;
pub use paper::STRIPPGEN;
pub use plans::Plans;
pub use program::{Measured, Measurement, Program, SampleResults};
pub use published::{Published, TABLE_2};
pub use report::{NAMES, files};
pub use reproduce::{Options, StrippgenMeasurements, reproduce};
pub use roads::Roads;
pub use state::{Lists, State, Vehicle};
pub(crate) use statements::statements;
pub use table::table;
pub use technique::Technique;
pub use variant::{Layout, Variant};
