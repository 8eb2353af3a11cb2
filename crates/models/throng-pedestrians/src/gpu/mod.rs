//! The executor on devices.

mod bodies;
mod body_kernels;
mod executor;
mod field_selection;
mod field_sums;
mod floor;
mod host_views;
mod kernels;
mod opening_kernels;
mod openings;
mod plane_kernels;
mod side_sums;
mod state;
mod transforms;
mod window_sums;

pub use bodies::DeviceBodies;
pub use executor::DeviceField;
