//! Scene files as shows.

use std::sync::Arc;

use throng_core::InputError;
use throng_device::{Executor, On};
use throng_model::Failure;
use throng_render::{PackedScene, SceneFile, Settings};
use throng_scene::{Camera, Point};

use super::engine::Engine;
use super::refining::Refining;
use crate::{Description, Show, View, Work};

/// A scene file as a show, with a movable camera and first lamp.
pub struct SceneShow {
    title: String,
    camera: Camera,
    light: Option<Point>,
    settings: Settings,
    packed: PackedScene,
    engine: Engine,
}

impl SceneShow {
    /// Packs a scene, to be drawn on a [`DeviceChoice`](throng_device::DeviceChoice) or an open [`Executor`]; on the
    /// CPU, by `threads` threads. [`DeviceChoice::Auto`](throng_device::DeviceChoice) is the fastest GPU, or the CPU if
    /// there is none.
    ///
    /// # Errors
    /// If the scene cannot be drawn, the device cannot be used, or the threads cannot be started.
    pub fn new(file: &SceneFile, on: impl Into<On>, threads: usize) -> Result<Self, Failure> {
        file.check()?;
        Ok(Self {
            title: file.title.clone(),
            camera: file.camera,
            light: file.light.first().map(|light| light.position),
            settings: file.settings(),
            packed: PackedScene::new(&file.scene())?,
            engine: Engine::new(on, threads, &file.settings())?,
        })
    }

    /// The executor that draws the images.
    pub fn executor(&self) -> Executor {
        self.engine.active().executor.clone()
    }
}

impl Show for SceneShow {
    fn description(&self) -> Description {
        Description { title: self.title.clone(), camera: self.camera, light: self.light, ..Description::default() }
    }

    fn begin(&self, view: &View) -> Result<Box<dyn Work>, InputError> {
        let packed = view.light.map_or_else(|| self.packed.clone(), |light| self.packed.with_first_light_at(light));
        Ok(Box::new(Refining::new(Arc::new(packed), view, &self.settings, None, self.engine.clone())))
    }
}
