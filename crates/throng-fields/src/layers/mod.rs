//! Layers: fields of different meaning over one grid, and what is made of several of them.
//!
//! * A [`LayerStack`] has a field per layer; the bits of [`Entity::layers`](crate::Entity::layers) say where an entity
//!   belongs.
//! * A [`Combination`] makes one field of them, step by step. [`creation::combined`](crate::creation::combined()) does
//!   so without ever storing the layers.
//! * [`BitLayers`] keep a bit per layer and cell: what games ask most often, in the memory of one field.

mod bits;
mod combination;
mod stack;

pub use bits::BitLayers;
pub(crate) use bits::check_threshold;
pub use combination::Combination;
pub(crate) use combination::{Operation, Step, beside_threshold, with_layer};
pub use stack::{LayerStack, MOST_LAYERS};
