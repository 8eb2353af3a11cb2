//! Shared code of the tests of all Throng crates: reference data, counted skips, and amounts of work. Other crates use
//! it only as a dev-dependency, except xtask and throng-testing-devices.
//!
//! * [`skip`](fn@skip) reports that a test, or a part of it, does not run because a [requirement](Needs) is missing.
//! * [`cases`] returns the number of random cases for a property: a few, or all.
//! * [`reference_data`] returns the path of a file of MATSim, or skips the test if there is no such data.
//!
//! ```
//! use throng_testing::{Needs, cases, repository, skip};
//!
//! let city = repository().join("examples/city");
//! if !city.is_dir() {
//!     skip(Needs::Data, "the examples are not on this machine");
//!     return Ok(());
//! }
//! let plans = std::fs::read(city.join("plans.xml.gz"))?;
//! assert!(plans.starts_with(&[0x1f, 0x8b]), "a gzip member");
//! for bits in 0..cases(16) {
//!     assert_eq!(bits.rotate_left(7).rotate_right(7), bits);
//! }
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Skips and places
//!
//! * Skips are counted over all tests, in the file that [`SKIPS`] names; [`REQUIRE`] names requirements whose skips are
//!   failures.
//! * [`outside_cases`] returns the path of scenarios from outside the project, [`python`] a Python, [`python_tools`]
//!   a Python with [packages](PYTHON_PACKAGES) that open output files, [`pocl`] an OpenCL driver, and [`chromium`] a
//!   browser. Each of them skips the test if there is none.
//! * [`amount`] returns amounts of work other than random cases.
//! * [`assert_detects`] checks that verification cases detect faulty executors.
//! * [`repository`] and [`program`] find the examples and the program `throng`, even on a machine without the sources.

#![forbid(unsafe_code)]

mod amount;
mod detection;
mod needs;
mod places;
mod skip;

pub use amount::{ALL, amount, cases, tries_all};
pub use detection::assert_detects;
pub use needs::{Needs, UnknownNeed};
pub use places::{
    PROGRAM, PYTHON_PACKAGES, PYTHON_TOOLS, REFERENCE_DATA, REPOSITORY, chromium, has_chromium, has_cuda_driver,
    has_pocl, has_python_tools, has_vulkan_driver, outside_cases, pocl, program, python, python_tools, reference_data,
    repository,
};
pub use skip::{REQUIRE, SKIPS, Skip, program_name, required, skip, skip_backend};
