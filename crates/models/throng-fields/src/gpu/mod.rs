//! Fields on devices: the same fields as on the CPU, up to rounding, and in fixed point bit for bit.

// The columns of records are many and always used together.
#![allow(clippy::wildcard_imports)]

mod asked;
mod bins;
mod entities;
mod field;
mod framed;
mod influence;
mod kept;
mod kernels;
mod launch;
mod layer_on_device;
mod layers;
mod moving;
mod pack;
mod record;
mod tables;
mod tiles;
mod travel_times;
mod windows;

pub(crate) use asked::{best_in_blocks, sample, slopes};
pub use entities::DeviceEntities;
pub use field::DeviceField;
pub use influence::DeviceInfluenceMap;
pub(crate) use kept::KeptOnDevice;
pub use layer_on_device::{CombinedOnDevice, LayerOnDevice};
pub use layers::bit_layers;
pub use moving::MovingDeviceField;
pub use throng_device::GpuError;
pub use travel_times::{DeviceTravelTimes, travel_times};
pub use travel_times::{has_travel_times, travel_times_of_order};
pub use windows::{DeviceBest, Windows};
