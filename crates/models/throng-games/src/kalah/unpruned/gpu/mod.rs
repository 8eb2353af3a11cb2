//! The search on a device, which builds the tree level by level.
//!
//! A level is an array of positions, and the successors of all its positions form the next level. Counting the moves,
//! scanning the counts and writing the successors gives an order independent of the order in which units run. Two moves
//! before the end, each unit searches its positions independently; the values are then propagated back, level by level.
//!
//! A level has at most 2^27 positions: 1.6 GB in 32-bit words, 2.7 GB in 64-bit words. If the next level would be
//! larger, the current one is searched in parts.

mod kernels;
mod level;
mod levels;

pub use levels::{search, search_in_parts};
