//! Pedestrians with bodies of several space units: an executor on threads, `DeviceBodies` on devices, and what both need.
//!
//! A tick has the phases of the paper's five kernels: pedestrians decide and register in all space units that they would
//! enter, each space unit chooses the candidate with the highest priority, and those that were chosen everywhere move. A
//! priority depends on the pedestrian and the tick only, so the one with the highest of all always moves.
//!
//! Worlds with openings, exchanges of places, and traces are for bodies of one space unit.

mod cpu;
mod plan;
#[cfg(test)]
mod tests;
pub mod views;

pub use cpu::Bodies;
pub(super) use plan::{MAX_BODY_SIDE, Plan};
