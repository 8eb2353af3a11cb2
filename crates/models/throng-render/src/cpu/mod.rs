//! The executor on the CPU: packets of sixteen rays in the lanes of vector registers.
//!
//! The rays of neighbouring pixels mostly take the same path through the tree, so a packet traverses it once instead of
//! once per ray. The functions are also compiled for AVX2. This does not change results, because nothing here depends
//! on the register width, and the compiler never fuses products and sums.

mod fault;
mod lanes;
mod packet;
mod paths;
mod walk;

pub(crate) use fault::Fault;
pub(crate) use paths::{Block, EDGE, View, add_to_block, pixels_of_block};
