//! The programs of published papers, reimplemented for comparison, and the experiments that measured them.
//!
//! * [`strippgen`]: the queue simulation of Strippgen and Nagel (2009), in eight data layouts.
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
        reason = "some things only kernels need"
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
