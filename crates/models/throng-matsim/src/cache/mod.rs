//! A loaded scenario as one binary file, `scenario.throng`, which loads in seconds.
//!
//! [`write_cache`] stores a [`Scenario`](throng_traffic_scenario::Scenario) without its settings. [`read_cache`]
//! combines it with the settings of a run, which may name only the same input files and must agree in all settings that
//! affect loading: see [`origin`]. A run reads a cache through the parameter `throng.scenarioCache`.
//!
//! | part | content |
//! |---|---|
//! | header | 8 bytes that identify the format, its version as `u32`, 4 zero bytes |
//! | blocks | the columns, one after the other, each divided into blocks that are compressed (zstd) where that saves space |
//! | directory | for each column its name and number of values; for each block both sizes and a checksum |
//! | footer | offset, length and checksum of the directory as `u64`, and 8 bytes that mark the end |
//!
//! All numbers are little-endian. Blocks are compressed and decompressed on all threads of the pool. Everything in a
//! file is checked: sizes against the size of the file before memory is allocated, checksums before values are used,
//! indices against the arrays they refer to.

mod element;
mod layout;
mod numbers;
pub mod origin;
mod reader;
mod restore;
mod store;
mod transit;
mod turns;
mod writer;

pub use restore::read_cache;
pub use store::write_cache;

/// The usual file name of a scenario cache.
pub const CACHE_NAME: &str = "scenario.throng";

#[cfg(test)]
mod tests;
