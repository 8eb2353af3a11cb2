//! Scene files as shows.

use std::sync::Arc;

use throng_core::InputError;
use throng_render::{PackedScene, SceneFile, Settings};
use throng_scene::{Camera, Point};

use super::Threads;
use super::refining::Refining;
use crate::{Description, Show, View, Work};

/// A scene file as a show, with a movable camera and first lamp.
pub struct SceneShow {
    title: String,
    camera: Camera,
    light: Option<Point>,
    settings: Settings,
    packed: PackedScene,
    threads: Threads,
}

impl SceneShow {
    /// Packs a scene, to be drawn by `threads` threads.
    ///
    /// # Errors
    /// If the scene cannot be drawn, or the threads cannot be started.
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
