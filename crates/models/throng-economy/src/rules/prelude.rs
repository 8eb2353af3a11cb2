//! Imports of rules and kernels: CubeCL, teams and views, with the traits that CubeCL derives from views.

pub use throng_device::cube::NONE;
pub use throng_device::prelude::*;
pub use throng_device::team::*;

pub use super::numbers::{kind_property, number};
pub use super::views::*;
