//! From entities to a field: the value of a cell is the sum of what all entities add at its sampled point, in their
//! order.

mod every_pair;
mod fixed_point;
mod moving;
mod tiles;

pub use every_pair::every_pair;
pub use fixed_point::FixedPoint;
pub use moving::MovingField;
pub use tiles::{TILE, by_tiles};
