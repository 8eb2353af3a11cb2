//! Pictures of fields: heat maps with a legend, and animations of them.
//!
//! * A [`HeatMap`] describes a picture: a field, and walls, goals, agents and paths over it. [`HeatMap::draw`] returns a
//!   [`Picture`].
//! * A [`Mark`] stands for a point: a disc or a square of a [`Colour`].
//! * A [`Picture`] is written as PNG, and an [`Animation`] puts several into one file of limited size.
//! * A [`PointFilm`] is the animation of a model whose agents are points; [`density`] is for too many of them.
//! * A [`ColourMap`] turns values within a [`ValueRange`] into colours.
//!
//! Rows of a field are drawn with y upwards: row 0 is at the bottom of the picture.
//!
//! ```
//! use throng_fields::pictures::HeatMap;
//! use throng_fields::{Entity, Grid, Profile, creation};
//!
//! let grid = Grid::new([0.0, 0.0], 1.0, 60, 40)?;
//! let base = Entity::new([20.0, 20.0], Profile::linear(15.0)?);
//! let field = creation::by_tiles(&grid, &[base])?;
//! let mut png = Vec::new();
//! HeatMap::new(&field).with_title("Support of a base").with_point([20.0, 20.0], 0).draw()?.write_png(&mut png)?;
//! assert_eq!(&png[1..4], b"PNG");
//! # Ok::<(), throng_fields::FieldError>(())
//! ```

mod animation;
mod axes;
mod cells;
mod colour;
mod colours;
mod density;
mod film;
mod frame;
mod hatching;
mod heat_map;
mod layout;
mod legend;
mod mark;
mod overlay;
mod owners;
mod palette;
mod picture;
mod point_film;
mod scale;
mod strokes;
mod text;
mod ticks;
mod value_range;

pub use animation::Animation;
pub use colour::Colour;
pub use colours::ColourMap;
pub use density::density;
pub(crate) use film::{Film, Kept};
pub use heat_map::HeatMap;
pub use mark::Mark;
pub(crate) use owners::{MOST_NAMES, Owners, shade};
pub use picture::Picture;
pub use point_film::PointFilm;
pub use scale::Scale;
pub use value_range::ValueRange;
