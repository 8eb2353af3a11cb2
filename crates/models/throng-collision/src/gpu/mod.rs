//! The collision check on devices.

mod crowd;
mod decisions;
mod moves;
mod passes;
mod state;

pub use crowd::DeviceCrowd;
pub(crate) use decisions::CrowdOnDevice;
pub(crate) use state::{Points, PointsBuffers};
