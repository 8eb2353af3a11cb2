//! A ray tracer for scenes and simulations that renders the same images on CPUs and GPUs.
//!
//! * A [`Renderer`] renders images of a [`Scene`](throng_scene::Scene) on any executor.
//! * [`Settings`] have the size of an image, its samples and bounces.
//! * A [`Picture`] has the bytes of an image.
//!
//! ```
//! use throng_device::DeviceChoice;
//! use throng_render::{Renderer, lattice};
//!
//! let (scene, camera) = lattice(3);
//! let renderer = Renderer::builder(&scene).size(64, 48).samples(4).on(DeviceChoice::Auto).build()?;
//! let picture = renderer.render(&camera)?;
//! assert_eq!((picture.width(), picture.height()), (64, 48));
//!
//! let mut png = Vec::new();
//! picture.write_png(&mut png, &[])?;
//! assert!(png.starts_with(b"\x89PNG"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`drawer()`] accumulates samples of a [`PackedScene`] step by step; [`Film`] does so on the CPU. [`mod@reference`]
//! is the definition, in double precision and without a tree.

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
mod renderer;
pub mod rules;
mod scene_file;
#[doc(hidden)]
pub mod scenes;
mod settings;
mod tool;
mod verification;

pub use drawer::{Drawer, compile_kernels, drawer, has_bits_of_the_cpu};
pub use film::Film;
#[cfg(feature = "gpu")]
pub use gpu::{MovingScene, SHAPE_NUMBERS};
pub use lattice::lattice;
pub use model::{Drawn, RenderModel, SceneRun, run};
pub use packed::PackedScene;
pub use picture::Picture;
pub use renderer::{Renderer, RendererBuilder};
pub use rules::screen::Tone;
pub use scene_file::{Lattice, SceneFile};
pub use settings::{Settings, Style};
pub use tool::Render;
