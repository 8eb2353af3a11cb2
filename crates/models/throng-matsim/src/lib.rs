//! MATSim's files: readers that fill a scenario, and writers that reproduce the files.
//!
//! * [`config`] reads `config.xml` and applies changes to single parameters.
//! * [`load::load_scenario`] reads a scenario from the files that the settings name; [`cache`] stores it for later
//!   runs.
//! * [`formats`] has one module per file format.
//! * [`compare`] checks whether two results are the same; [`convert`] changes versions and compression.

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

pub mod cache;
pub mod compare;
pub mod config;
pub mod convert;
pub mod formats;
pub mod load;
