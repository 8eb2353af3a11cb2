//! Potential fields: attraction and repulsion at every point of a map.
//!
//! * A [`DynamicField`] tracks entities that move, spawn and despawn, on a GPU or the CPU, with bit-identical results.
//! * An [`Entity`] has a [`Shape`], a [`Profile`] by which its charge falls off, and a charge.
//! * A [`Field`] is one number per cell of a [`Grid`], created from entities by one of the methods in [`creation`].
//!
//! ```
//! use throng_fields::{DeviceChoice, DynamicField, Entity, Grid, Profile, Window};
//!
//! let grid = Grid::new([0.0, 0.0], 1.0, 64, 64)?;
//! let base = Entity::new([32.5, 32.5], Profile::linear(20.0)?);
//! let enemy = Entity::new([40.5, 32.5], Profile::linear(6.0)?).with_charge(-3.0);
//! let mut field = DynamicField::builder(grid).entities([base, enemy]).on(DeviceChoice::Auto).build()?;
//! let enemy = field.ids()[1];
//! for step in 0..10 {
//!     field.move_to(enemy, [40.5 - f64::from(step), 32.5])?;
//!     field.update()?;
//! }
//! // The enemy is beside the base; the best cell within 8 of the base is on its other side.
//! let best = field.best_in(&[Window::around(&grid, [32.5, 32.5], 8.0)?], 1)?;
//! assert!(best[0][0].column > 32 && best[0][0].value > 0.5);
//! # Ok::<(), throng_fields::Error>(())
//! ```
//!
//! # Further items
//!
//! * A [`Shape`] is the outline from which distances are measured, with a [`Metric`]. A [`Stamp`], a table of values,
//!   can replace shape and profile.
//! * Fields answer queries: values between cells, slopes, best cells under a [`Mask`].
//! * [`layers`] keep fields with different meanings apart, and combine them.
//! * [`influence`] spreads from cell to cell, around walls: maps of teams, and quantities that diffuse.
//! * [`sight`] adds up the viewers that see each cell past walls, such as the line of fire of guards.
//! * [`routing`] has travel times to goals, and crowds that follow flow fields or climb potential fields.
//! * `throng_pictures` draws fields as heat maps, and writes them as NPY and GeoTIFF.
//! * [`gpu`] computes the same fields on CUDA and Vulkan devices, in builds with the feature of that name.
//! * With the features `ndarray` and `image`, fields convert to and from the arrays and images of these crates. Points
//!   are arrays of two numbers, to which the types of `mint` convert.
//! * [`verification`] compares expected results with those of this machine.

#![deny(clippy::print_stderr, clippy::print_stdout)]
#![cfg_attr(not(feature = "gpu"), allow(dead_code, unused_imports, reason = "some items are used only by kernels"))]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "the system's functions check those of libm"))]

#[cfg(feature = "gpu")]
pub mod gpu;
#[cfg(not(feature = "gpu"))]
#[path = "gpu/no_kernels.rs"]
pub mod gpu;
mod live;
pub mod verification;

pub use gpu::FieldOnDevice;
pub use live::{Deferred, Discs, DynamicField, EntityId, FieldBuilder, Window};
pub use throng_device::{DeviceChoice, DeviceId, Error, Executor};
pub use throng_fields_core::{
    Best, Entity, Field, Grid, InputError, InputErrorKind, Knot, Mask, Metric, Profile, Sample, Shape, Stamp, creation,
    influence, layers, routing, sight,
};
