//! Fields on devices: equal to those on the CPU up to rounding, and bit for bit in fixed point.

// Records have many columns, which are always used together.
#![allow(clippy::wildcard_imports)]

mod bins;
mod combined;
mod dynamic_field;
mod entities;
mod field;
mod framed;
mod influence;
mod kernels;
mod launch;
mod layers;
mod pack;
mod point_queries;
mod record;
mod tables;
mod tiles;
mod travel_times;
mod windows;

pub use combined::{CombinedOnDevice, hash};
pub(crate) use dynamic_field::DynamicFieldOnDevice;
pub use dynamic_field::FieldOnDevice;
pub use entities::DeviceEntities;
pub use field::DeviceField;
pub(crate) use field::create;
pub use influence::DeviceInfluenceMap;
pub use layers::bit_layers;
pub(crate) use point_queries::{best_in, gradients, read_later, sample};
pub use throng_device::Error;
use throng_device::{Device, DeviceError};
pub use travel_times::{DeviceTravelTimes, travel_times};
pub use travel_times::{has_travel_times, travel_times_by_scheme};
pub use windows::{DeviceBest, Windows};

/// Rejects a device that computes differently from the CPU.
pub(crate) fn check_arithmetic(device: &Device) -> Result<(), DeviceError> {
    device.check_single_precision()
}
