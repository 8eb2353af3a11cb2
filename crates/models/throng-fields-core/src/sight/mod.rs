//! Lines of sight: fields that add up the viewers that see each cell, such as guards, guns or cameras.
//!
//! * [`is_visible`] defines whether a cell is in sight of another.
//! * A [`Viewer`] has a position, a range, a strength and, if it does not look in all directions, a field of view.
//! * [`every_pair`] defines the field of viewers; a [`SightMap`] computes the same field, and follows viewers that move
//!   and walls that appear and vanish.
//!
//! Sums are integers: the field depends neither on the order of the viewers nor on the number of threads.

mod line;
mod map;
mod sectors;
mod viewer;
mod window;

pub use line::is_visible;
pub use map::{Sight, SightMap, every_pair};
pub use viewer::Viewer;
