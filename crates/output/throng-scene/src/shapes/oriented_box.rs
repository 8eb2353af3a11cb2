//! Boxes in any orientation: vehicles, walls, bars.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::Problems;

use super::GREY;
use crate::check::{check_albedo, check_finite, check_length, check_reflectance};
use crate::{Point, Rgb, cross, difference, dot, length, normalized, scaled};

/// A box in any orientation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct OrientedBox {
    /// Center.
    pub center: Point,
    /// Half the edge lengths along the first, second and third axis, each above 0.
    pub half_size: Point,
    /// Direction of the first axis, of any length.
    pub along: Point,
    /// Direction of the second axis, of any length, not parallel to the first. Its component along the first axis is
    /// removed; the third axis is perpendicular to both.
    pub up: Point,
    /// Colour, linear red, green and blue, each from 0 to 1.
    pub albedo: Rgb,
    /// Fraction of light that is reflected as by a mirror, from 0 to 1.
    pub reflectance: f64,
}

impl Default for OrientedBox {
    fn default() -> Self {
        Self {
            center: [0.0, 0.5, 0.0],
            half_size: [0.5; 3],
            along: [1.0, 0.0, 0.0],
            up: [0.0, 1.0, 0.0],
            albedo: GREY,
            reflectance: 0.0,
        }
    }
}

impl OrientedBox {
    /// An axis-aligned box between two opposite corners.
    ///
    /// ```
    /// use throng_scene::OrientedBox;
    ///
    /// let wall = OrientedBox::between([0.0, 0.0, 0.0], [4.0, 2.5, 0.4], [0.5; 3]);
    /// assert_eq!((wall.center, wall.half_size), ([2.0, 1.25, 0.2], [2.0, 1.25, 0.2]));
    /// ```
    pub fn between(corner: Point, other: Point, albedo: Rgb) -> Self {
        Self {
            center: std::array::from_fn(|i| f64::midpoint(corner[i], other[i])),
            half_size: std::array::from_fn(|i| (other[i] - corner[i]).abs() / 2.0),
            albedo,
            ..Self::default()
        }
    }

    /// The three axes: perpendicular unit vectors.
    pub fn axes(&self) -> [Point; 3] {
        let first = normalized(self.along);
        let second = normalized(difference(self.up, scaled(first, dot(self.up, first))));
        [first, second, cross(first, second)]
    }

    pub(crate) fn check(&self, name: &str, problems: &mut Problems) {
        let Self { center, half_size, along, up, albedo, reflectance } = *self;
        check_finite(&format!("{name}, center"), center, problems);
        for length in half_size {
            check_length(&format!("{name}, half_size"), length, problems);
        }
        let are_finite = check_finite(&format!("{name}, along"), along, problems)
            & check_finite(&format!("{name}, up"), up, problems);
        if are_finite && length(along) < 1e-9 {
            problems.push(format!("{name}, along"), format!("{along:?}"), "give a direction");
        } else if are_finite && length(cross(along, up)) <= 1e-5 * length(along) * length(up) {
            problems.push(
                format!("{name}, up"),
                format!("{up:?}"),
                "give a direction that is not along the first axis",
            );
        }
        check_albedo(&format!("{name}, albedo"), albedo, problems);
        check_reflectance(&format!("{name}, reflectance"), reflectance, problems);
    }
}
