//! Height fields: terrain, and the values of fields.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::Problems;

use super::GREY;
use crate::check::{check_albedo, check_coordinate, check_finite, check_length, check_reflectance};
use crate::{Point, Rgb};

/// A surface over a rectangle of the ground, with a height at each point of a grid and bilinear interpolation between
/// them. It is visible from above and below, and has no sides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct HeightField {
    /// The corner with the lowest x and z; heights are relative to its y.
    pub origin: Point,
    /// Distances between neighbouring samples along x and z, each above 0.
    pub spacing: [f64; 2],
    /// Number of samples along x, at least 2.
    pub columns: usize,
    /// Heights, row by row along x, starting with the row of lowest z. At least two rows.
    pub heights: Vec<f64>,
    /// Colours of the samples, in the same order; if empty, all samples have the colour `albedo`.
    pub albedos: Vec<Rgb>,
    /// Colour, linear red, green and blue, each from 0 to 1.
    pub albedo: Rgb,
    /// Fraction of light that is reflected as by a mirror, from 0 to 1.
    pub reflectance: f64,
}

impl Default for HeightField {
    fn default() -> Self {
        Self {
            origin: [0.0; 3],
            spacing: [1.0; 2],
            columns: 2,
            heights: vec![0.0; 4],
            albedos: Vec::new(),
            albedo: GREY,
            reflectance: 0.0,
        }
    }
}

impl HeightField {
    /// Number of samples along z.
    pub fn rows(&self) -> usize {
        self.heights.len() / self.columns.max(1)
    }

    pub(crate) fn check(&self, name: &str, problems: &mut Problems) {
        let Self { origin, spacing, columns, heights, albedos, albedo, reflectance } = self;
        check_finite(&format!("{name}, origin"), *origin, problems);
        for &length in spacing {
            check_length(&format!("{name}, spacing"), length, problems);
        }
        if *columns < 2 {
            problems.push(format!("{name}, columns"), columns.to_string(), "give at least 2");
        } else if self.rows() < 2 || !heights.len().is_multiple_of(*columns) {
            let remedy = format!("give at least two whole rows of {columns}");
            problems.push(format!("{name}, heights"), format!("{} heights", heights.len()), remedy);
        }
        if let Some((i, &height)) =
            heights.iter().enumerate().find(|(_, height)| height.is_nan() || height.abs() > 1e15)
        {
            check_coordinate(&format!("{name}, heights, value {}", i + 1), height, problems);
        }
        if !albedos.is_empty() && albedos.len() != heights.len() {
            let remedy = format!("give one for each of the {} heights, or none", heights.len());
            problems.push(format!("{name}, albedos"), format!("{} colours", albedos.len()), remedy);
        }
        for (i, &albedo) in albedos.iter().enumerate() {
            check_albedo(&format!("{name}, albedos, value {}", i + 1), albedo, problems);
        }
        check_albedo(&format!("{name}, albedo"), *albedo, problems);
        check_reflectance(&format!("{name}, reflectance"), *reflectance, problems);
    }
}
