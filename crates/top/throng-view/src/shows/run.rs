//! Stored runs as shows.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use throng_core::InputError;
use throng_device::{Executor, On};
use throng_model::replay::StoredRun;
use throng_model::{Catalogue, Failure, Replay};
use throng_render::{PackedScene, Settings};
use throng_scene::{Recording, TimeUnit};

use super::engine::Engine;
use super::refining::Refining;
use crate::show::unknown_colouring;
use crate::{Description, Frame, Legend, Show, Slider, View, Work};

/// Maximum number of cached scenes, enough for the current times of a few pages.
const KEPT_SCENES: usize = 4;

/// Style and number of bounces of images of runs.
fn settings() -> Settings {
    Settings { max_bounces: 2, ..Settings::default() }
}

/// A stored run as a show, with a time slider and a choice of colourings.
pub struct RunShow(Arc<Run>);

/// State shared by pages and their work.
struct Run {
    stored: StoredRun,
    replay: &'static dyn Replay,
    colourings: Vec<Colouring>,
    /// Index of the initial colouring.
    first: usize,
    /// Most recently used scenes, newest first. Every camera movement requests one again.
    scenes: Mutex<VecDeque<Packed>>,
    engine: Engine,
}

/// A colouring of the model.
struct Colouring {
    /// Empty if the model does not offer a choice of colourings.
    name: &'static str,
    meaning: &'static str,
    /// The recording, once it has been requested. The lock is held while files are read, so that pages with the same
    /// colouring read them only once, and other colourings are not blocked.
    recording: Mutex<Option<Arc<dyn Recording>>>,
}

/// The scene of a colouring at a time.
struct Packed {
    colouring: usize,
    time: f64,
    scene: Arc<PackedScene>,
}

impl RunShow {
    /// Opens a run of one of the catalogue's models, to be drawn on `on` and by `threads` threads, as in
    /// [`SceneShow::new`](crate::SceneShow::new). `colouring` is shown first; the default is the model's first
    /// colouring.
    ///
    /// # Errors
    /// If the run cannot be shown, the colouring is unknown, the device cannot be used, or the threads cannot be
    /// started.
    pub fn new(
        run: StoredRun,
        catalogue: &Catalogue,
        colouring: Option<&str>,
        on: impl Into<On>,
        threads: usize,
    ) -> Result<Self, Failure> {
        let replay = run.replay(&catalogue.models)?;
        Self::of(run, replay, colouring, on, threads)
    }

    /// The executor that draws the images.
    pub fn executor(&self) -> Executor {
        self.0.engine.active().executor.clone()
    }

    fn of(
        run: StoredRun,
        replay: &'static dyn Replay,
        colouring: Option<&str>,
        on: impl Into<On>,
        threads: usize,
    ) -> Result<Self, Failure> {
        let colouring_of = |(name, meaning)| Colouring { name, meaning, recording: Mutex::default() };
        let mut colourings: Vec<Colouring> = replay.colourings_of(&run).into_iter().map(colouring_of).collect();
        if colourings.is_empty() {
            colourings.push(colouring_of(("", "")));
        }
        let engine = Engine::new(on, threads, &settings())?;
        let mut run = Run { stored: run, replay, colourings, first: 0, scenes: Mutex::default(), engine };
        run.first = run.colouring(colouring)?;
        // Reports faulty files immediately instead of in the page.
        run.recording(run.first)?;
        Ok(Self(Arc::new(run)))
    }
}

impl Run {
    /// Index of a colouring, or of the initial one for `None`.
    fn colouring(&self, requested: Option<&str>) -> Result<usize, InputError> {
        let Some(requested) = requested else { return Ok(self.first) };
        let index = self.colourings.iter().position(|colouring| colouring.name == requested);
        index.ok_or_else(|| unknown_colouring(requested, self.colourings.iter().map(|colouring| colouring.name)))
    }

    fn recording(&self, colouring: usize) -> Result<Arc<dyn Recording>, InputError> {
        let place = || self.stored.folder().display().to_string();
        let Colouring { name, recording, .. } = &self.colourings[colouring];
        let mut recording = lock(recording);
        if let Some(recording) = &*recording {
            return Ok(Arc::clone(recording));
        }
        let opened = self.stored.recording(self.replay, name).map_err(|failure| match failure {
            Failure::Input(error) => error,
            other => InputError::one(place(), other.to_string(), "repeat the run"),
        })?;
        Ok(Arc::clone(recording.insert(opened.into())))
    }

    /// Returns the packed scene of a time, or `None` if the request has become obsolete.
    fn scene(
        &self,
        colouring: usize,
        recording: &dyn Recording,
        time: f64,
        is_obsolete: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Arc<PackedScene>>, InputError> {
        let is_same = |packed: &Packed| packed.colouring == colouring && packed.time.to_bits() == time.to_bits();
        let keep = |scenes: &mut VecDeque<Packed>, packed: Packed| {
            let scene = Arc::clone(&packed.scene);
            scenes.push_front(packed);
            scenes.truncate(KEPT_SCENES);
            scene
        };
        let kept = |scenes: &mut VecDeque<Packed>| {
            let index = scenes.iter().position(is_same)?;
            scenes.remove(index).map(|packed| keep(scenes, packed))
        };
        if let Some(scene) = kept(&mut lock(&self.scenes)) {
            return Ok(Some(scene));
        }
        let scene = recording.scene(time)?;
        if is_obsolete() {
            return Ok(None);
        }
        let scene = Arc::new(self.engine.install(|| PackedScene::new(&scene))?);
        let mut scenes = lock(&self.scenes);
        // Another page may have built the same scene in the meantime.
        Ok(Some(kept(&mut scenes).unwrap_or_else(|| keep(&mut scenes, Packed { colouring, time, scene }))))
    }

    /// Reads the data of a view, and starts its image; `None` if the request has become obsolete.
    fn refining(
        &self,
        view: &View,
        colouring: usize,
        is_obsolete: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Refining>, InputError> {
        let recording = self.recording(colouring)?;
        if is_obsolete() {
            return Ok(None);
        }
        let times = recording.times();
        let time = view.time.unwrap_or(times.first).clamp(times.first, times.last);
        let Some(mut scene) = self.scene(colouring, &*recording, time, is_obsolete)? else { return Ok(None) };
        if let Some(light) = view.light {
            scene = Arc::new(scene.with_first_light_at(light));
        }
        Ok(Some(Refining::new(scene, view, &settings(), Some(times.text(time)), self.engine.clone())))
    }
}

/// Ignores poisoning, because the locked data are always complete, even after a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Show for RunShow {
    fn description(&self) -> Description {
        let run = &*self.0;
        let is_choice = |colouring: &&Colouring| !colouring.name.is_empty();
        let owned = |colouring: &Colouring| (colouring.name.to_owned(), colouring.meaning.to_owned());
        let colourings = run.colourings.iter().filter(is_choice).map(owned).collect();
        let colouring = run.colourings.get(run.first).filter(is_choice).map(|colouring| colouring.name.to_owned());
        // The recording was opened at the start.
        let Ok(recording) = run.recording(run.first) else {
            let title = run.stored.folder().display().to_string();
            return Description { title, colourings, colouring, ..Description::default() };
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
            colourings,
            colouring,
        }
    }

    fn legend(&self, colouring: Option<&str>) -> Result<Legend, InputError> {
        let recording = self.0.recording(self.0.colouring(colouring)?)?;
        Ok(Legend { title: recording.title(), rows: recording.legend() })
    }

    fn begin(&self, view: &View) -> Result<Box<dyn Work>, InputError> {
        let colouring = self.0.colouring(view.colouring.as_deref());
        let colouring = colouring.map_err(|error| error.with_places(|place| format!("view.{place}")))?;
        Ok(Box::new(Drawing::Begun { run: Arc::clone(&self.0), view: view.clone(), colouring }))
    }
}

/// The work on an image.
enum Drawing {
    /// The scene has not been built yet.
    Begun {
        run: Arc<Run>,
        view: View,
        colouring: usize,
    },
    Refined(Refining),
    /// The request was obsolete, or cannot be drawn.
    Ended,
}

impl Work for Drawing {
    fn next(&mut self, is_obsolete: &(dyn Fn() -> bool + Sync)) -> Option<Result<Frame, InputError>> {
        if let Self::Begun { run, view, colouring } = &*self {
            match run.refining(view, *colouring, is_obsolete).transpose() {
                Some(Ok(refining)) => *self = Self::Refined(refining),
                end => {
                    *self = Self::Ended;
                    return end.and_then(Result::err).map(Err);
                }
            }
        }
        let Self::Refined(refining) = self else { return None };
        refining.next(is_obsolete)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;
    use std::time::Duration;

    use throng_device::DeviceChoice;
    use throng_scene::{Camera, Rgb, Scene, TimeAxis};

    use super::*;

    const PATIENCE: Duration = Duration::from_mins(1);

    /// The number of scenes built, and the lock that blocks the slow colouring.
    static MADE: Mutex<u32> = Mutex::new(0);
    static GATE: Mutex<()> = Mutex::new(());

    struct Artificial;

    impl Replay for Artificial {
        fn colourings(&self) -> &'static [(&'static str, &'static str)] {
            &[("fast", "At once"), ("slow", "When the gate is open"), ("lost", "Never"), ("other", "In other runs")]
        }

        fn colourings_of(&self, _run: &StoredRun) -> Vec<(&'static str, &'static str)> {
            self.colourings()[..3].to_vec()
        }

        fn open(&self, _run: &StoredRun, colouring: &str) -> Result<Box<dyn Recording>, Failure> {
            match colouring {
                "slow" => drop(lock(&GATE)),
                "lost" => return Err(InputError::one("run", "has lost its files", "repeat it").into()),
                _ => {}
            }
            Ok(Box::new(Named(colouring.to_owned())))
        }
    }

    struct Named(String);

    impl Recording for Named {
        fn title(&self) -> String {
            format!("Artificial, {}", self.0)
        }

        fn times(&self) -> TimeAxis {
            TimeAxis { first: 0.0, last: 100.0, step: 1.0, unit: TimeUnit::Seconds }
        }

        fn camera(&self) -> Camera {
            Camera::default()
        }

        fn legend(&self) -> Vec<(Rgb, String)> {
            vec![([1.0; 3], self.0.clone())]
        }

        fn scene(&self, time: f64) -> Result<Scene, InputError> {
            *lock(&MADE) += 1;
            if time == 13.0 {
                return Err(InputError::one("run", "has lost this time", "repeat it"));
            }
            Ok(Scene::default())
        }
    }

    fn view(colouring: Option<&str>, time: f64) -> View {
        let colouring = colouring.map(str::to_owned);
        View { width: 8, height: 8, camera: Camera::default(), light: None, time: Some(time), colouring }
    }

    /// The first image of a view, or the error.
    fn first(show: &RunShow, view: &View) -> Result<Frame, String> {
        let mut work = show.begin(view).map_err(|error| error.to_string())?;
        let frame = work.next(&|| false).unwrap().map_err(|error| error.to_string());
        assert!(frame.is_ok() || work.next(&|| false).is_none());
        frame
    }

    /// A single test, because the counter and the gate are shared.
    #[test]
    fn pages_get_errors_share_cached_scenes_and_do_not_block_each_other() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("manifest.json"), r#"{"model": "artificial"}"#).unwrap();
        let stored = StoredRun::open(dir.path()).unwrap();
        let unknown =
            RunShow::of(stored.clone(), &Artificial, Some("new"), DeviceChoice::Cpu, 1).err().unwrap().to_string();
        assert_eq!(unknown, "colouring: \"new\"\n    give one of fast, slow, lost");
        let show = RunShow::of(stored, &Artificial, None, DeviceChoice::Cpu, 1).unwrap();
        assert_eq!(show.description().colouring.as_deref(), Some("fast"));
        assert_eq!(show.legend(None).unwrap().title, "Artificial, fast");

        // The page receives errors.
        assert_eq!(first(&show, &view(Some("new"), 0.0)), Err(format!("view.{unknown}")));
        assert_eq!(first(&show, &view(Some("lost"), 0.0)), Err("run: has lost its files\n    repeat it".to_owned()));
        assert_eq!(first(&show, &view(None, 13.0)), Err("run: has lost this time\n    repeat it".to_owned()));
        assert!(show.begin(&view(None, 0.0)).unwrap().next(&|| true).is_none());

        // The scenes of four times are cached; a fifth one replaces the least recently used.
        let made = |times: &[f64]| {
            let before = *lock(&MADE);
            for time in times {
                assert_eq!(first(&show, &view(None, *time)).unwrap().time, Some(format!("{time} s")));
            }
            *lock(&MADE) - before
        };
        assert_eq!(made(&[1.0, 2.0, 3.0, 4.0, 1.0, 2.0, 3.0, 4.0, 1.0]), 4);
        assert_eq!(made(&[5.0, 1.0, 3.0, 4.0]), 1);
        assert_eq!(made(&[2.0]), 1);

        // A slow colouring does not block other ones.
        let gate = lock(&GATE);
        thread::scope(|scope| {
            let slow = scope.spawn(|| first(&show, &view(Some("slow"), 0.0)).map(|frame| frame.time));
            let (sender, receiver) = channel();
            let show = &show;
            scope.spawn(move || sender.send(first(show, &view(Some("fast"), 50.0)).map(|frame| frame.time)));
            let fast = receiver.recv_timeout(PATIENCE);
            drop(gate);
            assert_eq!(fast, Ok(Ok(Some("50 s".to_owned()))));
            assert_eq!(slow.join().unwrap(), Ok(Some("0 s".to_owned())));
        });
    }
}
