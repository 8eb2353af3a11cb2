//! The executor on devices.

mod executor;
mod kernels;
mod opening_kernels;
mod openings;
mod state;

pub use executor::DeviceSocialField;
