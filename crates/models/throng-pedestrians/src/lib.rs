//! Social fields: pedestrians on a grid that follow their own stream, avoid the oncoming one and keep away from others.
//! The model is that of Yu, Zhu, Wu and Zhang, "Improved OpenCL-based Implementation of Social Field Pedestrian Model".
//!
//! * A [`World`] has a grid, walls and openings.
//! * A [`SocialField`] simulates the pedestrians of a world, on the threads of the CPU or on a device.
//! * [`Pedestrians`] are the state of a social field as columns, one value per pedestrian.
//!
//! ```
//! use throng_device::DeviceChoice;
//! use throng_device::neighbours::Boundary;
//! use throng_pedestrians::rules::grid::Grid;
//! use throng_pedestrians::{Flow, SocialField, World};
//!
//! let world = World::without_walls(Grid { width: 40, height: 20, boundary: Boundary::Periodic })?;
//! let street = SocialField::builder(world).at_random(0.1, Flow::Uni).seed(1);
//! let mut street = street.on(DeviceChoice::Auto).build()?;
//! for _tick in 0..50 {
//!     street.step()?;
//! }
//! let before = street.pedestrians()?;
//! street.step()?;
//! // At a density of 0.1 and with a single direction, all 80 pedestrians walk freely.
//! let after = street.pedestrians()?;
//! assert_eq!(after.at.iter().zip(&before.at).filter(|(after, before)| after != before).count(), 80);
//! # Ok::<(), throng_device::Error>(())
//! ```
//!
//! # The model
//!
//! Space is divided into *space units*, time into *ticks*. Each pedestrian has a heading, one of eight
//! [directions](rules::direction), and surrounds itself with fields that others read at their own positions. In a tick,
//! all pedestrians that are due choose a direction; if several want the same empty space unit, one of them is drawn;
//! and the winners move. The formula of the choice, its weights, and the exits, doors and entries of [`openings`] are
//! Throng's own: the paper refers to earlier papers, which could not be obtained.
//!
//! * [`FieldParameters`] are the parameters of the fields.
//! * [`Reference`] defines the results. All executors have the same states, bit for bit, because all arithmetic is on
//!   integers.
//! * [`model`] implements `throng run` for scenario files.

#![deny(clippy::print_stderr, clippy::print_stdout)]
#![cfg_attr(not(feature = "gpu"), allow(dead_code, reason = "some items are needed only by kernels"))]

mod bodies;
mod counting;
mod cpu;
mod fields;
#[cfg(feature = "gpu")]
mod gpu;
pub mod model;
mod net_moves;
pub mod openings;
mod planes;
mod reference;
pub mod rules;
mod scene;
mod sector_map;
mod social_field;
mod start;
mod static_fields;
mod summing;
#[cfg(test)]
mod tests;
mod transforms;
mod unit_sums;

pub use fields::{FieldParameters, FieldTables, MAX_FIELD_SIDE, Strength};
pub use net_moves::net_moves;
pub use reference::Reference;
pub use rules::sums::Sums;
pub use scene::{BodyLimits, EMPTY, LEFT, MAX_PEDESTRIANS, MAX_PERIOD, MAX_SIDE, Pedestrians, WAITING, WALL, World};
pub use sector_map::SectorMap;
pub use social_field::{MAX_FIRST_TICK, SocialField, SocialFieldBuilder};
pub use start::{Flow, Start};
pub use summing::Summing;
