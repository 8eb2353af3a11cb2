//! Scene files.

use std::sync::Arc;

use throng_core::InputError;
use throng_render::{PackedScene, SceneFile, Settings};
use throng_scene::{Camera, Point};

use super::Threads;
use super::refining::Refining;
use crate::{Description, Show, View, Work};

/// A scene file as a show: its camera and its first lamp can be moved.
pub struct SceneShow {
    title: String,
    camera: Camera,
    light: Option<Point>,
    settings: Settings,
    packed: PackedScene,
    threads: Threads,
}

impl SceneShow {
    /// Packs a scene, to be drawn by so many threads.
    ///
    /// # Errors
    /// A scene that cannot be drawn; no threads.
    pub fn new(file: &SceneFile, threads: usize) -> Result<Self, InputError> {
        file.check()?;
        Ok(Self {
            title: file.title.clone(),
            camera: file.camera,
            light: file.light.first().map(|light| light.position),
            settings: file.settings(),
            packed: PackedScene::new(&file.scene())?,
            threads: Threads::new(threads)?,
        })
    }
}

impl Show for SceneShow {
    fn description(&self) -> Description {
        Description { title: self.title.clone(), camera: self.camera, light: self.light, ..Description::default() }
    }

    fn begin(&self, view: &View) -> Result<Box<dyn Work>, InputError> {
        let packed = view.light.map_or_else(|| self.packed.clone(), |light| self.packed.with_first_light_at(light));
        Ok(Box::new(Refining::new(Arc::new(packed), view, &self.settings, None, self.threads.clone())))
    }
}
