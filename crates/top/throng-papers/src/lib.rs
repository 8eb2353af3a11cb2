//! The programs of published papers, reimplemented for comparison, and the experiments that measured them.
//!
//! * [`Declaration`] is a paper as a value, such as [`ELMIR`]: its experiment, its flags and its verification cases.
//! * [`elmir::Circles`] computes the potential fields of circles by the algorithms of a thesis.
//! * [`vigueras::FourSteps`] is a collision check as published, with its defects.
//!
//! ```
//! use throng_core::NoProgress;
//! use throng_device::CPU;
//! use throng_model::paper::{Paper as _, ReproduceRequest};
//! use throng_papers::ELMIR;
//!
//! let mut request = ReproduceRequest { quick: true, ..ReproduceRequest::default() };
//! request.flags.add("radii", "15");
//! request.flags.add("resolutions", "256");
//! request.flags.add("entities", "64");
//! let experiment = ELMIR.experiment(&request)?;
//! let reproduced = (experiment.measure)(&CPU, &NoProgress)?;
//! println!("{}", reproduced.text);
//! assert!(reproduced.files.iter().any(|(name, _)| name == "elmir.csv"));
//! # Ok::<(), throng_model::Failure>(())
//! ```
//!
//! # Papers
//!
//! * [`strippgen`]: the queue simulation of Strippgen and Nagel (2009), in eight programs.
//! * [`elmir`]: the potential fields of Elmir (2013), in five programs.
//! * [`vigueras`]: the collision checks of Vigueras et al., with and without sorting.
//! * [`kloosterman`]: the Kalah player of Kloosterman's project (2013), with a tree in an array, and its ray tracer.
//! * [`yu`]: the social fields of Yu et al., stored and updated through a cache.
//! * [`haney`]: the program of Haney, Haarsma and Ditta (2017), whose societies differ from its model in six
//!   rules.
//!
//! [`STRIPPGEN`], [`ELMIR`], [`VIGUERAS`], [`YU`], [`KLOOSTERMAN`] and [`HANEY`] are the papers as values, for
//! `throng reproduce` and `throng check`.
//!
//! Throng's own models are in `throng-queue`, `throng-fields`, `throng-collision`, `throng-pedestrians`, `throng-games`
//! and `throng-economy`, which do not depend on this crate.

// Denied rather than forbidden, because some kernels are launched without index checks.
#![deny(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]
#![cfg_attr(
    not(feature = "gpu"),
    allow(
        dead_code,
        unused_imports,
        unused_variables,
        clippy::unnecessary_wraps,
        reason = "some items are only used by kernels"
    )
)]

pub mod elmir;
pub mod experiment;
pub mod haney;
pub mod kloosterman;
pub mod strippgen;
pub mod vigueras;
pub mod yu;

pub use elmir::ELMIR;
pub use experiment::Declaration;
pub use haney::HANEY;
pub use kloosterman::KLOOSTERMAN;
pub use strippgen::STRIPPGEN;
pub use vigueras::VIGUERAS;
pub use yu::YU;
