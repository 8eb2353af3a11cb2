//! The camera.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::{InputError, Problems};

use crate::check::{check_finite, check_number};
use crate::{Point, cross, difference, dot, length, scaled, sum};

/// A pinhole camera.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Camera {
    /// Position of the camera.
    pub eye: Point,
    /// The point in the middle of the image; not the position of the camera.
    pub target: Point,
    /// A direction that points upwards in the image; not parallel to the direction of view.
    pub up: Point,
    /// The vertical angle of view in degrees, above 0 and below 180.
    pub vfov_deg: f64,
}

impl Default for Camera {
    fn default() -> Self {
        Self { eye: [0.0, 1.5, 5.0], target: [0.0, 0.8, 0.0], up: [0.0, 1.0, 0.0], vfov_deg: 50.0 }
    }
}

impl Camera {
    /// A camera that sees the whole box from `low` to `high`: from the south, at an elevation in degrees above the
    /// ground, in an image with an aspect ratio of at least 4:3.
    ///
    /// ```
    /// use throng_scene::Camera;
    ///
    /// let camera = Camera::overview([0.0, 0.0, -100.0], [100.0, 2.0, 0.0], 45.0);
    /// assert_eq!(camera.target, [50.0, 1.0, -50.0]);
    /// assert!(camera.eye[1] > 50.0 && camera.eye[2] > 0.0);
    /// ```
    pub fn overview(low: Point, high: Point, elevation_deg: f64) -> Self {
        const MARGIN: f64 = 1.04;
        const ASPECT: f64 = 4.0 / 3.0;
        let target: Point = std::array::from_fn(|i| f64::midpoint(low[i], high[i]));
        let vfov_deg = 35.0;
        let half_height = libm::tan(f64::to_radians(vfov_deg / 2.0));
        // Looking straight down, `up` would be parallel to the view.
        let elevation = elevation_deg.clamp(-89.9, 89.9).to_radians();
        let backwards = [0.0, libm::sin(elevation), libm::cos(elevation)];
        let upwards = [0.0, libm::cos(elevation), -libm::sin(elevation)];
        // The minimum distance at which a corner is within the edges of the image.
        let distance = |corner: usize| {
            let at = |axis: usize| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] };
            let from_target = difference([at(0), at(1), at(2)], target);
            let needed = (dot(from_target, upwards).abs()).max(from_target[0].abs() / ASPECT);
            MARGIN * needed / half_height + dot(from_target, backwards)
        };
        let distance = (0..8).map(distance).fold(1e-3, f64::max);
        let eye = sum(target, scaled(backwards, distance));
        Self { eye, target, up: [0.0, 1.0, 0.0], vfov_deg }
    }

    /// Returns an error for a camera with an undefined view.
    ///
    /// # Errors
    /// Coordinates not finite or too large, a camera at its target, `up` parallel to the view, an angle out of range.
    pub fn check(&self) -> Result<(), InputError> {
        let mut problems = Problems::new();
        let Self { eye, target, up, vfov_deg } = *self;
        let mut are_finite = true;
        for (key, point) in [("eye", eye), ("target", target), ("up", up)] {
            are_finite &= check_finite(&format!("camera.{key}"), point, &mut problems);
        }
        if are_finite {
            let view = difference(target, eye);
            // If the directions are at most 1e-5 radians apart, their cross product is too inexact.
            let across = length(cross(view, up));
            if view == [0.0; 3] {
                problems.push("camera.target", format!("{target:?}"), "the camera is there; give another point");
            } else if across <= 1e-5 * length(view) * length(up) || !across.is_finite() {
                problems.push("camera.up", format!("{up:?}"), "give a direction that is not along the view");
            }
        }
        let is_angle = |angle: f64| angle > 0.0 && angle < 180.0;
        check_number("camera.vfov_deg", vfov_deg, is_angle, "give degrees above 0 and below 180", &mut problems);
        problems.into_result()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_cameras_are_refused() {
        let fine = Camera::default();
        assert_eq!(fine.check(), Ok(()));
        for (camera, expected) in [
            (Camera { target: fine.eye, ..fine }, "camera.target: [0.0, 1.5, 5.0]\n    the camera is there"),
            (Camera { up: [0.0, -0.7, -5.0], ..fine }, "camera.up: [0.0, -0.7, -5.0]\n    give a direction that"),
            (Camera { up: [0.0; 3], ..fine }, "camera.up: [0.0, 0.0, 0.0]\n    give a direction that"),
            (Camera { eye: [f64::NAN, 0.0, 0.0], ..fine }, "camera.eye: [NaN, 0.0, 0.0]\n    give finite numbers"),
            (Camera { eye: [1e200, 0.0, 0.0], ..fine }, "camera.eye: [1e200, 0.0, 0.0]\n    give finite numbers"),
            (Camera { vfov_deg: 180.0, ..fine }, "camera.vfov_deg: 180\n    give degrees above 0"),
            (Camera { vfov_deg: f64::NAN, ..fine }, "camera.vfov_deg: NaN\n    give degrees above 0"),
        ] {
            let error = camera.check().unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
