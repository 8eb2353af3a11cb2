//! A loaded scenario as one binary file, `scenario.throng`, which loads in seconds.
//!
//! [`write_cache`] stores a [`Scenario`](throng_traffic_scenario::Scenario) without its settings; [`read_cache`]
//! returns it with other settings, as long as those that determined what was loaded (and the input files that are
//! named) are the same: see [`origin`]. A run reads a cache through the parameter `throng.scenarioCache`.
//!
//! | part | content |
//! |---|---|
//! | header | 8 bytes that name the format, its version as `u32`, 4 bytes of zeros |
//! | blocks | the columns, one after the other, each divided into blocks that are compressed (zstd) where that saves space |
//! | directory | of each column its name and number of values; of each block both sizes and a checksum |
//! | footer | offset, length and checksum of the directory as `u64`, and 8 bytes that name the end |
//!
//! All numbers are little-endian. Blocks are compressed and decompressed on all threads of the pool. Everything in a
//! file is checked: sizes against the size of the file before memory is allocated, checksums before values are used,
//! indices against the arrays that they refer to.

mod element;
mod layout;
mod numbers;
pub mod origin;
mod reader;
mod restore;
mod store;
mod turns;
mod writer;

pub use restore::read_cache;
pub use store::write_cache;

/// The usual name of a scenario cache.
pub const CACHE_NAME: &str = "scenario.throng";

#[cfg(test)]
mod tests;
