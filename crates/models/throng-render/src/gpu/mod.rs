//! The executor on devices, with one unit per pixel.

mod film;
mod kernels;
mod moving;
mod rounding;
mod tables;

pub(crate) use film::{DeviceFilm, compile};
pub use moving::{MovingScene, SHAPE_NUMBERS};
pub(crate) use rounding::is_that_of_the_cpu;
pub(crate) use tables::DeviceCopy;
pub use tables::SceneTables;
