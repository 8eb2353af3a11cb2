//! Scene files.

mod lattice;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::{Change, InputError, Problems};
use throng_model::scenario_file::{ScenarioFile, read_as};
use throng_scene::{Camera, Capsule, HeightField, Light, OrientedBox, Plane, Rgb, Scene, Sphere};

use crate::{Settings, Style, Tone};

pub use lattice::Lattice;

/// The name of the model.
pub(crate) const NAME: &str = "render";

/// The keys of a scene file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SceneFile {
    /// Title of the report and of the page.
    pub title: String,
    /// Width of the image in pixels.
    #[schemars(range(min = 1, max = 32768))]
    pub width: u32,
    /// Height of the image in pixels.
    #[schemars(range(min = 1, max = 32768))]
    pub height: u32,
    /// Samples per pixel: a single one is at its center, several are at random positions.
    #[schemars(range(min = 1, max = 1_048_576))]
    pub samples: u32,
    /// Maximum number of mirrors on a path of light.
    #[schemars(range(min = 0, max = 64))]
    pub max_bounces: u32,
    /// full: shadows, and mirrors that show lit surfaces; paper: neither, as in Kloosterman's ray tracer.
    pub style: Style,
    /// Tone mapping of amounts of light above 1: clamp, reinhard, or aces.
    pub tone: Tone,
    /// Whether rays are tested against a tree of boxes, or else against every shape. The image is the same.
    pub tree: bool,
    /// Seed of the positions of samples.
    pub seed: i64,
    /// Folder for the image; `--out` overrides it.
    pub folder: PathBuf,
    /// Whether the folder may contain anything other than an earlier run of the same scenario.
    pub overwrite: bool,
    /// Colour of rays that hit nothing, linear red, green and blue.
    pub background: Rgb,
    /// Ambient light, linear red, green and blue.
    pub ambient: Rgb,
    /// Position and direction of the camera.
    pub camera: Camera,
    /// Lamps.
    pub light: Vec<Light>,
    /// Spheres.
    pub sphere: Vec<Sphere>,
    /// Planes.
    pub plane: Vec<Plane>,
    /// Capsules.
    pub capsule: Vec<Capsule>,
    /// Boxes.
    #[serde(rename = "box")]
    pub boxes: Vec<OrientedBox>,
    /// Height fields.
    pub height_field: Vec<HeightField>,
    /// Lattices of spheres, whose spheres follow the individual ones.
    pub lattice: Vec<Lattice>,
}

impl Default for SceneFile {
    fn default() -> Self {
        let Settings { width, height, samples, max_bounces, style, tone, seed, tree } = Settings::default();
        let Scene { background, ambient, .. } = Scene::default();
        Self {
            title: "A scene".to_owned(),
            width,
            height,
            samples,
            max_bounces,
            style,
            tone,
            tree,
            seed,
            folder: PathBuf::from("output/render"),
            overwrite: false,
            background,
            ambient,
            camera: Camera::default(),
            light: Vec::new(),
            sphere: Vec::new(),
            plane: Vec::new(),
            capsule: Vec::new(),
            boxes: Vec::new(),
            height_field: Vec::new(),
            lattice: Vec::new(),
        }
    }
}

impl SceneFile {
    /// Reads a scene file, applies changes, and checks the result.
    ///
    /// # Errors
    /// All faults of the file and the changes, with file and line.
    pub fn read(file: &ScenarioFile, changes: &[Change]) -> Result<Self, InputError> {
        let (scene, texts) = read_as::<Self>(NAME, file, changes)?;
        scene.check().map_err(|error| texts.locate_all(error, &[]))?;
        Ok(scene)
    }

    /// Validates values; errors are located by key.
    ///
    /// # Errors
    /// All values that cannot be used.
    pub fn check(&self) -> Result<(), InputError> {
        let mut problems = Problems::new();
        for (i, lattice) in (1..).zip(&self.lattice) {
            lattice.check(&format!("lattice {i}"), &mut problems);
        }
        if let Err(InputError(shortage)) = crate::packed::check_memory(self.shapes()) {
            problems.append(shortage);
        }
        // Lattices that are too large must not be expanded.
        let scene = if problems.is_empty() { self.scene() } else { Scene::default() };
        for found in [self.settings().check(), self.camera.check(), scene.check()] {
            if let Err(InputError(found)) = found {
                problems.append(found);
            }
        }
        if self.folder.as_os_str().is_empty() {
            problems.push("folder", "\"\"", "name a folder for the image");
        }
        problems.into_result()
    }

    /// The size and the quality of the image.
    pub fn settings(&self) -> Settings {
        let Self { width, height, samples, max_bounces, style, tone, seed, tree, .. } = *self;
        Settings { width, height, samples, max_bounces, style, tone, seed, tree }
    }

    /// Number of spheres, including those of lattices.
    pub fn spheres(&self) -> u64 {
        self.lattice.iter().map(Lattice::number).fold(self.sphere.len() as u64, u64::saturating_add)
    }

    /// Number of shapes.
    pub fn shapes(&self) -> u64 {
        let Self { plane, capsule, boxes, height_field, .. } = self;
        let others = plane.len() + capsule.len() + boxes.len() + height_field.len();
        self.spheres().saturating_add(others as u64)
    }

    /// Returns the scene, with the spheres of lattices.
    pub fn scene(&self) -> Scene {
        Scene {
            background: self.background,
            ambient: self.ambient,
            lights: self.light.clone(),
            spheres: self.sphere.iter().copied().chain(self.lattice.iter().flat_map(Lattice::spheres)).collect(),
            planes: self.plane.clone(),
            capsules: self.capsule.clone(),
            boxes: self.boxes.clone(),
            height_fields: self.height_field.clone(),
        }
    }
}
