//! Kernels on the host, for debugging: an interpreter of units, shared memory and barriers.
//!
//! The device `host` executes the same expansion of a kernel that other devices compile, slowly and exactly, and
//! reports what they would not notice:
//!
//! * an index out of bounds, also in a launch without index checks;
//! * a barrier that not all units of a cube reach;
//! * a read of shared memory that no unit has written, and accesses of two units to shared memory of which one is a
//!   write, without a barrier in between;
//! * a division of integers by 0, and a shift by more bits than a number has;
//! * an operation that the interpreter does not support, such as one on planes or tensors.
//!
//! The cubes of a launch run one after another, in order. The units of a cube run in order, too, each until it ends or
//! waits at a barrier. [`trace`] prints the instructions of one unit.

mod arithmetic;
mod builtins;
mod interpreter;
mod lowering;
mod memory;
mod program;
mod server;
mod shared;
#[cfg(test)]
mod tests;
mod trace;
mod unit;

pub(crate) use server::Host;

use crate::choice::{Backend, DeviceId};
use crate::device::Device;
use crate::error::DeviceError;
use crate::inventory::{DeviceClass, DeviceInfo};
use crate::open::client;
use crate::runtime::GpuDevice;

/// Opens the device.
pub(crate) fn open(info: &DeviceInfo) -> Result<Device, DeviceError> {
    Ok(Device::new(client(info, &GpuDevice::Host)?, info.clone()))
}

/// Lists the only device.
pub(crate) fn devices() -> Vec<DeviceInfo> {
    vec![DeviceInfo {
        id: DeviceId { backend: Backend::Host, index: 0 },
        name: "kernel interpreter".to_owned(),
        driver: "for debugging".to_owned(),
        class: DeviceClass::Software,
        memory_bytes: None,
        has_f64: true,
        index_in_class: 0,
    }]
}
