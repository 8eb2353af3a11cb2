//! Shared code of the tests of all Throng crates. Other crates use it only as a dev-dependency, except xtask.
//!
//! * [`skip`] reports that a test, or a part of it, does not run because something that it [needs](Needs) is missing.
//!   Skips are counted over all tests, and `THRONG_REQUIRE` turns them into failures.
//! * [`reference_data`] finds the files of MATSim, [`outside_cases`] scenarios tried by others, [`pedpy`] a Python with
//!   PedPy, [`pocl`] an OpenCL driver, and [`chromium`] a browser.
//! * [`cases`] returns the number of random cases for a property, and [`amount`] other amounts of work in a test.
//! * [`repository`] and [`program`] find the examples and the program `throng`, even on a machine without the sources.

#![forbid(unsafe_code)]

mod amount;
mod needs;
mod places;
mod skip;

pub use amount::{ALL, amount, cases, tries_all};
pub use needs::{Needs, UnknownNeed};
pub use places::{
    PEDPY, PEDPY_VERSION, PROGRAM, REFERENCE_DATA, REPOSITORY, chromium, has_chromium, has_cuda_driver, has_pedpy,
    has_pocl, has_vulkan_driver, outside_cases, pedpy, pocl, program, reference_data, repository,
};
pub use skip::{REQUIRE, SKIPS, Skip, program_name, required, skip, skip_backend};
