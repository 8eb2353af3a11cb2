//! Capsules, which represent pedestrians.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::Problems;

use super::GREY;
use crate::check::{check_albedo, check_finite, check_length, check_reflectance};
use crate::{Point, Rgb};

/// All points within a radius of a line segment: a cylinder with hemispheres at its ends.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Capsule {
    /// One end of the line.
    pub from: Point,
    /// The other end. If it is the same point, the capsule is a sphere.
    pub to: Point,
    /// Radius, above 0.
    pub radius: f64,
    /// Colour, linear red, green and blue, each from 0 to 1.
    pub albedo: Rgb,
    /// Fraction of light that is reflected as by a mirror, from 0 to 1.
    pub reflectance: f64,
}

impl Default for Capsule {
    fn default() -> Self {
        Self { from: [0.0, 0.25, 0.0], to: [0.0, 1.5, 0.0], radius: 0.25, albedo: GREY, reflectance: 0.0 }
    }
}

impl Capsule {
    /// A pedestrian with the given total height, standing at a point on the ground.
    ///
    /// ```
    /// use throng_scene::Capsule;
    ///
    /// let person = Capsule::standing([2.0, 0.0, 3.0], 0.25, 1.75, [0.5; 3]);
    /// assert_eq!((person.from, person.to), ([2.0, 0.25, 3.0], [2.0, 1.5, 3.0]));
    /// ```
    pub fn standing(feet: Point, radius: f64, height: f64, albedo: Rgb) -> Self {
        let [x, y, z] = feet;
        let top = (height - radius).max(radius);
        Self { from: [x, y + radius, z], to: [x, y + top, z], radius, albedo, reflectance: 0.0 }
    }

    pub(crate) fn check(&self, name: &str, problems: &mut Problems) {
        let Self { from, to, radius, albedo, reflectance } = *self;
        check_finite(&format!("{name}, from"), from, problems);
        check_finite(&format!("{name}, to"), to, problems);
        check_length(&format!("{name}, radius"), radius, problems);
        check_albedo(&format!("{name}, albedo"), albedo, problems);
        check_reflectance(&format!("{name}, reflectance"), reflectance, problems);
    }
}
