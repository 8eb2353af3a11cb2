//! Rasters, images of them, and their file formats: heat maps with a legend, animations, NPY and GeoTIFF.
//!
//! * A [`Raster`] contains one value per cell of a [`Grid`].
//! * A [`HeatMap`] describes an image: a raster overlaid with walls, goals, agents and paths.
//! * A [`Picture`] is the image that [`HeatMap::draw`] returns, and can be written as PNG.
//!
//! ```
//! use throng_pictures::{Grid, HeatMap, Raster};
//!
//! let grid = Grid::new([0.0, 0.0], 1.0, 60, 40)?;
//! let heights = Raster::from_fn(grid, |[x, y]| (x * y) as f32);
//! let map = HeatMap::new(&heights).with_title("Heights").with_point([20.0, 20.0], 0);
//! let picture = map.draw()?;
//! let mut png = Vec::new();
//! picture.write_png(&mut png)?;
//! assert!(png.starts_with(b"\x89PNG"));
//! # Ok::<(), throng_core::InputError>(())
//! ```
//!
//! # Further items
//!
//! * A [`Mask`] selects the open cells of a grid.
//! * A [`Mark`] represents a point: a disc or a square of a [`Colour`].
//! * An [`Animation`] stores several pictures in one file of limited size.
//! * [`density`] is for agents that are too numerous to be drawn as points.
//! * A [`ColourMap`] maps values within a [`ValueRange`] to colours.
//! * [`files`] contains formats of other programs.
//!
//! Row 0 is at the bottom of the image.

#![deny(clippy::print_stderr, clippy::print_stdout)]
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "the system's functions check those of libm"))]

mod animation;
mod axes;
mod cells;
mod colour;
mod colours;
#[cfg(feature = "image")]
mod conversions;
mod density;
pub mod files;
mod film;
mod frame;
pub mod grid;
mod hatching;
mod heat_map;
mod layout;
mod legend;
mod mark;
pub mod mask;
mod overlay;
mod owners;
mod palette;
mod picture;
mod raster;
mod scale;
mod strokes;
mod text;
mod ticks;
mod value_range;

pub use animation::Animation;
pub use colour::Colour;
pub use colours::ColourMap;
pub use density::density;
pub use film::{AnimationStats, Film};
pub use grid::{Grid, Sample};
pub use heat_map::HeatMap;
pub use mark::Mark;
pub use mask::Mask;
pub use owners::{MAX_NAMES, Owners, shade};
pub use picture::Picture;
pub use raster::Raster;
pub use scale::Scale;
pub use value_range::ValueRange;
