//! The search on a device: the tree level by level.
//!
//! A level is an array of positions. The positions after all their moves make the next level, in an order that does not
//! depend on threads: moves are counted, counts are summed up, moves are written. A unit takes a position two moves before the
//! end and searches it alone; then values go up, level by level.
//!
//! Where the next level would have more than 2^27 positions, 1.6 GB of them in narrow words, the present one is searched in
//! parts.

mod kernels;
mod level;
mod levels;

pub use levels::{search, search_in_parts};
