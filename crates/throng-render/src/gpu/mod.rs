//! The executor on devices: a unit for each pixel.

mod film;
mod kernels;
mod moving;
mod tables;

pub(crate) use film::DeviceFilm;
pub use moving::{MovingScene, SHAPE_NUMBERS};
pub use tables::SceneTables;
