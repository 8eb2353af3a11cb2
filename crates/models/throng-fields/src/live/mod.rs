//! Dynamic fields, whose entities are added, moved and removed, computed on the fastest available executor. A
//! [`KeptField`] tracks its entities on the CPU or a device, with bit-identical results in fixed point. [`Fields`]
//! opens an executor for programs such as games; the [`MovingFields`] it creates answer queries where they are stored.

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
