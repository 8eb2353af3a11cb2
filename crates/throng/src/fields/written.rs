//! A scenario file as it is written: names, numbers and defaults, nothing yet that depends on anything else.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;

/// `[grid]`: where the cells are.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Grid {
    #[serde(default)]
    pub origin: [f32; 2],
    pub size: [f32; 2],
    pub cell: f32,
    #[serde(default)]
    pub sample: Sample,
    /// A text file of walls, a letter per block of cells.
    pub map: Option<PathBuf>,
    /// What lengths are measured in, for the axes of pictures.
    #[serde(default)]
    pub unit: String,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Sample {
    #[default]
    Centre,
    Corner,
}

/// `[run]`: how long.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Run {
    pub steps: u32,
    pub time_step: f32,
    /// After how much time without coming nearer an agent counts as stuck.
    pub stuck_after: Option<f32>,
    /// Binary digits after the point of fields.
    #[serde(default = "sixteen")]
    pub bits: u32,
}

/// An entry of `[[walls]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wall {
    #[serde(rename = "name")]
    pub _name: Option<String>,
    pub shape: WallShape,
    pub at: Option<[f32; 2]>,
    pub radius: Option<f32>,
    pub size: Option<[f32; 2]>,
    pub heading: Option<f32>,
    pub points: Option<Vec<[f32; 2]>>,
    pub width: Option<f32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum WallShape {
    Disc,
    Box,
    Line,
    Polygon,
}

/// An entry of `[profiles]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Profile {
    pub form: Form,
    pub radius: Option<f32>,
    pub sigma: Option<f32>,
    pub knots: Option<Vec<Vec<f32>>>,
    pub values: Option<Vec<f32>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Form {
    Linear,
    Quadratic,
    Gaussian,
    Piecewise,
    Table,
}

/// An entry of `[stamps]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stamp {
    /// How far it is from one value to the next.
    pub side: f32,
    /// Rows of values, that of the lowest y first.
    pub values: Option<Vec<Vec<f32>>>,
    /// An array of NumPy.
    pub file: Option<PathBuf>,
}

/// An entry of `[diffusion]`: a layer of amounts that spread and fade.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Diffusion {
    pub diffusivity: f32,
    #[serde(default)]
    pub decay: f32,
    /// How long it has gone on when the run begins.
    #[serde(default)]
    pub before: f32,
}

/// An entry of `[[entities]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entity {
    pub name: Option<String>,
    pub at: [f32; 2],
    pub profile: Option<String>,
    #[serde(default)]
    pub shape: Shape,
    pub charge: Option<f32>,
    /// Degrees from the x axis, anticlockwise.
    pub heading: Option<f32>,
    pub radius: Option<f32>,
    pub length: Option<f32>,
    pub size: Option<[f32; 2]>,
    pub corners: Option<Vec<[f32; 2]>>,
    pub opening: Option<f32>,
    pub stamp: Option<String>,
    pub layers: Option<Vec<String>>,
    /// What it adds to layers that diffuse, per unit of time.
    pub emits: Option<BTreeMap<String, f32>>,
    /// Where it goes from its place.
    pub path: Option<Vec<[f32; 2]>>,
    pub speed: Option<f32>,
    pub then: Option<Then>,
    pub team: Option<String>,
    pub strength: Option<f32>,
    pub colour: Option<ColourName>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Shape {
    #[default]
    Disc,
    Ring,
    Capsule,
    Box,
    Polygon,
    Cone,
    Stamp,
}

/// What follows the last point of a path.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Then {
    /// On to the first one, round and round.
    #[default]
    Round,
    /// The same way back, to and fro.
    Back,
    /// Nothing.
    Stop,
}

/// Colours of points, in the order of their numbers in pictures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ColourName {
    Red,
    Blue,
    /// What agents are that have no other.
    #[default]
    Green,
    Purple,
    Orange,
    Yellow,
    Brown,
    Pink,
    Grey,
}

/// A part of the map: a disc, or a rectangle along the axes. Also an entry of `[[goals]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Area {
    pub at: Option<[f32; 2]>,
    pub radius: Option<f32>,
    pub from: Option<[f32; 2]>,
    pub to: Option<[f32; 2]>,
}

/// An entry of `[[agents]]`: many that are alike.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Agents {
    pub name: String,
    pub count: u32,
    pub start: Area,
    pub speed: f32,
    /// Speeds differ by this share, up and down.
    #[serde(default)]
    pub spread: f32,
    pub follow: Follow,
    #[serde(default)]
    pub noise: f32,
    #[serde(default)]
    pub trail_cells: u32,
    #[serde(default)]
    pub trail_charge: f32,
    #[serde(default)]
    pub colour: ColourName,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Follow {
    /// The slope of the combined field.
    Field,
    /// The best neighbour in the combined field.
    Neighbour,
    /// The flow field to the goals.
    Flow,
}

/// An entry of `[[combine]]`: a step from the layers to the field that agents feel.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Combine {
    pub operation: Operation,
    pub layer: Option<String>,
    pub weight: Option<f32>,
    pub at: Option<f32>,
    pub below: Option<f32>,
    pub from: Option<f32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Operation {
    Add,
    Max,
    Min,
    Times,
    Threshold,
}

/// `[flow]`: what ways cost.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Flow {
    /// The layer whose negative values are to be avoided; without one, that of all together.
    pub danger: Option<String>,
    #[serde(default = "one")]
    pub base: f32,
    #[serde(default = "one")]
    pub weight: f32,
    pub highest: Option<f32>,
    /// Steps until ways are found anew, if the field has changed.
    #[serde(default = "one_step")]
    pub every: u32,
}

/// `[influence]`: how the strengths of teams spread.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Influence {
    pub decay: f32,
    #[serde(default)]
    pub momentum: f32,
    /// Cells that influence comes further in a step.
    #[serde(default = "one_step")]
    pub sweeps: u32,
}

/// `[output]`: what is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Output {
    pub folder: PathBuf,
    pub overwrite: bool,
    /// Steps from one frame of the animation to the next; 0 for none.
    pub frame_every: u32,
    pub frames_per_second: f32,
    pub pixels_per_cell: Option<u32>,
    /// The layer that is drawn; without one, all together.
    pub layer: Option<String>,
    pub range: Option<[f32; 2]>,
    pub unit: String,
    /// What points of a colour are called in the legend of pictures.
    pub legend: BTreeMap<ColourName, String>,
    pub first_and_last: bool,
    pub npy: bool,
    /// Steps from one set of rows in the table of agents to the next; 0 for none.
    pub agents_every: u32,
}

impl Default for Output {
    fn default() -> Self {
        Self {
            folder: PathBuf::from("output/fields"),
            overwrite: false,
            frame_every: 4,
            frames_per_second: 12.0,
            pixels_per_cell: None,
            layer: None,
            range: None,
            unit: "potential".to_owned(),
            legend: BTreeMap::new(),
            first_and_last: true,
            npy: true,
            agents_every: 10,
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
