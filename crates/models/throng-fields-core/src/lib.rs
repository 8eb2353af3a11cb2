//! Definitions of fields, computed on the CPU: potential fields, influence maps, travel times.
//!
//! * An [`Entity`] has a [`Shape`] from which distances are measured, a [`Profile`], and a charge.
//! * A [`Field`] is a value per cell of a [`Grid`].
//! * [`creation::by_tiles`] computes a field from entities, as do the other methods of [`creation`].
//!
//! ```
//! use throng_fields_core::{Entity, Grid, Profile, creation};
//!
//! let grid = Grid::new([0.0, 0.0], 1.0, 64, 64)?;
//! let base = Entity::new([32.0, 32.0], Profile::linear(20.0)?);
//! let enemy = Entity::new([40.0, 32.0], Profile::linear(6.0)?).with_charge(-3.0);
//! let field = creation::by_tiles(&grid, &[base, enemy])?;
//! assert!(field.at(31, 31) > Some(0.9) && field.at(40, 32) < Some(0.0));
//! println!("highest value: {:?}", field.values().iter().copied().fold(f32::MIN, f32::max));
//! # Ok::<(), throng_core::InputError>(())
//! ```
//!
//! # Further items
//!
//! * A [`Profile`] defines how the charge of an entity falls off. A [`Stamp`], a table of values, can replace shape and
//!   profile. A [`Metric`] other than the Euclidean one changes distances from discs and rings, and travel times.
//! * [`creation::every_pair`] defines a field. Queries return values between cells, gradients, and best cells under a
//!   [`Mask`].
//! * [`layers`] separate fields of different meaning, and combine them.
//! * [`influence`] spreads from cell to cell, around walls: influence maps of teams, and diffusing amounts.
//! * [`sight`] adds up the viewers that see each cell past walls, such as the line of fire of guards.
//! * [`routing`] has travel times to goals, and crowds that follow flow fields or climb potential fields.
//!
//! The rules for a point, a cell and its neighbours are written once and shared by the CPU and the kernels of
//! throng-fields. Hidden modules are for that crate.

#![deny(clippy::print_stderr, clippy::print_stdout)]
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "the system's functions check those of libm"))]

#[doc(hidden)]
pub mod best_cells;
mod conversions;
pub mod creation;
#[doc(hidden)]
pub mod disc;
#[doc(hidden)]
pub mod entities;
#[doc(hidden)]
pub mod field;
#[doc(hidden)]
pub mod heading;
pub mod influence;
pub mod layers;
mod metric;
#[doc(hidden)]
pub mod placed;
#[doc(hidden)]
pub mod profile;
#[doc(hidden)]
pub mod query;
#[doc(hidden)]
pub mod resolved_shape;
pub mod routing;
#[cfg(all(test, feature = "gpu"))]
mod rule_tables;
#[doc(hidden)]
pub mod rules;
mod saved;
#[doc(hidden)]
pub mod shape;
pub mod sight;
#[doc(hidden)]
pub mod stamp;

/// The `zero` of `throng_device::exact::rounded_product` in single precision.
#[doc(hidden)]
pub const NEGATIVE_ZERO: f32 = throng_device::exact::NEGATIVE_ZERO as f32;

pub use entities::Entity;
pub use field::Field;
pub use metric::Metric;
pub use profile::{Knot, Profile};
pub use query::Best;
pub use shape::Shape;
pub use stamp::Stamp;
pub use throng_core::{InputError, InputErrorKind};
pub use throng_pictures::{Grid, Mask, Sample};
