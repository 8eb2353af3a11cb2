//! What the user describes.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_device::neighbours::Boundary;

use super::super::rules::contest::Rule;

/// What is at the border of the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Border {
    /// A wall.
    Closed,
    /// The opposite side.
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

/// Where discs wish to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Behaviour {
    /// In each step in a random direction.
    Random,
    /// To the right or to the left, through the nearest opening of the next wall. After a refusal, one step in a random
    /// direction. At a closed border they turn round.
    Gates,
    /// To their goals in `discs_file`. After a refusal, one step in a random direction.
    Goals,
}

/// A scenario file.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Scenario {
    /// Seed of all random draws.
    pub seed: u32,
    /// Steps of the simulation.
    pub steps: u32,
    /// Number of discs, at random places; not used with `discs_file`.
    pub discs: u32,
    /// A CSV file of discs, with the columns `x_m` and `y_m`, and, if they are needed, `id`, `radius_m`, `goal_x_m`
    /// and `goal_y_m`; separated by `,`, or by `;` as in `discs.csv`. Relative to the scenario file.
    pub discs_file: Option<PathBuf>,
    /// Radius of the discs, or of the smallest ones, m.
    pub radius_m: f64,
    /// Radius of the largest discs, up to four times `radius_m`, m; radii are drawn between the two. Without it all
    /// discs are equal.
    pub largest_radius_m: Option<f64>,
    /// Width of the world, m.
    pub width_m: f64,
    /// Height of the world, m.
    pub height_m: f64,
    /// What is at the border of the world.
    pub border: Border,
    /// Walls, each from one end to the other: `[[x, y], [x, y]]`, m.
    pub walls_m: Vec<[[f64; 2]; 2]>,
    /// Distance of the walls with gates, which stand across the world, m; 0 for none.
    pub gate_walls_every_m: f64,
    /// Distance from gate to gate along a wall, m.
    pub gates_every_m: f64,
    /// Width of the gates, m.
    pub gate_width_m: f64,
    /// Where discs wish to go.
    pub behaviour: Behaviour,
    /// With behaviour `gates`, the share of the discs that go to the left, 0 to 1. Where many meet others in gates,
    /// both sides come to a stop.
    pub leftward_share: f64,
    /// Length of a step, m. Steps of up to 5.6 radii need no sorting, and their way is tested for walls.
    pub step_m: f64,
    /// The rule that decides who moves: `sequential`, as a server that handles one wish after the other; `following`,
    /// with columns and rings that advance together; or `conservative`, in two passes.
    pub rule: Rule,
    /// Steps from one row of the table, and one frame of the animation, to the next; 0 for the last row only.
    pub frame_every: u32,
    /// Whether to write the table of all discs after the last step.
    pub discs_table: bool,
    /// The folder for the results.
    pub folder: PathBuf,
    /// Whether the folder may be non-empty.
    pub overwrite: bool,
}

/// The least bytes of a line of a file of discs, about.
const BYTES_OF_LINE: u64 = 12;

impl Scenario {
    /// The number of discs; with a file, an estimate from its size.
    pub(super) fn estimated_discs(&self) -> u64 {
        match &self.discs_file {
            None => self.discs.into(),
            Some(file) => std::fs::metadata(file).map_or(0, |found| found.len() / BYTES_OF_LINE),
        }
    }
}

impl Default for Scenario {
    fn default() -> Self {
        Self {
            seed: 1,
            steps: 400,
            discs: 800,
            discs_file: None,
            radius_m: 0.25,
            largest_radius_m: None,
            width_m: 60.0,
            height_m: 30.0,
            border: Border::Periodic,
            walls_m: Vec::new(),
            gate_walls_every_m: 30.0,
            gates_every_m: 10.0,
            gate_width_m: 3.0,
            behaviour: Behaviour::Gates,
            leftward_share: 0.0,
            step_m: 0.1,
            rule: Rule::Sequential,
            frame_every: 4,
            discs_table: false,
            folder: "output/collision".into(),
            overwrite: false,
        }
    }
}
