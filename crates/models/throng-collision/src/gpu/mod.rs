//! The collision check on devices.

mod check;
mod kernels;
mod state;

pub use check::DeviceCollisionCheck;
