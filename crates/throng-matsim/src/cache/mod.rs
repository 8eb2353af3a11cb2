//! A loaded scenario as one binary file, `scenario.throng`: the second load takes seconds.
//!
//! [`write_cache`] stores everything of a [`Scenario`](throng_traffic_scenario::Scenario) but its settings; [`read_cache`] gives
//! it back under other settings, as long as those that decided what was loaded (and the input files that are named) are
//! the same: see [`origin`]. A run takes a cache as the parameter `throng.scenarioCache`.
//!
//! | part | content |
//! |---|---|
//! | head | 8 bytes that name the format, its version as `u32`, 4 bytes of zeros |
//! | blocks | the columns, one after the other, each cut into blocks that are packed (zstd) where that pays |
//! | directory | of each column its name and number of values; of each block both sizes and a checksum |
//! | foot | offset, length and checksum of the directory as `u64`, and 8 bytes that name the end |
//!
//! All numbers are little-endian. Blocks are packed and unpacked on all threads of the pool. Everything that a file says
//! is checked: sizes against the size of the file before memory is taken, checksums before values are used, indices
//! against what they point into.

mod checksum;
mod element;
mod layout;
mod numbers;
pub mod origin;
mod reader;
mod restore;
mod store;
mod turns;
mod writer;

pub use checksum::checksum;
pub use restore::read_cache;
pub use store::write_cache;

/// The usual name of a scenario cache.
pub const CACHE_NAME: &str = "scenario.throng";

#[cfg(test)]
mod tests;
