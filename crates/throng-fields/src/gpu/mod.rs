//! Fields on devices: the same fields as on the CPU, within roundings, and in fixed point bit for bit.

// The columns of records are many and always used together.
#![allow(clippy::wildcard_imports)]

mod bins;
mod entities;
mod error;
mod field;
mod kernels;
mod moving;
mod pack;
mod record;
mod tiles;
mod windows;

pub use entities::DeviceEntities;
pub use error::GpuError;
pub use field::DeviceField;
pub use moving::MovingDeviceField;
pub use windows::Windows;
