//! Devices: what is there, buffers, labelled launches, limits and their errors, timings, and parallel primitives.
//!
//! This crate knows no model. A model's executor opens a device, puts its state into [`Buffer`]s, and launches kernels
//! by label:
//!
//! ```
//! use cubecl::prelude::*;
//! use throng_device::{AnyDevice, Device, DeviceError, DeviceId, open, with_device};
//!
//! #[cube(launch)]
//! fn double(values: &mut Array<u32>) {
//!     let i = ABSOLUTE_POS;
//!     if i < values.len() {
//!         values[i] *= 2;
//!     }
//! }
//!
//! fn doubled<R: Runtime>(device: &Device<R>, values: &[u32]) -> Result<Vec<u32>, DeviceError> {
//!     let buffer = device.upload("values", values)?;
//!     device.launch("double", values.len(), |client, cubes, dim| double::launch::<R>(client, cubes, dim, buffer.arg()))?;
//!     device.read(&buffer)
//! }
//!
//! # fn main() -> Result<(), DeviceError> {
//! // Software Vulkan, where there is nothing else; CUDA would be "cuda:0".
//! let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
//! assert_eq!(with_device!(&device, |device| doubled(device, &[1, 2, 3]))?, [2, 4, 6]);
//! # Ok(())
//! # }
//! ```
//!
//! Everything that is CubeCL's in a signature stays in this crate and in kernels.

#![deny(clippy::print_stderr, clippy::print_stdout)]

pub mod angles;
mod arithmetic;
mod buffer;
mod choice;
mod device;
mod environment;
mod error;
mod failure;
pub mod faults;
mod inventory;
mod launches;
mod ledger;
mod meeting;
mod memory;
pub mod neighbours;
mod open;
mod origin;
pub mod primitives;
mod roots;
mod transfer;
mod turns;

pub use arithmetic::{Arithmetic, SingleArithmetic};
pub use buffer::{Buffer, Element, Pending};
pub use choice::{Backend, DeviceChoice, DeviceId};
pub use device::Device;
pub use environment::quiet_drivers;
pub use error::DeviceError;
pub use inventory::{DeviceClass, DeviceInfo, Inventory, Missing, inventory};
pub use launches::CUBE_UNITS;
pub use ledger::{Ledger, PhaseTime};
pub use meeting::meet;
pub use open::{AnyDevice, keep_kernels_in, open};
pub use roots::quick_roots;
pub use turns::Turn;

/// CubeCL, for the kernels of models.
pub use cubecl;
