//! Progressive refinement of an image: first as large as can be drawn in time, then at full size with 1, 4, 16 and 64
//! samples per pixel.

use std::sync::Arc;
use std::time::Instant;

use throng_core::InputError;
use throng_render::{Film, PackedScene, Settings};
use throng_scene::Camera;

use super::Threads;
use crate::{Frame, View, Work};

/// Samples per pixel of successive images. Samples are accumulated in one film and are numbered, so the last image
/// equals one drawn with 64 samples at once.
const STAGES: [u32; 4] = [1, 4, 16, 64];

/// An image being refined.
pub(super) struct Refining {
    subject: Subject,
    /// Settings of the final image.
    settings: Settings,
    has_begun: bool,
    /// The film of the full-size image; `None` before its first sample.
    film: Option<Film>,
}

/// The scene and view to draw, and the threads that draw it.
struct Subject {
    scene: Arc<PackedScene>,
    camera: Camera,
    time: Option<String>,
    threads: Threads,
}

impl Refining {
    /// Starts the image of a view. `settings` provides the style, the number of bounces and the seed.
    pub fn new(
        scene: Arc<PackedScene>,
        view: &View,
        settings: &Settings,
        time: Option<String>,
        threads: Threads,
    ) -> Self {
        let samples = STAGES[STAGES.len() - 1];
        let settings = Settings { width: view.width, height: view.height, samples, ..*settings };
        let subject = Subject { scene, camera: view.camera, time, threads };
        Self { subject, settings, has_begun: false, film: None }
    }

    /// Draws the next image; `None` if there is no better one, or this one is obsolete.
    fn better(&mut self, is_obsolete: &(dyn Fn() -> bool + Sync)) -> Result<Option<Frame>, InputError> {
        let Self { subject, settings, film: Some(film), .. } = self else { return self.first_sample(is_obsolete) };
        let Some(samples) = STAGES.into_iter().find(|&samples| samples > film.samples()) else { return Ok(None) };
        while film.samples() < samples {
            if !subject.add_sample(film, settings, is_obsolete) {
                return Ok(None);
            }
        }
        Ok(Some(subject.frame(film, settings)?))
    }

    /// Draws the first image, or the first full-size one.
    fn first_sample(&mut self, is_obsolete: &(dyn Fn() -> bool + Sync)) -> Result<Option<Frame>, InputError> {
        let start = Instant::now();
        let Self { subject, settings, .. } = self;
        let pace = &subject.threads.pace;
        let whole = [settings.width, settings.height];
        let size = if self.has_begun { whole } else { pace.first_size(whole) };
        self.has_begun = true;
        let [width, height] = size;
        // The only sample of a coarse image is at the centre of a pixel.
        let samples = if size == whole { settings.samples } else { 1 };
        let settings = Settings { width, height, samples, ..*settings };
        let mut film = Film::new(&settings).map_err(|error| error.with_places(|key| format!("view.{key}")))?;
        if !subject.add_sample(&mut film, &settings, is_obsolete) {
            return Ok(None);
        }
        let frame = subject.frame(&film, &settings)?;
        pace.note(size, start.elapsed());
        self.film = (size == whole).then_some(film);
        Ok(Some(frame))
    }
}

impl Subject {
    /// Adds one sample to each pixel; returns false if the image has become obsolete.
    fn add_sample(&self, film: &mut Film, settings: &Settings, is_obsolete: &(dyn Fn() -> bool + Sync)) -> bool {
        self.threads.install(|| film.add_samples_unless(&self.scene, &self.camera, settings, 1, is_obsolete))
    }

    fn frame(&self, film: &Film, &Settings { width, height, tone, .. }: &Settings) -> Result<Frame, InputError> {
        let picture = self.threads.install(|| film.picture(tone))?;
        Ok(Frame { width, height, samples: film.samples(), rgba: picture.into_rgba(), time: self.time.clone() })
    }
}

impl Work for Refining {
    fn next(&mut self, is_obsolete: &(dyn Fn() -> bool + Sync)) -> Option<Result<Frame, InputError>> {
        self.better(is_obsolete).transpose()
    }
}
