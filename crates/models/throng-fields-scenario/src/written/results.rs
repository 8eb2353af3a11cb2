//! What a run writes besides pictures: arrays, answers to queries, costmaps.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An entry of `[[output.arrays]]`: the values of all cells, or of some, at some times.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Array {
    /// What is written.
    pub quantity: Quantity,
    /// The layer (layer).
    pub layer: Option<String>,
    /// The team (influence, balance, vulnerability).
    pub team: Option<String>,
    /// The name of the file, without its ending; by default that of the quantity, and of the layer or team.
    pub name: Option<String>,
    /// The format of the file.
    #[serde(default)]
    pub format: Format,
    /// Steps from one time to the next; the end is always one. Without `every` and `at`, only the end is written.
    pub every: Option<u32>,
    /// The times, from 0 to the end, units of time; each is that of the nearest step.
    pub at: Option<Vec<f64>>,
    /// Only the cells whose sampled points are in this part of the map, units of length.
    pub window: Option<Part>,
    /// Only these cells, columns and rows from 0, both ends included.
    pub cells: Option<CellRange>,
    /// The EPSG code of the projected coordinate system of the map (geotiff).
    pub epsg: Option<u16>,
}

/// An entry of `[[output.queries]]`: best cells, or values at points, at some times. All answers are in queries.csv.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Query {
    /// The field that is asked.
    pub quantity: Quantity,
    /// The layer (layer).
    pub layer: Option<String>,
    /// The team (influence, balance, vulnerability).
    pub team: Option<String>,
    /// The name of the query in the table; by default its number.
    pub name: Option<String>,
    /// How many open cells with the highest values are listed.
    pub best: Option<u32>,
    /// Points of the map at which the value and the slope are listed, units of length.
    pub points: Option<Vec<[f64; 2]>>,
    /// As in arrays.
    pub every: Option<u32>,
    /// As in arrays.
    pub at: Option<Vec<f64>>,
    /// As in arrays (best).
    pub window: Option<Part>,
    /// As in arrays (best).
    pub cells: Option<CellRange>,
}

/// A quantity with a value for each cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// A layer.
    Layer,
    /// The field that agents follow.
    Combined,
    /// The influence of a team.
    Influence,
    /// The influence of a team minus that of all others.
    Balance,
    /// The sum of all influences.
    Tension,
    /// Tension minus the absolute value of balance.
    Vulnerability,
    /// The travel time to the nearest goal.
    TravelTimes,
    /// The direction of the path to the nearest goal.
    Flow,
    /// 1 in open cells, 0 in walls.
    Open,
}

/// The format of arrays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// One file for NumPy with the dimensions time, row, column, and one with the times.
    #[default]
    Npy,
    /// A file for each time.
    Geotiff,
    /// One table with a row for each cell and time.
    Parquet,
}

/// A rectangle of the map.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The corner with the lowest coordinates.
    pub from: [f64; 2],
    /// The corner with the highest coordinates.
    pub to: [f64; 2],
}

/// A rectangle of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CellRange {
    /// The first column and row.
    pub from: [u32; 2],
    /// The last column and row.
    pub to: [u32; 2],
}

/// `[nav2]`: the costs of an inflation layer of Nav2, written as costmap.npy, costmap.pgm and costmap.yaml.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Nav2 {
    /// Where obstacles are.
    #[serde(default)]
    pub source: CostSource,
    /// Distance from obstacles up to which there are costs, units of length, at most 4096 cells.
    #[serde(default = "Nav2::inflation_radius")]
    pub inflation_radius: f64,
    /// Rate at which costs fall off, per unit of length.
    #[serde(default = "Nav2::cost_scaling_factor")]
    pub cost_scaling_factor: f64,
    /// Radius of a round robot, units of length: Nav2 makes a polygon with 16 corners of it. A robot has this,
    /// `footprint` or `inscribed_radius`; with a footprint it has no effect.
    pub robot_radius: Option<f64>,
    /// The corners of the robot's outline around its centre, [x, y] in units of length, in order; [] stands for none.
    pub footprint: Option<Vec<[f64; 2]>>,
    /// Padding of the polygon or the footprint along x and y, units of length; by default 0.01.
    pub footprint_padding: Option<f64>,
    /// Radius of the largest circle inside the padded footprint, units of length.
    pub inscribed_radius: Option<f64>,
    /// Whether unknown cells take any cost above 0; otherwise only costs of 253 and 254.
    #[serde(default)]
    pub inflate_unknown: bool,
    /// Whether unknown cells are obstacles.
    #[serde(default)]
    pub inflate_around_unknown: bool,
    /// The share by which a cost of 252 raises the cost of paths; the robot's centre then avoids inscribed cells. Without
    /// it, inflation does not affect paths.
    pub path_weight: Option<f32>,
}

impl Nav2 {
    fn inflation_radius() -> f64 {
        throng_nav2::Inflation::default().inflation_radius
    }

    fn cost_scaling_factor() -> f64 {
        throng_nav2::Inflation::default().cost_scaling_factor
    }

    /// The corners of the footprint, if there is one.
    pub fn corners(&self) -> Option<&[[f64; 2]]> {
        self.footprint.as_deref().filter(|corners| !corners.is_empty())
    }

    /// Writes the defaults that depend on other keys, and leaves out what has no effect.
    pub fn complete(&mut self) {
        match self.corners() {
            Some(_) => self.robot_radius = None,
            None => self.footprint = None,
        }
        if self.inscribed_radius.is_none() {
            self.footprint_padding.get_or_insert(throng_nav2::FOOTPRINT_PADDING);
        }
    }
}

/// Where obstacles are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CostSource {
    /// In all walls of the scenario; all other cells are free.
    #[default]
    Walls,
    /// In the occupied cells of the map, whose unknown cells stay unknown; other walls are left out.
    Map,
}
