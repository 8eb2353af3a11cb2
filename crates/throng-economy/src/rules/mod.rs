//! Rules that the CPU calls and kernels inline, each written once. They have the names of `../society`, where the phases of a
//! day are.

pub mod barter;
pub mod worth;
