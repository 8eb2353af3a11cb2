//! Potential fields: what every point of a map feels of everything around.
//!
//! * A [`Grid`] says where cells are.
//! * An [`Entity`] has a [`Shape`] to measure distances from, a [`Profile`] of how its charge falls off, and a charge;
//!   or a [`Stamp`], a table of values, and a charge.
//! * [`creation`] turns entities, in several ways, into a [`Field`], a number per cell, which answers questions: values
//!   between cells, slopes, best cells under a [`Mask`].
//! * [`layers`] keep fields of different meaning apart, and combine them.
//! * An [`influence::InfluenceMap`] spreads from cell to cell instead, and goes round walls.
//! * [`routing`] has travel times to goals, and flow fields that any number of agents follow.
//! * [`nav2`] inflates obstacles as the costmaps of ROS 2 do.
//!
//! ```
//! use throng_fields::{Entity, Grid, Profile, creation};
//!
//! let grid = Grid::new([0.0, 0.0], 1.0, 64, 64)?;
//! let base = Entity::new([32.0, 32.0], Profile::linear(20.0)?);
//! let enemy = Entity::new([40.0, 32.0], Profile::linear(6.0)?).with_charge(-3.0);
//! let field = creation::by_tiles(&grid, &[base, enemy])?;
//! assert!(field.at(31, 31) > Some(0.9) && field.at(40, 32) < Some(0.0));
//! # Ok::<(), throng_fields::FieldError>(())
//! ```

#![forbid(unsafe_code)]

pub mod baselines;
pub mod creation;
mod entities;
mod error;
mod field;
mod figure;
mod grid;
pub mod influence;
pub mod layers;
pub mod nav2;
mod placed;
mod profile;
mod query;
pub mod routing;
mod shape;
mod stamp;

pub use entities::Entity;
pub use error::FieldError;
pub use field::Field;
pub use grid::{Grid, Sample};
pub use profile::{Knot, Profile};
pub use query::{Best, Mask};
pub use shape::Shape;
pub use stamp::Stamp;
