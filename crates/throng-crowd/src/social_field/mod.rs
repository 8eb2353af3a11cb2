//! Social fields: pedestrians on a grid who follow their own stream, avoid the oncoming one and keep away from others.
//!
//! The model of Yu, Liu and others, "Improved OpenCL-based Implementation of Social Field Pedestrian Model". Space is
//! divided into *space units*, time into *ticks*. Each pedestrian has a heading, one of eight [directions](rules::direction),
//! and surrounds itself with fields that others read where they stand. In a tick, all pedestrians that are due

#![cfg_attr(not(feature = "gpu"), allow(dead_code, reason = "some things only kernels need"))]

mod counting;
mod cpu;
mod fields;
#[cfg(feature = "gpu")]
mod gpu;
pub mod model;
pub mod openings;
mod planes;
mod reference;
pub mod rules;
mod scene;
mod sector_map;
mod start;
mod static_fields;
#[cfg(test)]
mod tests;

pub use cpu::{SocialField, Summing};
pub use fields::{FieldParameters, FieldTables, LARGEST_FIELD, Strength, Sums};
#[cfg(feature = "gpu")]
pub use gpu::DeviceSocialField;
pub use reference::Reference;
pub use scene::{EMPTY, LEFT, LONGEST_SIDE, MOST_PEDESTRIANS, Pedestrians, WAITING, WALL, World};
pub use sector_map::SectorMap;
pub use start::{Flow, Start};
