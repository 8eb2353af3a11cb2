//! The executor on devices: a unit for each pixel.

mod film;
mod kernels;
mod tables;

pub(crate) use film::DeviceFilm;
pub use tables::SceneTables;
