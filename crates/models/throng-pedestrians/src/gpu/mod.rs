//! The executor on devices.

mod best_direction;
mod bodies;
mod body_kernels;
mod executor;
mod field_sums;
mod kernels;
mod opening_kernels;
mod openings;
mod plane_kernels;
mod side_sums;
mod state;
mod transforms;
mod unit_sums;
mod window_sums;

pub use bodies::DeviceBodies;
pub use executor::DeviceSocialField;
