//! Scenes: shapes with colours, lights and a camera; and recordings, which turn stored simulations into scenes.
//!
//! * [`Scene`] has [`Sphere`]s, [`Plane`]s, [`Capsule`]s, [`OrientedBox`]es and [`HeightField`]s under [`Light`]s.
//! * [`Camera`] has the position and direction from which an image is taken.
//! * [`Recording`] is a model's view of its results folder: a time axis, and a scene for each time on it.
//!
//! ```
//! use throng_scene::{Camera, Light, Plane, Scene, Sphere};
//!
//! let scene = Scene {
//!     lights: vec![Light { position: [3.0, 5.0, 4.0], ..Light::default() }],
//!     spheres: vec![Sphere { center: [0.0, 1.0, 0.0], radius: 1.0, reflectance: 0.5, ..Sphere::default() }],
//!     planes: vec![Plane::default()],
//!     ..Scene::default()
//! };
//! scene.check()?;
//! Camera::default().check()?;
//!
//! let flat = Scene { spheres: vec![Sphere { radius: 0.0, ..Sphere::default() }], ..Scene::default() };
//! let error = flat.check().err().map(|error| error.to_string()).unwrap_or_default();
//! assert!(error.starts_with("sphere 1, radius: 0\n"), "{error}");
//! # Ok::<(), throng_core::InputError>(())
//! ```
//!
//! The crate only describes scenes; `throng-render` renders them. Models depend only on this crate, so they are not
//! recompiled when a kernel of the ray tracer changes. [`colours`] maps values to colours, and [`rectangles_of_cells`]
//! covers the cells of walls with a few rectangles.
//!
//! # Axes, units and colours
//! Lengths are in metres, or in the unit of the model. The y axis points up. A planar model puts its x axis along x,
//! and its y axis along *minus* z ([`ground`]), so that a map seen from above is not mirrored. Colours are linear RGB
//! from 0 to 1.

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod camera;
mod check;
pub mod colours;
mod geometry;
mod light;
mod recording;
mod rectangles;
mod scene;
mod shapes;

pub use camera::Camera;
pub use geometry::{Point, Rgb, cross, difference, dot, ground, length, normalized, scaled, sum};
pub use light::{Falloff, Light};
pub use recording::{Recording, TimeAxis, TimeUnit};
pub use rectangles::rectangles_of_cells;
pub use scene::Scene;
pub use shapes::{Capsule, HeightField, OrientedBox, Plane, Sphere};
