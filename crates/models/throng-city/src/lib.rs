//! Synthetic scenarios in MATSim's formats: a city with its streets, inhabitants and routes.
//!
//! * [`CityOptions`] sets the size and the demand of a city.
//! * [`city()`] generates a [`City`] in memory, with its network, its population and facts about both.
//! * [`write_city`] writes a city as a folder that `throng run` and MATSim accept.
//!
//! ```
//! use throng_city::{CityFiles, CityOptions, city, write_city};
//! use throng_core::NoProgress;
//! use throng_output::{Codec, IfNotEmpty, RunFolder};
//!
//! # let dir = tempfile::tempdir()?;
//! # std::env::set_current_dir(&dir)?;
//! let options = CityOptions { links: 400, persons: 300, days: 0, ..CityOptions::default() };
//! let town = city(&options, &NoProgress)?;
//! println!("{:.0} km of roads, {} trips by car", town.facts.road_km, town.facts.car_trips);
//! assert_eq!(town.population.persons(), 300);
//!
//! let folder = RunFolder::create("town".as_ref(), IfNotEmpty::Refuse, "--overwrite")?;
//! let files = write_city(town, &folder, Codec::Gzip, CityFiles::All)?;
//! folder.finish();
//! assert!(files.iter().any(|file| file.name == "config.xml"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The routes of a city follow from volumes, and then from days of simulation after which some travellers choose better
//! routes. Every draw is a function of the seed, its purpose and its entity (a crossing, a person, a trip), so the same
//! options yield the same bytes on any number of threads.
//!
//! * [`Tier`] names three sizes for benchmarks.
//! * [`City::into_scenario`] makes a city a scenario without files, and [`whole_day`] returns the settings for it.
//! * [`write_city`] also writes a [scenario cache](throng_matsim::cache).
//! * [`CityGenerator`] does all of this for `throng generate city`.

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod assignment;
mod city;
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
mod transit;
mod vehicles;

pub use city::{City, city, whole_day};
pub use facts::{Congestion, Facts};
pub use files::{CityFiles, FILE_NAMES, write_city};
pub use generator::CityGenerator;
pub use options::{CityOptions, MAX_SEED};
pub use settling::Day;
pub use streets::RoadClass;
pub use tier::Tier;
pub use transit::{RouteCall, TransitDeparture, TransitLines, TransitRoute};
