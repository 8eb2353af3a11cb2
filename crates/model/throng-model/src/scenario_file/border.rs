//! Boundary conditions of a world, in scenario files.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_device::neighbours::Boundary;

/// Boundary condition of a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Border {
    /// Walls at the border.
    Closed,
    /// The world wraps around: opposite sides are adjacent.
    #[default]
    Periodic,
}

impl From<Border> for Boundary {
    fn from(border: Border) -> Self {
        match border {
            Border::Closed => Self::Closed,
            Border::Periodic => Self::Periodic,
        }
    }
}
