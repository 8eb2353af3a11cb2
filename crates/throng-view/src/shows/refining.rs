//! A picture that gets better: a quarter of the width and height, then whole with 1, 4, 16 and 64 samples of each pixel.

use std::sync::Arc;

use throng_core::InputError;
use throng_render::{Film, PackedScene, Settings};
use throng_scene::Camera;

use super::Threads;
use crate::{Frame, View, Work};

/// The samples of a pixel in the pictures that follow each other. Samples are added to one film, and each has its number, so
/// that the last picture is the one that is drawn with 64 samples at once.
pub(super) const STAGES: [u32; 4] = [1, 4, 16, 64];
/// The coarse picture has one pixel in place of so many in each direction.
const COARSE: u32 = 4;

/// A picture while it is refined.
pub(super) struct Refining {
    scene: Arc<PackedScene>,
    camera: Camera,
    settings: Settings,
    time: Option<String>,
    threads: Threads,
    film: Film,
    /// The coarse picture, until it has been drawn.
    coarse: Option<Coarse>,
    /// The number of whole pictures so far.
    stage: usize,
}

/// The coarse picture.
struct Coarse {
    film: Film,
    settings: Settings,
}

impl Refining {
    /// Begins the picture of a view. `settings` has the style, the bounces and the seed.
    pub fn new(
        scene: Arc<PackedScene>,
        view: &View,
        settings: &Settings,
        time: Option<String>,
        threads: Threads,
    ) -> Result<Self, InputError> {
        let samples = STAGES[STAGES.len() - 1];
        let settings = Settings { width: view.width, height: view.height, samples, ..*settings };
        let (width, height) = (view.width.div_ceil(COARSE), view.height.div_ceil(COARSE));
        let coarse = Settings { width, height, samples: 1, ..settings };
        let film = |settings| Film::new(settings).map_err(|error| error.with_places(|key| format!("view.{key}")));
        let (film, coarse) = (film(&settings)?, Coarse { film: film(&coarse)?, settings: coarse });
        Ok(Self { scene, camera: view.camera, settings, time, threads, film, coarse: Some(coarse), stage: 0 })
    }

    /// The coarse picture.
    fn coarse(&self, coarse: Coarse, is_obsolete: &(dyn Fn() -> bool + Sync)) -> Option<Frame> {
        let Coarse { mut film, settings } = coarse;
        let is_drawn =
            self.threads.install(|| film.add_samples_unless(&self.scene, &self.camera, &settings, 1, is_obsolete));
        is_drawn.then(|| self.frame(&film, settings.width, settings.height))
    }

    /// The next picture, or `None` when there is none that is better.
    fn better(&mut self, is_obsolete: &(dyn Fn() -> bool + Sync)) -> Option<Frame> {
        if let Some(coarse) = self.coarse.take() {
            return self.coarse(coarse, is_obsolete);
        }
        let samples = *STAGES.get(self.stage)?;
        self.stage += 1;
        while self.film.samples() < samples {
            let Self { film, scene, camera, settings, threads, .. } = self;
            if !threads.install(|| film.add_samples_unless(scene, camera, settings, 1, is_obsolete)) {
                return None;
            }
        }
        Some(self.frame(&self.film, self.settings.width, self.settings.height))
    }

    fn frame(&self, film: &Film, width: u32, height: u32) -> Frame {
        let picture = self.threads.install(|| film.picture(self.settings.tone));
        Frame { width, height, samples: film.samples(), rgba: picture.into_rgba(), time: self.time.clone() }
    }
}

impl Work for Refining {
    fn next(&mut self, is_obsolete: &(dyn Fn() -> bool + Sync)) -> Option<Result<Frame, InputError>> {
        self.better(is_obsolete).map(Ok)
    }
}
