//! Tests of whole societies, sweeps over them, and their replay.

mod replay;
#[cfg(feature = "gpu")]
mod societies;
#[cfg(feature = "gpu")]
mod sweeps;
mod tables;
