//! A ray tracer for scenes and simulations that renders the same images on CPUs and GPUs.
//!
//! * [`PackedScene`] is a [`Scene`](throng_scene::Scene) as tables, with a tree over its shapes.
//! * [`Settings`] has the size of an image, the number of samples per pixel, and the maximum number of bounces.
//! * [`drawer()`] renders on a device or on the CPU, where [`Film`] accumulates the samples; a [`Picture`] holds the
//!   bytes.
//! * [`mod@reference`] is the definition, in double precision and without a tree.
//!
//! ```
//! use throng_render::{Film, PackedScene, Settings};
//! use throng_scene::{Camera, Light, Scene, Sphere};
//!
//! let scene = Scene {
//!     lights: vec![Light { position: [3.0, 5.0, 4.0], ..Light::default() }],
//!     spheres: vec![Sphere { center: [0.0, 0.8, 0.0], ..Sphere::default() }],
//!     ..Scene::default()
//! };
//! let packed = PackedScene::new(&scene)?;
//! let settings = Settings { width: 33, height: 17, ..Settings::default() };
//! let mut film = Film::new(&settings)?;
//! film.add_samples(&packed, &Camera::default(), &settings, 1);
//! let picture = film.picture(settings.tone)?;
//! // The sky at the edge, the sphere in the middle.
//! assert_eq!(picture.pixel(0, 0), [124, 149, 188, 255]);
//! assert_ne!(picture.pixel(16, 8), [124, 149, 188, 255]);
//! # Ok::<(), throng_core::InputError>(())
//! ```

#![deny(clippy::print_stderr, clippy::print_stdout)]
#![cfg_attr(not(feature = "gpu"), forbid(unsafe_code))]

mod bvh;
mod cpu;
mod drawer;
mod film;
#[cfg(feature = "gpu")]
mod gpu;
mod lattice;
mod lens;
mod model;
mod packed;
mod picture;
pub mod reference;
pub mod rules;
mod scene_file;
#[doc(hidden)]
pub mod scenes;
mod settings;
mod tool;
mod verification;

pub use drawer::{Drawer, drawer, has_bits_of_the_cpu};
pub use film::Film;
#[cfg(feature = "gpu")]
pub use gpu::{MovingScene, SHAPE_NUMBERS};
pub use lattice::lattice;
pub use model::{Drawn, RenderModel, SceneRun, run};
pub use packed::PackedScene;
pub use picture::Picture;
pub use rules::screen::Tone;
pub use scene_file::{Lattice, SceneFile};
pub use settings::{Settings, Style};
pub use tool::Render;
