//! A scenario file as it is written: names, numbers and defaults, nothing yet that depends on anything else.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::grid::Sample;

mod things;

pub(crate) use things::{
    Agents, Area, ColourName, Diffusion, Entity, Follow, Form, Profile, Shape, Stamp, Then, Wall, WallShape,
};

/// The root of a scenario file. Its keys are taken from the file one by one, because each knows its place; written is the whole.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Root {
    /// "fields".
    pub model: String,
    /// What it is called in pictures and reports, 200 characters at most; by default Fields.
    pub title: Option<String>,
    /// Seed of all random draws, a whole number of 64 bits; by default 1.
    pub seed: Option<i64>,
    /// Names of the layers, 1 to 32; by default one.
    pub layers: Option<Vec<String>>,
    /// Where the cells are.
    pub grid: Grid,
    /// How long.
    pub run: Run,
    /// Walls; a cell is one where its centre lies in a shape.
    pub walls: Option<Vec<Wall>>,
    /// How charges fall off, by name.
    pub profiles: Option<BTreeMap<String, Profile>>,
    /// Tables of values that entities carry with them, by name.
    pub stamps: Option<BTreeMap<String, Stamp>>,
    /// Layers of amounts that spread and fade, by the name of the layer.
    pub diffusion: Option<BTreeMap<String, Diffusion>>,
    /// What makes the fields.
    pub entities: Option<Vec<Entity>>,
    /// Where agents want to go: discs or rectangles.
    pub goals: Option<Vec<Area>>,
    /// Groups of agents that are alike.
    pub agents: Option<Vec<Agents>>,
    /// Steps from the layers to the field that agents feel; without any, all layers are added.
    pub combine: Option<Vec<Combine>>,
    /// What ways cost.
    pub flow: Option<Flow>,
    /// How the strengths of teams spread.
    pub influence: Option<Influence>,
    /// What is written.
    pub output: Option<Output>,
}

/// `[grid]`: where the cells are.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Grid {
    /// The lowest coordinates of the map, units of length.
    #[serde(default)]
    pub origin: [f64; 2],
    /// Width and height of the map, units of length: whole multiples of `cell`.
    pub size: [f64; 2],
    /// Side of a cell, units of length.
    pub cell: f64,
    /// The point of a cell at which fields are computed: its centre, or the corner with the lowest coordinates.
    #[serde(default)]
    pub sample: Sample,
    /// A text file of walls, which starts from the scenario file: a letter per block of cells, the upper row first,
    /// `#` for a wall, `.` or a blank for open ground.
    pub map: Option<PathBuf>,
    /// What lengths are measured in, for the axes of pictures.
    #[serde(default)]
    pub unit: String,
}

/// `[run]`: how long.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Run {
    /// Steps of the simulation.
    pub steps: u32,
    /// Length of a step, units of time.
    pub time_step: f64,
    /// The time without progress after which an agent counts as stuck, units of time; by default that of 10 steps.
    pub stuck_after: Option<f32>,
    /// Binary digits after the point of fields.
    #[serde(default = "sixteen")]
    pub bits: u32,
}

impl Run {
    /// The time after which an agent counts as stuck.
    pub(crate) fn stuck_after_or_default(&self) -> f32 {
        self.stuck_after.unwrap_or((10.0 * self.time_step) as f32)
    }
}

/// An entry of `[[combine]]`: a step from the layers to the field that agents feel.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Combine {
    /// What is done with the field so far.
    pub operation: Operation,
    /// The layer (all but threshold).
    pub layer: Option<String>,
    /// What the layer is multiplied by; by default 1.
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
    pub(crate) fn adding(layer: &str) -> Self {
        let (operation, layer) = (Operation::Add, Some(layer.to_owned()));
        Self { operation, layer, weight: None, at: None, below: None, from: None }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Operation {
    Add,
    Max,
    Min,
    Times,
    Threshold,
}

/// `[flow]`: what ways cost.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Flow {
    /// The layer whose negative values are to be avoided; by default the combined field.
    pub danger: Option<String>,
    /// What a unit of length costs without danger, units of time.
    #[serde(default = "one")]
    pub base: f32,
    /// What danger is multiplied by.
    #[serde(default = "one")]
    pub weight: f32,
    /// The highest cost; by default, and at most, 256 times the base.
    pub highest: Option<f32>,
    /// Steps until ways are found anew, if the field has changed.
    #[serde(default = "one_step")]
    pub every: u32,
}

impl Flow {
    /// What ways cost where a file says nothing of it: as much as they are long.
    pub(crate) fn without_danger() -> Self {
        Self { danger: None, base: 1.0, weight: 0.0, highest: None, every: 1 }
    }
}

/// `[influence]`: how the strengths of teams spread.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Influence {
    /// How fast influence fades on its way, per unit of length.
    pub decay: f32,
    /// The share of its value that a cell keeps in a sweep, from 0 to below 1.
    #[serde(default)]
    pub momentum: f32,
    /// Cells that influence comes further in a step, from 0 to 10000.
    #[serde(default = "one_step")]
    pub sweeps: u32,
}

/// `[output]`: what is written.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Output {
    /// The folder for the results; `--out` comes before it.
    pub folder: PathBuf,
    /// Whether the folder may hold something already.
    pub overwrite: bool,
    /// Steps from one frame of the animation to the next; 0 for none.
    pub frame_every: u32,
    /// Frames that the animation shows in a second, from 0.016 to 1000.
    pub frames_per_second: f32,
    /// Pixels along a cell of pictures, from 1 to 256; by default what makes 800 to 1600 in all.
    pub pixels_per_cell: Option<u32>,
    /// The layer that is drawn; by default the combined field.
    pub layer: Option<String>,
    /// The values that colours span; by default those of the first picture.
    pub range: Option<[f32; 2]>,
    /// What the field is measured in, for pictures.
    pub unit: String,
    /// What points of a colour are called in the legend of pictures; an empty name leaves one out.
    pub legend: BTreeMap<ColourName, String>,
    /// Whether first.png and last.png are written.
    pub first_and_last: bool,
    /// Whether the last field is written as field.npy.
    pub npy: bool,
    /// Steps from one set of rows in agents.csv to the next; 0 for no table.
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
