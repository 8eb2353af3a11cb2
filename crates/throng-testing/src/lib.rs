//! What the tests of all Throng crates share. No crate but xtask depends on it, other than for its tests.
//!
//! * [`skip`] says that a test, or a part of it, does not run for want of something that it [needs](Needs). Skips are
//!   counted over all tests, and `THRONG_REQUIRE` turns them into failures.
//! * [`reference_data`] finds the files of MATSim.
//! * [`repository`] and [`program`] find examples and the program `throng`, also where the sources are not.

#![forbid(unsafe_code)]

mod needs;
mod places;
mod skip;

pub use needs::{Needs, UnknownNeed};
pub use places::{PROGRAM, REFERENCE_DATA, REPOSITORY, has_vulkan_driver, program, reference_data, repository};
pub use skip::{REQUIRE, SKIPS, Skip, required, skip, skip_backend};
