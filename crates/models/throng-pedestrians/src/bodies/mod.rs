//! Pedestrians whose bodies cover several space units: an executor on threads, `DeviceBodies` on devices, and shared
//! code.
//!
//! A tick has the phases of the paper's five kernels: pedestrians decide and register in all space units that they
//! would enter; each space unit chooses the candidate with the highest priority; and pedestrians chosen everywhere
//! move. A priority depends only on the pedestrian and the tick, so among those that want to move, the one with the
//! highest priority always does.
//!
//! Worlds with openings, exchanges of places or traces are limited to bodies of one space unit.

mod cpu;
mod plan;
#[cfg(test)]
mod tests;
pub mod views;

pub use cpu::CpuBodies;
pub(super) use plan::{MAX_BODY_SIDE, Plan};
