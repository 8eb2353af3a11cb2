//! Societies: agents that live by extracting, bartering and building. The model is "Societies" by Haney, Haarsma and
//! Ditta, with the article of 2017 (DOI 10.1007/s41247-017-0026-z).
//!
//! * [`Parameters`] contains the parameters of the model, with their units.
//! * [`Society`] simulates one society on the CPU, day by day.
//! * [`Societies`] simulates many, with different parameters and seeds, on the CPU or on a device.
//!
//! ```
//! use throng_device::DeviceChoice;
//! use throng_economy::{Parameters, Societies, Society};
//!
//! let parameters = Parameters { agents: 4, resources: 8, ..Parameters::default() };
//! let mut society = Society::new(&parameters, 1)?;
//! society.day();
//! // On the first day an agent extracts 67 units in its 600 minutes.
//! assert_eq!(society.today.units_extracted(), 4 * 67);
//!
//! let all = Societies::builder().replicates(&parameters, 1..=10).on(DeviceChoice::Auto).build()?;
//! for (seed, course) in (1..).zip(all.simulate(20)?) {
//!     println!("seed {seed}: utility {:?} on day 20", course.on_day(20, "utility"));
//! }
//! # Ok::<(), throng_model::Failure>(())
//! ```
//!
//! Agents are equal at the start. Each has a limited time per day to extract resources, improves with practice, barters
//! abundant resources for missing ones, and invents, trades and builds tools.
//!
//! * [`curves`] contains utility and effort as tables: the worth of a further unit, and the time it takes.
//! * [`devices`] defines the six kinds of devices.
//! * [`model`] contains the model that `throng run examples/societies` runs.

#![deny(clippy::print_stderr, clippy::print_stdout)]

pub mod curves;
pub mod devices;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod model;
pub mod parameters;
mod rules;
mod societies;
pub mod society;

pub use devices::{Devices, Kind};
pub use parameters::Parameters;
pub use societies::{Societies, SocietiesBuilder, SocietyCourse};
pub use society::Society;
