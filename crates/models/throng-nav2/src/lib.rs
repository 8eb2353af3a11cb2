//! Costmaps of ROS 2's Nav2: the inflation layer, whose costs decay exponentially around obstacles, exact to the last
//! of their eight bits, and the footprint of the robot, which determines the radius of the costs that no path may
//! enter.
//!
//! Formulas and constants are those of Nav2's documentation and source code, as of the distributions of [`RosDistro`].

#![deny(clippy::print_stderr, clippy::print_stdout)]
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "the system's functions check those of libm"))]

mod footprint;
mod inflation;
pub mod robot_map;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use footprint::{FOOTPRINT_PADDING, Footprint};
pub use inflation::Inflation;

/// An unknown cell.
pub const NO_INFORMATION: u8 = 255;
/// A cell that holds an obstacle.
pub const LETHAL_OBSTACLE: u8 = 254;
/// A cell at which the robot's inscribed circle touches an obstacle.
pub const INSCRIBED_INFLATED_OBSTACLE: u8 = 253;
/// A cell without cost.
pub const FREE_SPACE: u8 = 0;

/// The ROS 2 distribution whose Nav2 is reproduced. The distributions differ in the map server, the static layer and
/// the inflation layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RosDistro {
    /// Humble and Iron, and Jazzy before Nav2 1.3.7: thresholds of maps are exclusive; the brightness of a pixel is the
    /// mean of its colours and, in trinary maps, its opacity.
    Humble,
    /// Jazzy since Nav2 1.3.7, and Kilted: thresholds of maps are inclusive, the brightness of a pixel is its luma, and
    /// transparent pixels of trinary and scaled maps are unknown.
    Jazzy,
    /// Lyrical and Rolling, Nav2 1.5: maps as with Jazzy, an occupancy of 99 is the cost 253, and costs of the
    /// inflation layer are tabulated in steps of a hundredth of a cell.
    #[default]
    Lyrical,
}
