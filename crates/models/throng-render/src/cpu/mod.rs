//! The executor on the CPU: packets of sixteen rays in the lanes of vector registers.
//!
//! The rays of neighbouring pixels go the same way through the tree for most of it, so a packet walks once where each of
//! its rays would walk. The functions are compiled for AVX2, too; results are the same, because nothing here depends on the
//! width of registers, and the compiler never joins products and sums.

mod lanes;
mod packet;
mod paths;
mod walk;

pub(crate) use paths::{Block, EDGE, View, add_to_block, pixels_of_block};
