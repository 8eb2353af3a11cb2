//! What tests on devices share. It is apart from throng-testing, so that the tests of crates without devices do not wait for
//! CubeCL.
//!
//! * [`devices`] opens the devices that tests run on; backends without one are counted skips. [`all_devices`] has those in
//!   software in the quick tests, too.
//! * [`same_on_devices!`] tests that a rule has the same results on the host and on all of them.

#![forbid(unsafe_code)]

mod devices;
mod rules;

pub use devices::{all_devices, devices, executor_of, executors, suitable, with_f64};
pub use rules::{SameBits, devices_for, first_difference};
/// For [`same_on_devices`].
pub use throng_device;
pub use throng_device_macros::from_one_place;
