//! MATSim's files: readers that fill a scenario, writers that give the same files back.
//!
//! * [`config`] reads `config.xml` and changes to single parameters.
//! * [`load::load_scenario`] reads a scenario from the files that the settings name; [`cache`] keeps it for the next time.
//! * [`formats`] has one module per kind of file.
//! * [`compare`] says whether two results are the same, [`convert`] changes versions and compression.

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

pub mod cache;
pub mod compare;
pub mod config;
pub mod convert;
pub mod formats;
pub mod load;
