//! Progressive refinement of an image: first as large as can be drawn in time, then at full size with 1, 4, 16 and 64
//! samples per pixel.

use std::sync::Arc;
use std::time::Instant;

use throng_core::InputError;
use throng_model::Failure;
use throng_render::{Drawer, PackedScene, Settings, drawer};
use throng_scene::Camera;

use super::engine::{ActiveExecutor, Engine};
use crate::{Frame, View, Work};

/// Samples per pixel of successive images. Samples are accumulated and numbered, so the last image equals one drawn
/// with 64 samples at once.
const STAGES: [u32; 4] = [1, 4, 16, 64];

/// An image being refined.
pub(super) struct Refining {
    subject: Subject,
    /// Settings of the final image.
    settings: Settings,
    engine: Engine,
    executor: Arc<ActiveExecutor>,
    has_begun: bool,
    /// The full-size image; `None` before its first sample.
    image: Option<Box<dyn Drawer>>,
}

/// The scene and view to draw.
struct Subject {
    scene: Arc<PackedScene>,
    camera: Camera,
    time: Option<String>,
}

impl Refining {
    /// Starts the image of a view. `settings` provides the style, the number of bounces and the seed.
    pub fn new(
        scene: Arc<PackedScene>,
        view: &View,
        settings: &Settings,
        time: Option<String>,
        engine: Engine,
    ) -> Self {
        let samples = STAGES[STAGES.len() - 1];
        let settings = Settings { width: view.width, height: view.height, samples, ..*settings };
        let subject = Subject { scene, camera: view.camera, time };
        Self { subject, settings, executor: engine.active(), engine, has_begun: false, image: None }
    }

    /// Draws the next image; `None` if there is no better one, or this one is obsolete.
    fn better(&mut self, is_obsolete: &(dyn Fn() -> bool + Sync)) -> Result<Option<Frame>, Failure> {
        let Self { subject, settings, executor, image: Some(image), .. } = self else {
            return self.first_sample(is_obsolete);
        };
        let Some(samples) = STAGES.into_iter().find(|&samples| samples > image.samples()) else { return Ok(None) };
        while image.samples() < samples {
            // One sample per call, so that pages take turns on a device.
            if !executor.call(|| image.add_samples_unless(&subject.camera, 1, is_obsolete))? {
                return Ok(None);
            }
        }
        Ok(Some(subject.frame(&**image, settings, executor)?))
    }

    /// Draws the first image, or the first full-size one.
    fn first_sample(&mut self, is_obsolete: &(dyn Fn() -> bool + Sync)) -> Result<Option<Frame>, Failure> {
        let start = Instant::now();
        let Self { subject, settings, executor, .. } = self;
        let whole = [settings.width, settings.height];
        let size = if self.has_begun { whole } else { executor.pace.first_size(whole) };
        self.has_begun = true;
        let [width, height] = size;
        // The only sample of a coarse image is at the centre of a pixel.
        let samples = if size == whole { settings.samples } else { 1 };
        let settings = Settings { width, height, samples, ..*settings };
        let drawn = executor.call(|| {
            let mut image = drawer(&executor.executor, &subject.scene, &settings)?;
            let is_drawn = image.add_samples_unless(&subject.camera, 1, is_obsolete)?;
            Ok::<_, Failure>(is_drawn.then_some(image))
        })?;
        let Some(image) = drawn else { return Ok(None) };
        let frame = subject.frame(&*image, &settings, executor)?;
        executor.pace.note(size, start.elapsed());
        self.image = (size == whole).then_some(image);
        Ok(Some(frame))
    }

    /// The message for the page. If a device has failed, the next image is the first one of the CPU.
    fn recover(&mut self, failure: Failure) -> InputError {
        match failure {
            Failure::Input(error) => error.with_places(|key| format!("view.{key}")),
            Failure::Device(error) => {
                let message = self.engine.replace(&self.executor, &error);
                (self.executor, self.has_begun, self.image) = (self.engine.active(), false, None);
                message
            }
            other => InputError::one("view", other.to_string(), ""),
        }
    }
}

impl Subject {
    fn frame(
        &self,
        image: &dyn Drawer,
        &Settings { width, height, tone, .. }: &Settings,
        executor: &ActiveExecutor,
    ) -> Result<Frame, Failure> {
        let rgba = executor.call(|| image.picture(tone))?.into_rgba();
        let (time, device) = (self.time.clone(), Some(executor.name.clone()));
        Ok(Frame { width, height, samples: image.samples(), rgba, time, device })
    }
}

impl Work for Refining {
    fn next(&mut self, is_obsolete: &(dyn Fn() -> bool + Sync)) -> Option<Result<Frame, InputError>> {
        self.better(is_obsolete).map_err(|failure| self.recover(failure)).transpose()
    }
}
