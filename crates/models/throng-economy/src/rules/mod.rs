//! The rules of the model, shared by host and kernels: the CPU calls them, and kernels inline them. They access data
//! through views (`views`, and those next to the rules that need them), implemented in `../society` for the CPU and in
//! `../gpu` for devices. The executors decide the order in which agents are visited.

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
