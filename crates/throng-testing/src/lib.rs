//! What the tests of all Throng crates share. No crate but xtask depends on it, other than for its tests.
//!
//! * [`skip`] says that a test, or a part of it, does not run for want of something that it [needs](Needs). Skips are
//!   counted over all tests, and `THRONG_REQUIRE` turns them into failures.
//! * [`reference_data`] finds the files of MATSim, [`pedpy`] a Python with PedPy, [`pocl`] a driver of OpenCL, and
//!   [`chromium`] a browser.
//! * `devices` opens the devices that tests run on, and `same_on_devices!` tests a rule on all of them (feature `devices`).
//! * [`repository`] and [`program`] find examples and the program `throng`, also where the sources are not.

#![forbid(unsafe_code)]

#[cfg(feature = "devices")]
mod devices;
mod needs;
mod places;
#[cfg(feature = "devices")]
mod rules;
mod skip;

#[cfg(feature = "devices")]
pub use devices::{devices, devices_with_f64, suitable_devices};
pub use needs::{Needs, UnknownNeed};
pub use places::{
    PEDPY, PEDPY_VERSION, PROGRAM, REFERENCE_DATA, REPOSITORY, chromium, has_chromium, has_pedpy, has_pocl,
    has_vulkan_driver, pedpy, pocl, program, reference_data, repository,
};
#[cfg(feature = "devices")]
pub use rules::{SameBits, devices_for, first_difference};
pub use skip::{REQUIRE, SKIPS, Skip, required, skip, skip_backend};
/// For [`same_on_devices`].
#[cfg(feature = "devices")]
pub use throng_device;
#[cfg(feature = "devices")]
pub use throng_device_macros::from_one_place;
