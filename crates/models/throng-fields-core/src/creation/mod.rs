//! Computation of a field from entities: the value of a cell is the sum of the contributions of all entities at its
//! sampled point, in order.
//!
//! * [`every_pair`] is the definition, and slow.
//! * [`by_tiles`] yields the same field to the last bit. An [`IncrementalField`] tracks entities that
//!   move, and [`combined`] computes one field from several layers.
//! * [`Windows`] computes many small fields at once, of which only the best cells are kept.
//! * [`FixedPoint`] adds whole steps, so that the field is the same on every executor.

mod add_shape;
mod arithmetic;
mod cell_distances;
mod charges;
mod combined;
mod copied;
mod every_pair;
mod fixed_point;
mod gathering;
mod incremental;
mod memory;
mod polygon;
mod spans;
mod stamped;
mod sums;
mod tiles;
mod window;
mod windows;

pub use arithmetic::Arithmetic;
pub use combined::combined;
pub use every_pair::every_pair;
pub use fixed_point::FixedPoint;
pub use fixed_point::Room;
pub use incremental::IncrementalField;
pub use tiles::sum;
pub use tiles::{TILE, by_tiles};
pub use windows::Windows;
