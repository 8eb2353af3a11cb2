//! Scenes.

use throng_core::{InputError, Problems};

use crate::check::check_light;
use crate::{Capsule, HeightField, Light, OrientedBox, Plane, Rgb, Sphere};

/// Maximum number of samples in all height fields together; tables store their indices as floats.
const MAX_SAMPLES: usize = 1 << 24;
/// Maximum number of shapes; trees store their indices in 26 bits.
const MAX_SHAPES: usize = 1 << 26;

/// The content of an image, without the camera.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// The colour of rays that hit nothing.
    pub background: Rgb,
    /// The ambient light, which comes from all directions.
    pub ambient: Rgb,
    /// Point lights.
    pub lights: Vec<Light>,
    /// Spheres.
    pub spheres: Vec<Sphere>,
    /// Planes.
    pub planes: Vec<Plane>,
    /// Capsules.
    pub capsules: Vec<Capsule>,
    /// Boxes.
    pub boxes: Vec<OrientedBox>,
    /// Height fields.
    pub height_fields: Vec<HeightField>,
}

impl Default for Scene {
    /// A blue sky without lights and shapes.
    fn default() -> Self {
        Self {
            background: [0.2, 0.3, 0.5],
            ambient: [0.1; 3],
            lights: Vec::new(),
            spheres: Vec::new(),
            planes: Vec::new(),
            capsules: Vec::new(),
            boxes: Vec::new(),
            height_fields: Vec::new(),
        }
    }
}

impl Scene {
    /// Number of shapes.
    pub fn shapes(&self) -> usize {
        let Self { spheres, planes, capsules, boxes, height_fields, .. } = self;
        spheres.len() + planes.len() + capsules.len() + boxes.len() + height_fields.len()
    }

    /// Validates the scene. Errors are located by the entry of a list, counted from 1: `sphere 3, radius`.
    ///
    /// # Errors
    /// When values are outside their ranges; the error lists all of them.
    pub fn check(&self) -> Result<(), InputError> {
        let mut problems = Problems::new();
        let Self { background, ambient, lights, spheres, planes, capsules, boxes, height_fields } = self;
        check_light("background", *background, &mut problems);
        check_light("ambient", *ambient, &mut problems);
        for (i, light) in (1..).zip(lights) {
            light.check(&format!("light {i}"), &mut problems);
        }
        for (i, sphere) in (1..).zip(spheres) {
            sphere.check(&format!("sphere {i}"), &mut problems);
        }
        for (i, plane) in (1..).zip(planes) {
            plane.check(&format!("plane {i}"), &mut problems);
        }
        for (i, capsule) in (1..).zip(capsules) {
            capsule.check(&format!("capsule {i}"), &mut problems);
        }
        for (i, oriented) in (1..).zip(boxes) {
            oriented.check(&format!("box {i}"), &mut problems);
        }
        for (i, field) in (1..).zip(height_fields) {
            field.check(&format!("height_field {i}"), &mut problems);
        }
        let samples: usize = height_fields.iter().map(|field| field.heights.len()).sum();
        if samples > MAX_SAMPLES {
            let remedy = format!("give at most {MAX_SAMPLES} in all height fields together");
            problems.push("height_field", format!("{samples} heights"), remedy);
        }
        if self.shapes() > MAX_SHAPES {
            problems.push("scene", format!("{} shapes", self.shapes()), format!("give at most {MAX_SHAPES}"));
        }
        problems.into_result()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unusable_numbers_of_shapes_are_quoted() {
        let plane = Plane { offset: f64::NAN, ..Plane::default() };
        let field = HeightField::default();
        let heights = vec![0.0, 1e16, 0.0, 0.0];
        for (scene, expected) in [
            (
                Scene { planes: vec![plane], ..Scene::default() },
                "plane 1, offset: NaN\n    give a finite number up to 1e15",
            ),
            (
                Scene { height_fields: vec![HeightField { heights, ..field.clone() }], ..Scene::default() },
                "height_field 1, heights, value 2: 10000000000000000\n    give a finite number up to 1e15",
            ),
            // Twice this number exceeds 64 bits.
            (
                Scene { height_fields: vec![HeightField { columns: 1 << 63, ..field }], ..Scene::default() },
                "height_field 1, heights: 4 heights\n    give at least two whole rows of 9223372036854775808",
            ),
        ] {
            assert_eq!(scene.check().unwrap_err().to_string(), expected);
        }
    }
}
