//! The scenario, as described by the user.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_model::step_scenario;

use super::super::rules::contest::Rule;
use throng_model::scenario_file::Border;

/// Behaviour of the discs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Behaviour {
    /// A step in a random direction each time.
    Random,
    /// To the right or to the left, through the nearest opening of the next wall. After a refusal, one step in a random
    /// direction. At a closed border discs turn around.
    Gates,
    /// To their goals in `discs_file`. After a refusal, one step in a random direction.
    Goals,
}

step_scenario! {
    /// A scenario file.
    pub struct Scenario(steps = 400, frame_every = 4, folder = "output/collision"; animation_frames = 80) {
        /// Number of discs, at random positions; not used with `discs_file`.
        pub discs: u32 = 800,
        /// A CSV file of discs, with the columns `x_m` and `y_m`, and, if needed, `id`, `radius_m`, `goal_x_m` and
        /// `goal_y_m`; separated by `,`, or by `;` as in `discs.csv`. Relative to the scenario file.
        pub discs_file: Option<PathBuf> = None,
        /// Radius of the discs, or of the smallest ones, m.
        pub radius_m: f64 = 0.25,
        /// Radius of the largest discs, up to four times `radius_m`, m. Radii are drawn between the two, and the total
        /// area of the discs must fit into the world. Without it all discs are equal.
        pub largest_radius_m: Option<f64> = None,
        /// Width of the world, m.
        pub width_m: f64 = 60.0,
        /// Height of the world, m.
        pub height_m: f64 = 30.0,
        /// Border of the world.
        pub border: Border = Border::Periodic,
        /// Walls, each from one end to the other: `[[x, y], [x, y]]`, m.
        pub walls_m: Vec<[[f64; 2]; 2]> = Vec::new(),
        /// Distance between the walls with gates, which stand across the world, m; 0 for none.
        pub gate_walls_every_m: f64 = 30.0,
        /// Distance between gates along a wall, m.
        pub gates_every_m: f64 = 10.0,
        /// Width of the gates, m.
        pub gate_width_m: f64 = 3.0,
        /// Behaviour of the discs.
        pub behaviour: Behaviour = Behaviour::Gates,
        /// With behaviour `gates`, the fraction of the discs that walk to the left, 0 to 1. If many discs meet oncoming
        /// ones in gates, both sides come to a standstill.
        pub leftward_share: f64 = 0.0,
        /// Length of a step, m. Steps of up to 5.6 radii need no sorting, and their paths are tested for walls.
        pub step_m: f64 = 0.1,
        /// The rule that decides which discs move: `sequential`, like a server that handles one wish after the other;
        /// `following`, where columns and rings advance together; or `conservative`, in two passes.
        pub rule: Rule = Rule::Sequential,
        /// Whether to write the table of all discs after the last step.
        pub discs_table: bool = false,
        /// Whether to write the positions of all discs at each row of the table to `trajectories.sqlite`, from which
        /// images are made, and the table of all discs. A row of the file takes about 65 bytes.
        pub trajectories: bool = false,
    }
}

/// Approximate minimum number of bytes per line of a file of discs.
const BYTES_OF_LINE: u64 = 12;

impl Scenario {
    /// Returns the number of discs; with a file, an estimate from its size.
    pub(super) fn estimated_discs(&self) -> u64 {
        match &self.discs_file {
            None => self.discs.into(),
            Some(file) => std::fs::metadata(file).map_or(0, |found| found.len() / BYTES_OF_LINE),
        }
    }
}
