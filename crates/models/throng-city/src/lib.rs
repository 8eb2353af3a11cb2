//! Synthetic scenarios in MATSim's formats: a city with its streets, inhabitants and routes.
//!
//! * [`CityOptions`] sets size and demand; [`Tier`] names three sizes for benchmarks.
//! * [`city`] generates a [`City`] in memory: streets, people, routes by volumes, and days of simulation after which
//! some
//!   travellers choose better routes; [`write_city`] writes it as a folder that `throng run` (or MATSim) accepts, and
//! as
//!   a [scenario cache](throng_matsim::cache).
//! * [`CityGenerator`] does all of this for `throng generate city`.
//!
//! Every draw is a function of the seed, its purpose and its entity (a crossing, a person, a trip), so the same options
//! yield the same bytes on any number of threads.

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod assignment;
mod city;
mod city_error;
mod demand;
mod draws;
mod facts;
mod files;
mod generator;
mod options;
mod pieces;
mod settling;
mod shape;
mod streets;
mod tier;
mod vehicles;

pub use city::{City, city, whole_day};
pub use city_error::CityError;
pub use facts::{Congestion, Facts};
pub use files::{CityFiles, FILE_NAMES, write_city};
pub use generator::CityGenerator;
pub use options::{CityOptions, MAX_SEED, OptionsError};
pub use settling::Day;
pub use streets::RoadClass;
pub use tier::Tier;
