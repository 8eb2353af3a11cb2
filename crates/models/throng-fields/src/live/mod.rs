//! Fields of entities that are added, moved and removed, on the fastest executor. A [`KeptField`] follows its entities on
//! the CPU or a device, bit for bit the same in fixed point; [`Fields`] opens an executor for programs such as games,
//! whose [`MovingFields`] answer queries where they are.

mod discs;
mod entity_table;
mod errors;
mod fields;
mod kept_field;
mod moving_fields;
mod pending;
mod queries;
mod window;

pub use discs::Discs;
pub use entity_table::EntityId;
pub(crate) use entity_table::{Change, EntityTable};
pub use fields::Fields;
pub use kept_field::KeptField;
pub use moving_fields::MovingFields;
pub use pending::Later;
pub use window::Window;
