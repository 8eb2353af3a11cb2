//! Images compared with their definition, on the CPU and on devices.

mod common;
mod definition;
#[cfg(feature = "gpu")]
mod devices;
mod invariance;
#[cfg(feature = "gpu")]
mod moving;
mod pixels;
mod trees;
