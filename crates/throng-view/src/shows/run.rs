//! Stored runs.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use throng_core::InputError;
use throng_model::{Catalogue, Failure, Replay, StoredRun};
use throng_render::{PackedScene, Settings};
use throng_scene::{Recording, TimeUnit};

use super::Threads;
use super::refining::Refining;
use crate::{Description, Show, Slider, View, Work};

/// A stored run as a show: it has a time slider and a choice of colours.
pub struct RunShow {
    run: StoredRun,
    replay: &'static dyn Replay,
    /// The recordings that were asked for so far, by their colouring.
    recordings: Mutex<BTreeMap<&'static str, Arc<dyn Recording>>>,
    /// The last scene, which is asked for again with every movement of the camera.
    last: Mutex<Option<Packed>>,
    threads: Threads,
}

/// The scene of a time.
#[derive(Clone)]
struct Packed {
    colouring: &'static str,
    time: f64,
    scene: Arc<PackedScene>,
}

impl RunShow {
    /// Opens a run of a model of the catalogue, to be drawn by so many threads. `colouring` is shown first; by default the first
    /// of the model.
    ///
    /// # Errors
    /// A run that cannot be shown; no threads.
    pub fn new(run: StoredRun, catalogue: &Catalogue, threads: usize) -> Result<Self, Failure> {
        let replay = run.replay(catalogue)?;
        let threads = Threads::new(threads)?;
        let show = Self { run, replay, recordings: Mutex::default(), last: Mutex::default(), threads };
        // What is wrong with its files is said now, not in the page.
        show.recording(show.default_colouring())?;
        Ok(show)
    }

    fn default_colouring(&self) -> &'static str {
        self.replay.colourings().first().map_or("", |(name, _)| name)
    }

    fn recording(&self, colouring: &'static str) -> Result<Arc<dyn Recording>, InputError> {
        let mut recordings = self.recordings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(recording) = recordings.get(colouring) {
            return Ok(Arc::clone(recording));
        }
        let opened = self.replay.open(&self.run, colouring).map_err(|failure| match failure {
            Failure::Input(error) => error,
            other => InputError::one(self.run.folder().display().to_string(), other.to_string(), "repeat the run"),
        })?;
        let recording: Arc<dyn Recording> = opened.into();
        recordings.insert(colouring, Arc::clone(&recording));
        Ok(recording)
    }

    /// The packed scene of a time.
    fn scene(
        &self,
        colouring: &'static str,
        recording: &dyn Recording,
        time: f64,
    ) -> Result<Arc<PackedScene>, InputError> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(packed) = last.as_ref().filter(|last| last.colouring == colouring && last.time == time) {
            return Ok(Arc::clone(&packed.scene));
        }
        let scene = recording.scene(time)?;
        let scene = Arc::new(self.threads.install(|| PackedScene::new(&scene))?);
        *last = Some(Packed { colouring, time, scene: Arc::clone(&scene) });
        Ok(scene)
    }
}

impl Show for RunShow {
    fn description(&self) -> Description {
        let colourings = self.replay.colourings();
        let all = colourings.iter().map(|(name, meaning)| ((*name).to_owned(), (*meaning).to_owned())).collect();
        // It was opened at the start.
        let Ok(recording) = self.recording(self.default_colouring()) else {
            return Description {
                title: self.run.folder().display().to_string(),
                camera: throng_scene::Camera::default(),
                light: None,
                time: None,
                legend: Vec::new(),
                colourings: all,
            };
        };
        let times = recording.times();
        let unit = match times.unit {
            TimeUnit::TimeOfDay => "time_of_day",
            TimeUnit::Seconds => "seconds",
            TimeUnit::Steps(step) => step,
        };
        let slider = Slider { low: times.first, high: times.last, step: times.step, unit: unit.to_owned() };
        let light = recording.scene(times.first).ok().and_then(|scene| Some(scene.lights.first()?.position));
        Description {
            title: recording.title(),
            camera: recording.camera(),
            light,
            time: (times.last > times.first).then_some(slider),
            legend: recording.legend(),
            colourings: all,
        }
    }

    fn begin(&self, view: &View) -> Result<Box<dyn Work>, InputError> {
        let colourings = self.replay.colourings();
        let asked = view.colouring.as_deref().unwrap_or(self.default_colouring());
        let known = colourings.iter().map(|(name, _)| *name).find(|name| *name == asked);
        let colouring = known.ok_or_else(|| {
            let names: Vec<&str> = colourings.iter().map(|(name, _)| *name).collect();
            InputError::one("view.colouring", format!("\"{asked}\""), format!("give one of {}", names.join(", ")))
        })?;
        let recording = self.recording(colouring)?;
        let times = recording.times();
        let time = view.time.unwrap_or(times.first).clamp(times.first, times.last);
        let mut scene = self.scene(colouring, &*recording, time)?;
        if let Some(light) = view.light {
            scene = Arc::new(scene.with_first_light_at(light));
        }
        let settings = Settings { max_bounces: 2, ..Settings::default() };
        let refining = Refining::new(scene, view, &settings, Some(times.text(time)), self.threads.clone())?;
        Ok(Box::new(refining))
    }
}
