//! Shared code of tests on devices. It is separate from throng-testing, so that the tests of crates without devices
//! need not wait for CubeCL to compile.
//!
//! * [`devices`] opens the devices on which tests run; backends without a device count as skips.
//! * [`executors`] returns the CPU and these devices as executors, for the builders of models.
//! * [`same_on_devices!`] generates a test that a rule has the same results on the host and on all devices.
//!
//! ```
//! use throng_device::{DeviceError, Executor};
//! use throng_testing_devices::{executors, first_difference};
//!
//! /// Stands for a simulation, which a test builds and runs on the executor.
//! fn squares(on: &Executor) -> Result<Vec<f64>, DeviceError> {
//!     on.wait()?;
//!     Ok((0..8).map(|i| f64::from(i * i)).collect())
//! }
//!
//! let expected = squares(&Executor::cpu())?;
//! for executor in executors() {
//!     let found = squares(&executor)?;
//!     assert_eq!(first_difference(&expected, &found), Ok(()), "{}", executor.label());
//! }
//! # Ok::<(), DeviceError>(())
//! ```
//!
//! [`all_devices`] includes software devices even in the quick tests; [`with_f64`] and [`suitable`] select devices, and
//! record a skip for each of the others.

#![forbid(unsafe_code)]

mod devices;
mod rules;

pub use devices::{all_devices, devices, executors, suitable, with_f64};
pub use rules::{SameBits, devices_for, first_difference};
/// Used by [`same_on_devices`].
pub use throng_device;
pub use throng_device_macros::with_call_site_spans;
