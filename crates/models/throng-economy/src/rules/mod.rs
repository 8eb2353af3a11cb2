//! The model, written once: the CPU calls rules, and kernels inline them. They go over views (`views`, and those beside the
//! rules that need them), which `../society` implements on the CPU and `../gpu` on devices; these decide who is visited when.

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
pub mod phases;
pub mod prelude;
pub mod production;
pub mod promises;
pub mod views;
pub mod worth;
