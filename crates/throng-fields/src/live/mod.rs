//! Fields of entities that come, move and go, on whatever computes fastest: [`Fields`] opens a device or the CPU, and
//! [`MovingFields`] are the same on both, to the last bit.

mod discs;
mod entity_table;
mod executor;
mod fields;
mod later;
mod moving_fields;
mod neutral;
mod on_cpu;
mod on_device;
mod places;
mod questions;
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
