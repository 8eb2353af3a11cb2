//! Rules that the CPU calls and kernels inline, each written once. They have the names of `../society`, where the phases of a
//! day are.

pub mod assembly;
pub mod barter;
pub mod extraction;
pub mod inequality;
pub mod invention;
pub mod measures;
pub mod worth;
