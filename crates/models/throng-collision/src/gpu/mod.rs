//! The collision check on devices.

mod check;
mod decisions;
mod moves;
mod passes;
mod state;

pub use check::DeviceCollisionCheck;
pub(crate) use decisions::CrowdOnDevice;
