//! Spheres.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::Problems;

use super::GREY;
use crate::check::{check_albedo, check_finite, check_length, check_reflectance};
use crate::{Point, Rgb};

/// A sphere.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Sphere {
    /// Center.
    pub center: Point,
    /// Radius, above 0.
    pub radius: f64,
    /// Colour, linear red, green and blue, each from 0 to 1.
    pub albedo: Rgb,
    /// Fraction of light that is reflected as by a mirror, from 0 to 1.
    pub reflectance: f64,
}

impl Default for Sphere {
    fn default() -> Self {
        Self { center: [0.0; 3], radius: 1.0, albedo: GREY, reflectance: 0.0 }
    }
}

impl Sphere {
    pub(crate) fn check(&self, name: &str, problems: &mut Problems) {
        let Self { center, radius, albedo, reflectance } = *self;
        check_finite(&format!("{name}, center"), center, problems);
        check_length(&format!("{name}, radius"), radius, problems);
        check_albedo(&format!("{name}, albedo"), albedo, problems);
        check_reflectance(&format!("{name}, reflectance"), reflectance, problems);
    }
}
