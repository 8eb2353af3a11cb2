//! Worlds of pedestrians, and rules on the host and on devices.

#[cfg(feature = "gpu")]
mod rules;
mod worlds;
