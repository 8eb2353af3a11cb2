//! The executor on devices.

mod executor;
mod kernels;
mod opening_kernels;
mod openings;
mod plane_kernels;
mod state;
mod unit_sums;

pub use executor::DeviceSocialField;
