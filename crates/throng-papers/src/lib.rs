//! The programs of published papers, kept as they are for comparison, and the experiments that measured them.
//!
//! * [`strippgen`]: the queue simulation of Strippgen and Nagel (2009), in eight data layouts.
//! * [`elmir`]: the potential fields of Elmir (2013), in five programs.
//!
//! [`Elmir`] is the thesis as something with verification cases, for `throng check`.
//!
//! The models that one uses are in `throng-queue` and `throng-fields`; nothing there depends on this crate.

// Denied and not forbidden, because of kernels that are launched without index checks.
#![deny(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]
#![cfg_attr(not(feature = "gpu"), allow(dead_code, unused_imports, reason = "some things only kernels need"))]

mod checks;
pub mod elmir;
pub mod strippgen;

pub use checks::Elmir;
