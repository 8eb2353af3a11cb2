//! Fields of entities that are added, moved and removed, on the fastest executor: [`Fields`] opens a device or the CPU,
//! and [`MovingFields`] have the same values on both, bit for bit.

mod discs;
mod entity_table;
mod executor;
mod fields;
mod later;
mod moving_fields;
mod neutral;
mod on_cpu;
#[cfg(feature = "gpu")]
mod on_device;
#[cfg(not(feature = "gpu"))]
#[path = "on_no_device.rs"]
mod on_device;
mod places;
mod questions;
#[cfg(feature = "gpu")]
mod there;
mod window;

pub use discs::Discs;
pub use entity_table::EntityId;
pub use fields::Fields;
pub use later::Later;
pub use moving_fields::MovingFields;
pub use on_device::FieldOnDevice;
pub(crate) use places::Places;
pub use window::Window;
