//! MATSim's files: readers that fill a scenario, and writers that reproduce the files.
//!
//! * [`config::from_file`] reads `config.xml`; [`config::from_file_with`] also applies changes to single parameters.
//! * [`load::load_scenario`] reads a scenario from the files that the settings name.
//! * [`convert::convert`] changes the version and the compression of a file.
//!
//! ```
//! use throng_core::NoProgress;
//! use throng_matsim::formats::network_writer::{NetworkVersion, write_network};
//! use throng_matsim::{config, load::load_scenario};
//!
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.."))?;
//! let mut configured = config::from_file("examples/city/config.xml".as_ref())?;
//! let scenario = load_scenario(configured.settings, &mut configured.warnings, &NoProgress)?;
//! println!("{} links, {} persons", scenario.network.links(), scenario.population.persons());
//! configured.warnings.lines().for_each(|line| eprintln!("{line}"));
//!
//! let xml = write_network(&scenario.network, &scenario.modes, NetworkVersion::V2, Vec::new())?;
//! assert!(xml.starts_with(b"<?xml"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//!
//! * [`config`] has the settings, their defaults and their list.
//! * [`cache`] stores a loaded scenario for later runs.
//! * [`formats`] has one module per file format.
//! * [`coordinates`] transforms coordinates between reference systems.
//! * [`compare`] checks whether two results are the same.

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

pub mod cache;
pub mod compare;
pub mod config;
pub mod convert;
pub mod coordinates;
pub mod formats;
pub mod load;
