//! Fields and grids in file formats of other programs. All functions read from or write to byte streams, and open no
//! files themselves.
//!
//! * [`npy`] reads and writes NumPy's format, for fields and for grids of integers.
//! * [`geotiff`] writes georeferenced images for geographic information systems.

mod bmp;
pub mod geotiff;
pub mod image;
pub mod npy;
pub mod npy_frames;
mod npy_header;
pub mod pgm;
