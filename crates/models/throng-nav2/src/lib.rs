//! Costmaps of ROS 2's Nav2: the inflation layer, whose costs decay exponentially around obstacles, exact to the last
//! of their eight bits, and the footprint of the robot, which determines the radius of the costs that no path may
//! enter.
//!
//! * [`Inflation`] is an inflation layer: its parameters, the cost at a distance, and the inflated costs of a map.
//! * [`Footprint`] is the outline of a robot, from a radius or a polygon.
//! * [`robot_map::RobotMap`] is the YAML file of a stored map, and converts its image to occupancies.
//!
//! ```
//! use throng_nav2::robot_map::RobotMap;
//! use throng_nav2::{FOOTPRINT_PADDING, Footprint, Inflation, LETHAL_OBSTACLE};
//!
//! let yaml = "image: hall.pgm\nresolution: 0.05\norigin: [0.0, 0.0, 0.0]\n\
//!             negate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.25\n";
//! let map = RobotMap::parse(yaml)?;
//! let robot = Footprint::of_radius(0.22)?.padded(FOOTPRINT_PADDING)?;
//! let layer = Inflation {
//!     resolution: map.resolution,
//!     inscribed_radius: robot.inscribed_radius(),
//!     ..Inflation::default()
//! };
//! let mut costs = vec![0; 40];
//! costs[0] = LETHAL_OBSTACLE;
//! let inflated = layer.inflate(&costs, 40)?;
//! // The robot touches the obstacle from 0.2 m away, but not from 0.25 m. There are no costs beyond 0.55 m.
//! assert_eq!((inflated[4], inflated[5] < 253, inflated[12]), (253, true, 0));
//! # Ok::<(), throng_core::InputError>(())
//! ```
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
