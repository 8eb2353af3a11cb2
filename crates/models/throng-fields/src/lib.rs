//! Potential fields: attraction and repulsion at every point of a map.
//!
//! * A [`Grid`] defines the cells.
//! * An [`Entity`] has a [`Shape`] from which distances are measured, a [`Profile`] by which its charge falls off, and
//!   a charge; or a [`Stamp`], a table of values, and a charge.
//! * [`creation`] turns entities into a [`Field`], one number per cell, by several methods. Fields answer queries:
//!   values between cells, slopes, best cells under a [`Mask`].
//! * [`Fields`] opens a GPU or the CPU for programs such as games: one type for fields whose entities move, spawn and
//!   despawn, with bit-identical results on both.
//! * [`layers`] keep fields with different meanings apart, and combine them.
//! * [`influence`] spreads from cell to cell, around walls: maps of teams, and quantities that diffuse.
//! * [`routing`] has travel times to goals, and crowds that follow flow fields or climb potential fields.
//! * `throng_pictures` draws fields as heat maps, and writes them as NPY and GeoTIFF.
//! * [`gpu`] computes the same fields on CUDA and Vulkan devices, in builds with the feature of that name.
//! * With the features `ndarray` and `image`, fields convert to and from the arrays and images of these crates. Points
//!   are arrays of two numbers, to which the types of `mint` convert.
//! * [`verification`] compares expected results with those of this machine.
//!
//! ```
//! use throng_fields::{Entity, Grid, Profile, creation};
//!
//! let grid = Grid::new([0.0, 0.0], 1.0, 64, 64)?;
//! let base = Entity::new([32.0, 32.0], Profile::linear(20.0)?);
//! let enemy = Entity::new([40.0, 32.0], Profile::linear(6.0)?).with_charge(-3.0);
//! let field = creation::by_tiles(&grid, &[base, enemy])?;
//! assert!(field.at(31, 31) > Some(0.9) && field.at(40, 32) < Some(0.0));
//! # Ok::<(), throng_fields::InputError>(())
//! ```

#![deny(clippy::print_stderr, clippy::print_stdout)]
#![cfg_attr(not(feature = "gpu"), allow(dead_code, unused_imports, reason = "some items are used only by kernels"))]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "the system's functions check those of libm"))]

#[cfg(feature = "gpu")]
pub mod gpu;
#[cfg(not(feature = "gpu"))]
#[path = "gpu/without.rs"]
pub mod gpu;
mod live;
pub mod verification;

pub use gpu::FieldOnDevice;
pub use live::{Discs, EntityId, Fields, KeptField, Later, MovingFields, Window};
pub use throng_device::{DeviceChoice, DeviceId};
pub use throng_fields_core::{
    Best, Entity, Field, Grid, InputError, InputErrorKind, Knot, Mask, Profile, Sample, Shape, Stamp, creation,
    influence, layers, routing,
};
