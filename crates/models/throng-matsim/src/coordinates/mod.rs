//! Coordinate reference systems, and the transformation of the coordinates of input files to that of the run.
//!
//! As in MATSim, a file is in the system that its own attribute `coordinateReferenceSystem` names, else in that of its
//! parameter (such as `network.inputCRS`), else in that of the run, `global.coordinateSystem`. [`InputCoordinates`]
//! transforms coordinates while a file is read; a [`Transformation`] does it for single points.
//!
//! ```
//! use throng_matsim::coordinates::Transformation;
//!
//! let to_zone_33 = Transformation::between("WGS84", "EPSG:32633")?.expect("the systems differ");
//! // The central meridian of zone 33 is at 15 degrees east.
//! let [x, y] = to_zone_33.apply(15.0, 52.0).expect("a point in the domain of the zone");
//! assert!((x - 500_000.0).abs() < 1e-3 && (y - 5_761_038.2).abs() < 1.0, "{x} {y}");
//! # Ok::<(), String>(())
//! ```

mod input;
mod systems;
mod transformation;

pub use input::InputCoordinates;
pub(crate) use input::unusable;
pub(crate) use systems::{DEGREES, unit_other_than_metre};
pub use transformation::Transformation;
