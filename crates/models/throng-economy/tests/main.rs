//! Tests of whole societies, sweeps over them, their replay, and a comparison with a program in Python.

mod python;
mod replay;
#[cfg(feature = "gpu")]
mod societies;
#[cfg(feature = "gpu")]
mod sweeps;
mod tables;
