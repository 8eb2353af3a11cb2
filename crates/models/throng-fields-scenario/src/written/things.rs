//! The contents of the map: walls, and entities with profiles and stamps.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_pictures::Colour;

/// An entry of `[[walls]]`.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wall {
    /// A name, for messages.
    pub name: Option<String>,
    /// The shape of the wall.
    pub shape: WallShape,
    /// Where it is (disc, box), units of length.
    pub at: Option<[f64; 2]>,
    /// Radius of a disc, units of length.
    pub radius: Option<f32>,
    /// Length and width of a box, units of length.
    pub size: Option<[f32; 2]>,
    /// Direction of a box, degrees anticlockwise from the x axis.
    pub heading: Option<f32>,
    /// The points of a line, or the corners of a polygon, units of length.
    pub points: Option<Vec<[f64; 2]>>,
    /// Width of a line, units of length; by default the thinnest without gaps, 1.42 cells.
    pub width: Option<f32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum WallShape {
    Disc,
    Box,
    Line,
    Polygon,
}

/// An entry of `[profiles]`.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// How a charge falls off.
    pub form: Form,
    /// The distance beyond which the value is zero, units of length (all but piecewise).
    pub radius: Option<f32>,
    /// Standard deviation of a bell, units of length (gaussian).
    pub sigma: Option<f32>,
    /// Distance and value, or distance and the values before and after a jump (piecewise).
    pub knots: Option<Vec<Vec<f32>>>,
    /// Values at equal distances from 0 to the radius (table).
    pub values: Option<Vec<f32>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    Linear,
    Quadratic,
    Gaussian,
    Piecewise,
    Table,
}

/// An entry of `[stamps]`.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stamp {
    /// The distance between neighbouring values, units of length.
    pub side: f32,
    /// Rows of values, the one with the lowest y first.
    pub values: Option<Vec<Vec<f32>>>,
    /// An array of NumPy in place of values; its path is relative to the scenario file.
    pub file: Option<PathBuf>,
}

/// An entry of `[diffusion]`: a layer of amounts that spread and fade.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Diffusion {
    /// Diffusivity of the amount, square units of length per unit of time.
    pub diffusivity: f32,
    /// Rate of decay, per unit of time.
    #[serde(default)]
    pub decay: f32,
    /// How long it has already spread when the run begins, units of time.
    #[serde(default)]
    pub before: f32,
}

/// An entry of `[[entities]]`.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Entity {
    /// A name, for `--set`, messages and the legend.
    pub name: Option<String>,
    /// Its position, or the start of its path, units of length.
    pub at: [f64; 2],
    /// The name of a profile.
    pub profile: Option<String>,
    /// The figure from which distances are measured.
    #[serde(default)]
    pub shape: Shape,
    /// Factor of the profile or the stamp: positive attracts, negative repels; by default 1.
    pub charge: Option<f32>,
    /// Degrees anticlockwise from the x axis; by default 0, or the direction of motion.
    pub heading: Option<f32>,
    /// Radius of a ring, units of length.
    pub radius: Option<f32>,
    /// Length of a capsule, units of length.
    pub length: Option<f32>,
    /// Length and width of a box, units of length.
    pub size: Option<[f32; 2]>,
    /// Corners of a polygon, in the coordinates of the entity, units of length.
    pub corners: Option<Vec<[f32; 2]>>,
    /// Opening of a cone, degrees.
    pub opening: Option<f32>,
    /// The name of a stamp.
    pub stamp: Option<String>,
    /// The layers that it is in; needed where there are several.
    pub layers: Option<Vec<String>>,
    /// Amount emitted into layers that diffuse, per unit of time.
    pub emits: Option<BTreeMap<String, f32>>,
    /// The points of its path after its position, units of length.
    pub path: Option<Vec<[f64; 2]>>,
    /// Its speed, units of length per unit of time; needed with a path.
    pub speed: Option<f64>,
    /// What follows the last point of the path: the first one, the same way back, or nothing; by default round.
    pub then: Option<Then>,
    /// The team that it is in.
    pub team: Option<String>,
    /// The strength of its influence, which needs `[influence]`; by default 1.
    pub strength: Option<f32>,
    /// Its colour, a name or red, green and blue in hexadecimal digits; without one it is not drawn.
    pub colour: Option<Colour>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Then {
    /// The first one, again and again.
    #[default]
    Round,
    /// The same way back, to and fro.
    Back,
    /// Nothing.
    Stop,
}

/// A part of the map: a disc, or a rectangle along the axes.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Area {
    /// The centre of a disc, units of length.
    pub at: Option<[f64; 2]>,
    /// The radius of a disc, units of length.
    pub radius: Option<f32>,
    /// The corner of a rectangle with the lowest coordinates, units of length.
    pub from: Option<[f64; 2]>,
    /// The corner with the highest coordinates.
    pub to: Option<[f64; 2]>,
}
