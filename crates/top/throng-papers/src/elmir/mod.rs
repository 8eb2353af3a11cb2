//! The programs of Elmir's thesis (2013) and its experiment: circles of equal radius in a square world.
//!
//! Errors in the printed algorithms are corrected: algorithm 2 assigns where it must add; algorithm 4 skips entities if
//! their number is not a multiple of the group size, and synchronizes in each iteration of its inner loop; no algorithm
//! clears the field. The thesis does not print the profile of a circle; this crate uses `1 - d / r`.

mod beyond;
mod cases;
mod charts;
mod circles;
mod copies;
#[cfg(feature = "gpu")]
mod device;
#[cfg(feature = "gpu")]
mod kernels;
mod ours;
mod paper;
mod program;
pub mod published;
mod report;
mod reproduce;
mod statements;
mod table;
mod three_sigma;
mod verification;

pub use beyond::{Beyond, Measured, beyond_csv, beyond_table};
pub use cases::{Case, Options};
pub use circles::{Circles, WORLD};
#[cfg(feature = "gpu")]
pub use device::DeviceCircles;
pub use ours::ours;
pub use paper::ELMIR;
pub use program::Program;
pub use report::files;
pub use reproduce::{ElmirMeasurements, reproduce};
pub(crate) use statements::statements;
pub use table::table;
pub use three_sigma::{Range, Spread};
