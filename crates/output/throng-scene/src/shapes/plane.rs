//! Planes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::Problems;

use super::GREY;
use crate::check::{check_albedo, check_coordinate, check_reflectance};
use crate::{Point, Rgb, length};

/// An infinite plane: all points p with normal . p = offset. Both sides are visible.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Plane {
    /// Normal, of length 1 within 0.001; it is normalised.
    pub normal: Point,
    /// Distance from the origin, along the normal.
    pub offset: f64,
    /// Colour, linear red, green and blue, each from 0 to 1.
    pub albedo: Rgb,
    /// Fraction of light that is reflected as by a mirror, from 0 to 1.
    pub reflectance: f64,
}

impl Default for Plane {
    /// The ground: a horizontal plane through the origin.
    fn default() -> Self {
        Self { normal: [0.0, 1.0, 0.0], offset: 0.0, albedo: GREY, reflectance: 0.0 }
    }
}

impl Plane {
    pub(crate) fn check(&self, name: &str, problems: &mut Problems) {
        let Self { normal, offset, albedo, reflectance } = *self;
        let is_unit = (length(normal) - 1.0).abs() <= 1e-3;
        if !is_unit {
            let place = format!("{name}, normal");
            problems.push(place, format!("{normal:?}"), "give a vector of length 1, such as [0, 1, 0]");
        }
        check_coordinate(&format!("{name}, offset"), offset, problems);
        check_albedo(&format!("{name}, albedo"), albedo, problems);
        check_reflectance(&format!("{name}, reflectance"), reflectance, problems);
    }
}
