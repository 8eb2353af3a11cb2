//! A picture that gets better: at first as large as can be drawn in time, then whole with 1, 4, 16 and 64 samples of each
//! pixel.

use std::sync::Arc;
use std::time::Instant;

use throng_core::InputError;
use throng_render::{Film, PackedScene, Settings};
use throng_scene::Camera;

use super::Threads;
use crate::{Frame, View, Work};

/// The samples of a pixel in the pictures that follow each other. Samples are added to one film, and each has its number, so
/// that the last picture is the one that is drawn with 64 samples at once.
const STAGES: [u32; 4] = [1, 4, 16, 64];

/// A picture while it is refined.
pub(super) struct Refining {
    subject: Subject,
    /// Of the last picture.
    settings: Settings,
    has_begun: bool,
    /// The film of the whole picture, once it has a sample.
    film: Option<Film>,
}

/// What is drawn, and the threads that draw it.
struct Subject {
    scene: Arc<PackedScene>,
    camera: Camera,
    time: Option<String>,
    threads: Threads,
}

impl Refining {
    /// Begins the picture of a view. `settings` has the style, the bounces and the seed.
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

    /// The next picture, or `None` when there is none that is better.
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

    /// The first picture, or the first whole one.
    fn first_sample(&mut self, is_obsolete: &(dyn Fn() -> bool + Sync)) -> Result<Option<Frame>, InputError> {
        let start = Instant::now();
        let Self { subject, settings, .. } = self;
        let pace = &subject.threads.pace;
        let whole = [settings.width, settings.height];
        let size = if self.has_begun { whole } else { pace.first_size(whole) };
        self.has_begun = true;
        let [width, height] = size;
        // The only sample of a coarse picture is in the middle of a pixel.
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
    /// Adds a sample to each pixel; false if the picture has become obsolete.
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
