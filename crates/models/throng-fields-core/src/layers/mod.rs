//! Layers: fields of different meaning over one grid, and their combinations.
//!
//! * A [`LayerStack`] has a field per layer; the bits of [`Entity::layers`](crate::Entity::layers) are the layers that
//!   an entity belongs to.
//! * A [`Combination`] computes one field from them, step by step. [`creation::combined`](crate::creation::combined())
//!   does so without storing the layers.
//! * [`BitLayers`] store a bit per layer and cell, which is often enough for games, in the memory of a single field.

mod bits;
mod combination;
mod stack;

pub use bits::BitLayers;
pub use bits::check_threshold;
pub use combination::Combination;
pub use combination::{Operation, Step, beside_threshold, with_layer};
pub use stack::{LayerStack, MAX_LAYERS};
