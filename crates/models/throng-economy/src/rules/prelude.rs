//! What rules and kernels import: CubeCL, teams and views, with the traits that CubeCL makes of views.

pub use throng_device::cube::NONE;
pub use throng_device::prelude::*;
pub use throng_device::team::*;

pub use super::numbers::{about_kind, number};
pub use super::views::*;
