//! MATSim's file formats: readers that fill the scenario, and writers that reproduce the files.
//!
//! * [`open::TextInput`] opens a plain or compressed file as a stream of text in UTF-8.
//! * [`xml::Xml`] is the pull parser that every reader uses.
//!
//! There is one module per file format. Each reader has two variants: from a path, and from any [`std::io::BufRead`].
//!
//! Readers never panic on the content of a file. They collect all its problems into one [`throng_core::InputError`],
//! each problem with file, line, value and remedy.

mod attributes;
pub mod change_events;
pub(crate) mod check;
pub mod counts;
mod encoding;
pub mod events_reader;
pub mod facilities;
mod gzip;
mod inflate;
pub mod network;
pub mod network_items;
pub mod network_writer;
pub mod node_path;
pub mod open;
mod parallel_persons;
pub mod person;
mod person_chunks;
mod person_parser;
mod person_stream;
pub mod population;
pub mod population_writer;
mod references;
mod route_text;
mod sniff;
pub mod text;
pub mod transit_schedule;
pub mod value;
pub mod vehicles;
pub mod vehicles_writer;
pub mod xml;
