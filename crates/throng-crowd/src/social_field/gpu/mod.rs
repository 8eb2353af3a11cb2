//! The executor on devices.

mod executor;
mod kernels;
mod state;

pub use executor::DeviceSocialField;
