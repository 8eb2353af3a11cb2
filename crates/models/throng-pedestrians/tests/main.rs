//! Tests of worlds of pedestrians, and of rules on the host and on devices.

#[cfg(feature = "gpu")]
mod rules;
mod worlds;
