//! Dynamic fields, whose entities are added, moved and removed, on any executor, and the queries of programs such as
//! games.

mod builder;
mod deferred;
mod discs;
mod dynamic_field;
mod entity_table;
mod queries;
mod window;

pub use builder::FieldBuilder;
pub use deferred::Deferred;
pub use discs::Discs;
pub use dynamic_field::DynamicField;
pub use entity_table::EntityId;
pub(crate) use entity_table::{Change, EntityTable};
pub use window::Window;
