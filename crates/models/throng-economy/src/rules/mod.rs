//! Rules that the CPU calls and kernels inline, each written once. They have the names of `../society`, where the phases of a
//! day are.

pub mod assembly;
pub mod barter;
pub mod consumption;
pub mod device_market;
pub mod device_value;
pub mod extraction;
pub mod inequality;
pub mod invention;
pub mod measures;
pub mod numbers;
pub mod partners;
pub mod production;
pub mod promises;
pub mod views;
pub mod worth;
