//! A scenario file as it is written: names, numbers and defaults, nothing yet that depends on anything else.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_fields_core::routing::Order;
use throng_nav2::RosDistro;
use throng_pictures::{Colour, ColourMap, Sample};

mod agents;
mod results;
mod things;

pub use agents::{Agents, AtGoal, Follow, Goal, Rule, Spawn};
pub use results::{Array, CellRange, CostSource, Format, Nav2, Part, Quantity, Query};
pub use things::{Area, Diffusion, Entity, Form, Profile, Shape, Stamp, Then, Wall, WallShape};

/// The root of a scenario file. Its keys are read from the file one by one, each with its place, but written as a
/// whole.
#[derive(Serialize, JsonSchema)]
pub struct Root {
    /// "fields".
    pub model: String,
    /// Title in pictures and reports, at most 200 characters; by default Fields.
    pub title: Option<String>,
    /// Seed of all random draws, a whole number of 64 bits; by default 1.
    pub seed: Option<i64>,
    /// Names of the layers, 1 to 32; by default one.
    pub layers: Option<Vec<String>>,
    /// The cells of the map.
    pub grid: Grid,
    /// Number and length of the steps.
    pub run: Run,
    /// Walls; a cell is a wall if its centre is in a shape.
    pub walls: Option<Vec<Wall>>,
    /// How charges fall off, by name.
    pub profiles: Option<BTreeMap<String, Profile>>,
    /// Tables of values that move with entities, by name.
    pub stamps: Option<BTreeMap<String, Stamp>>,
    /// Layers of amounts that spread and fade, by the name of the layer.
    pub diffusion: Option<BTreeMap<String, Diffusion>>,
    /// The sources of the fields.
    pub entities: Option<Vec<Entity>>,
    /// The goals of agents: discs or rectangles.
    pub goals: Option<Vec<Goal>>,
    /// Groups of agents with equal properties.
    pub agents: Option<Vec<Agents>>,
    /// Steps from the layers to the combined field, which agents follow; without any, all layers are added.
    pub combine: Option<Vec<Combine>>,
    /// Other fields that groups of agents follow, by name.
    pub combinations: Option<BTreeMap<String, Combination>>,
    /// The costs of paths.
    pub flow: Option<Flow>,
    /// Other costs of paths, for groups of agents, by name.
    pub flows: Option<BTreeMap<String, Flow>>,
    /// How the strengths of teams spread.
    pub influence: Option<Influence>,
    /// Costs around obstacles, as in the costmaps of ROS 2's Nav2.
    pub nav2: Option<Nav2>,
    /// What is written.
    pub output: Option<Output>,
}

/// `[grid]`: the cells of the map.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    /// The lowest coordinates of the map, units of length; by default those of a map of a robot, else [0, 0].
    pub origin: Option<[f64; 2]>,
    /// Width and height of the map, units of length: whole multiples of `cell`. Needed without a map of a robot.
    pub size: Option<[f64; 2]>,
    /// Side of a cell, units of length. Needed without a map of a robot.
    pub cell: Option<f64>,
    /// The point of a cell at which fields are computed: its centre, or the corner with the lowest coordinates.
    #[serde(default)]
    pub sample: Sample,
    /// A file of walls, relative to the scenario file, in blocks of cells: text (`#` is a wall, `.` or a space is open,
    /// the upper row first), PNG, PGM or BMP (dark pixels are walls), NPY (numbers other than 0 are walls, the lowest row
    /// first), or the YAML file of a robot's map.
    pub map: Option<PathBuf>,
    /// Whether cells that a robot's map does not know are open; by default they are walls.
    #[serde(default)]
    pub unknown_is_open: bool,
    /// The distribution of ROS 2 whose Nav2 is followed in the map of a robot and in `[nav2]`; by default lyrical.
    pub ros_distro: Option<RosDistro>,
    /// The unit of lengths, for the axes of pictures.
    #[serde(default)]
    pub unit: String,
}

impl Grid {
    /// The lowest coordinates of the map.
    pub fn origin_or_default(&self) -> [f64; 2] {
        self.origin.unwrap_or_default()
    }
}

/// `[run]`: number and length of the steps.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Steps of the simulation.
    pub steps: u32,
    /// Length of a step, units of time.
    pub time_step: f64,
    /// The time without progress after which an agent counts as stuck, units of time; by default that of 10 steps.
    pub stuck_after: Option<f64>,
    /// How the fields of entities are added up: in fixed point, with the same result everywhere, or in floating point.
    #[serde(default)]
    pub arithmetic: Arithmetic,
    /// Fractional bits of fields in fixed point.
    #[serde(default = "sixteen")]
    pub bits: u32,
}

/// The arithmetic of sums.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Arithmetic {
    /// Whole steps.
    #[default]
    FixedPoint,
    /// Single precision.
    Float,
}

impl Run {
    /// The time after which an agent counts as stuck.
    pub fn stuck_after_or_default(&self) -> f64 {
        self.stuck_after.unwrap_or(10.0 * self.time_step)
    }
}

/// An entry of `[combinations]`: a field that a group of agents follows.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Combination {
    /// Its steps, each with the keys of an entry of `[[combine]]`.
    pub steps: Vec<Combine>,
}

/// An entry of `[[combine]]`: a step from the layers to the field that agents follow.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Combine {
    /// The operation on the field so far.
    pub operation: Operation,
    /// The layer (all but threshold).
    pub layer: Option<String>,
    /// Factor of the layer; by default 1.
    pub weight: Option<f32>,
    /// The threshold.
    pub at: Option<f32>,
    /// The value of cells below the threshold.
    pub below: Option<f32>,
    /// The value of cells from the threshold on.
    pub from: Option<f32>,
}

impl Combine {
    /// The step that adds a layer.
    pub fn adding(layer: &str) -> Self {
        let (operation, layer) = (Operation::Add, Some(layer.to_owned()));
        Self { operation, layer, weight: None, at: None, below: None, from: None }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Operation {
    Add,
    Max,
    Min,
    Times,
    Threshold,
}

/// `[flow]`, or an entry of `[flows]`: the costs of paths.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Flow {
    /// The layer or combination whose negative values are to be avoided; by default the combined field.
    pub danger: Option<String>,
    /// Cost of a unit of length without danger, units of time.
    #[serde(default = "one")]
    pub base: f32,
    /// Factor of danger.
    #[serde(default = "one")]
    pub weight: f32,
    /// The highest cost; by default, and at most, 256 times the base.
    pub highest: Option<f32>,
    /// Steps after which paths are recomputed, if the field has changed.
    #[serde(default = "one_step")]
    pub every: u32,
    /// The order of the scheme for travel times: the second is more accurate, the first takes half to four fifths of the time.
    #[serde(default)]
    pub order: Order,
}

impl Flow {
    /// The default costs: the lengths of paths.
    pub fn without_danger() -> Self {
        Self { danger: None, base: 1.0, weight: 0.0, highest: None, every: 1, order: Order::default() }
    }
}

/// `[influence]`: how the strengths of teams spread.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Influence {
    /// Rate at which influence fades, per unit of length.
    pub decay: f32,
    /// The share of its value that a cell keeps in a sweep, from 0 to below 1.
    #[serde(default)]
    pub momentum: f32,
    /// Cells by which influence spreads in a step, from 0 to 10000.
    #[serde(default = "one_step")]
    pub sweeps: u32,
}

/// `[output]`: the files that are written.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Output {
    /// The folder for the results; `--out` overrides it.
    pub folder: PathBuf,
    /// Whether the folder may hold something else than an earlier run of the same scenario.
    pub overwrite: bool,
    /// Steps from one frame of the animation to the next; 0 for none.
    pub frame_every: u32,
    /// Frames per second of the animation, from 0.016 to 1000.
    pub frames_per_second: f32,
    /// The largest size of the animation, megabytes, from 0.1 to 1000. Where its frames need more, it gets fewer, or
    /// smaller ones.
    pub film_megabytes: f32,
    /// Pixels along a cell of pictures, from 1 to 256; by default chosen for a picture of 800 to 1600 pixels.
    pub pixels_per_cell: Option<u32>,
    /// The layer or combination that is drawn, or `costmap`, or `influence`: the strongest team of each cell; by default
    /// the combined field or, with `[nav2]` and without sources of fields, the costmap.
    pub layer: Option<String>,
    /// The colours of values. Where these have one sign, viridis replaces the maps with a neutral 0.
    pub colours: ColourMap,
    /// The range of the colours; by default that of all frames and pictures of the run, and for a costmap 0 to 254.
    pub range: Option<[f32; 2]>,
    /// What values below and above 0 mean, for the legend; by default repels and attracts, and nothing for amounts.
    pub meaning: Option<[String; 2]>,
    /// The unit of the field, for pictures.
    pub unit: String,
    /// Names of colours of agents and entities in the legend of pictures; an empty name removes the entry.
    pub legend: BTreeMap<Colour, String>,
    /// Whether first.png and last.png are written.
    pub first_and_last: bool,
    /// Whether the last field is written as field.npy.
    pub npy: bool,
    /// Steps from one set of rows in agents.csv to the next; 0 for no table.
    pub agents_every: u32,
    /// Arrays for NumPy and geographic information systems.
    pub arrays: Vec<Array>,
    /// Best cells, and values at points, as a table.
    pub queries: Vec<Query>,
}

impl Default for Output {
    fn default() -> Self {
        Self {
            folder: PathBuf::from("output/fields"),
            overwrite: false,
            frame_every: 4,
            frames_per_second: 12.0,
            film_megabytes: 10.0,
            pixels_per_cell: None,
            layer: None,
            colours: ColourMap::default(),
            range: None,
            meaning: None,
            unit: "potential".to_owned(),
            legend: BTreeMap::new(),
            first_and_last: true,
            npy: true,
            agents_every: 10,
            arrays: Vec::new(),
            queries: Vec::new(),
        }
    }
}

fn one() -> f32 {
    1.0
}

fn one_step() -> u32 {
    1
}

fn sixteen() -> u32 {
    16
}
