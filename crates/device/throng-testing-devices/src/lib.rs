//! Shared code of tests on devices. It is separate from throng-testing, so that the tests of crates without devices
//! need not wait for CubeCL to compile.
//!
//! * [`devices`] opens the devices on which tests run; backends without a device count as skips. [`all_devices`]
//!   includes software devices even in the quick tests.
//! * [`same_on_devices!`] tests that a rule has the same results on the host and on all devices.

#![forbid(unsafe_code)]

mod devices;
mod rules;

pub use devices::{all_devices, devices, executors, suitable, with_f64};
pub use rules::{SameBits, devices_for, first_difference};
/// Used by [`same_on_devices`].
pub use throng_device;
pub use throng_device_macros::with_call_site_spans;
