//! Fields and grids in files of other programs. All functions take something that reads or writes bytes, and open no
//! files themselves.
//!
//! * [`npy`] has the format of NumPy, for fields and for grids of whole numbers, to write and to read.
//! * [`geotiff`] has images with a place on Earth, for geographic information systems.

mod bmp;
pub mod geotiff;
pub mod image;
pub mod npy;
pub mod npy_frames;
mod npy_header;
pub mod pgm;
