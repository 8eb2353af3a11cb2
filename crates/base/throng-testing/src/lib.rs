//! What the tests of all Throng crates share. No crate but xtask depends on it, other than for its tests.
//!
//! * [`skip`] says that a test, or a part of it, does not run for want of something that it [needs](Needs). Skips are
//!   counted over all tests, and `THRONG_REQUIRE` turns them into failures.
//! * [`reference_data`] finds the files of MATSim, [`outside_cases`] what others tried, [`pedpy`] a Python with PedPy,
//!   [`pocl`] a driver of OpenCL, and [`chromium`] a browser.
//! * [`cases`] says how many random cases a property is tried with, and [`amount`] how much else a test tries.
//! * [`repository`] and [`program`] find examples and the program `throng`, also where the sources are not.

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
