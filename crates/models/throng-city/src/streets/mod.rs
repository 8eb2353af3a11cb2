//! Generates the road network: streets, motorways and ramps.

mod alignment;
mod build;
mod class;
mod junctions;
mod lattice;
mod motorway;
mod plan;

pub use class::RoadClass;

pub(crate) use build::{Streets, build, decimals};
