//! The search on a device, which builds the tree level by level.
//!
//! A level is an array of positions, and the successors of all its positions form the next level. Counting the moves, scanning
//! the counts and writing the successors gives an order that does not depend on the order in which units run. Two moves before
//! the end, each unit searches positions alone; then the values are propagated back, level by level.
//!
//! A level has at most 2^27 positions: 1.6 GB in words of 32 bits, 2.7 GB in words of 64 bits. If the next level would be
//! larger, the current one is searched in parts.

mod kernels;
mod level;
mod levels;

pub use levels::{search, search_in_parts};
