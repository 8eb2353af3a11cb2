//! Made-up scenarios in MATSim's formats: a city with its streets, inhabitants and routes.
//!
//! * [`CityOptions`] says how large and how busy.
//! * [`city`] makes a [`City`] in memory; [`write_city`] writes it as a folder that `throng run` (or MATSim) takes.
//!
//! Every draw is a function of the seed, of what it is for and of whom it concerns (a crossing, a person, a trip), so
//! the same options give the same bytes on any number of threads.

mod assignment;
mod city;
mod demand;
mod draws;
mod facts;
mod files;
mod options;
mod shape;
mod streets;

pub use city::{City, city};
pub use facts::{Congestion, Facts};
pub use files::write_city;
pub use options::{CityOptions, OptionsError};
pub use streets::RoadClass;
