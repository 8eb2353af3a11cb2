//! A run of a scene: from a scene file to an image.

use std::time::Instant;

use serde_json::json;
use throng_core::{InputError, Progress, Warnings};
use throng_model::scenario_file::{scenario_toml, settings_of};
use throng_model::threads::check_threads;
use throng_model::{Done, Estimate, Failure, Loaded, Output, Run, RunRequest, Scenario, Simulated};
use throng_output::IfNotEmpty;

use super::report::report;
use crate::drawer::drawer;
use crate::picture::io_error;
use crate::scene_file::{NAME, SceneFile};
use crate::{PackedScene, Picture};

/// File name of the image.
pub(super) const PICTURE: &str = "picture.png";

/// A checked scene file, ready to be rendered.
#[derive(Debug, Clone)]
pub struct SceneRun {
    /// The scene and its settings.
    pub file: SceneFile,
    /// Number of CPU threads; the image does not depend on it.
    pub threads: usize,
}

/// The results of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawn {
    /// The image.
    pub picture: Picture,
    /// The hash of its pixels.
    pub hash: u64,
}

/// Renders a scene, and writes the image and a report to its folder.
///
/// # Errors
/// See [`Failure`].
pub fn run(scene: SceneRun, request: &RunRequest, progress: &dyn Progress) -> Result<Done<Drawn>, Failure> {
    throng_model::run(scene, request, progress)
}

impl Scenario for SceneRun {
    type Loaded = LoadedScene;

    fn model(&self) -> &'static str {
        NAME
    }

    fn seed(&self) -> i64 {
        self.file.seed
    }

    fn warnings(&self) -> Warnings {
        let mut warnings = Warnings::new();
        if self.file.light.is_empty() && self.file.ambient == [0.0; 3] {
            warnings.add("scenes without any light; shapes are black", || "add a [[light]], or ambient".to_owned());
        }
        if self.file.shapes() == 0 {
            warnings.add("scenes without shapes; the image is the background", || "add a [[sphere]]".to_owned());
        }
        warnings
    }

    fn effective(&self) -> Result<String, Failure> {
        scenario_toml(NAME, &self.file)
    }

    fn output(&self) -> Output {
        let SceneFile { folder, overwrite, .. } = &self.file;
        let (folder, if_not_empty) = (folder.clone(), IfNotEmpty::of_flag(*overwrite));
        Output { folder, if_not_empty, names: vec![PICTURE], ..Output::default() }
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn check_inputs(&self) -> Result<(), Failure> {
        Ok(check_threads(self.threads)?)
    }

    fn load(self, _: &mut Warnings, _: &dyn Progress) -> Result<LoadedScene, Failure> {
        let since = Instant::now();
        let packed = PackedScene::new(&self.file.scene())?;
        let building_s = since.elapsed().as_secs_f64();
        Ok(LoadedScene { file: self.file, packed, building_s })
    }
}

/// A scene file that has been read, and the packed scene with its tree.
#[derive(Debug)]
pub struct LoadedScene {
    file: SceneFile,
    packed: PackedScene,
    building_s: f64,
}

impl Loaded for LoadedScene {
    type Results = Drawn;

    fn estimate(&self, steps: Option<u64>) -> Option<Estimate> {
        let settings = self.file.settings();
        let samples = steps.map_or(settings.samples, |steps| steps.min(settings.samples.into()) as u32);
        Some(settings.estimate(1, samples))
    }

    fn simulate(self, run: &mut Run<'_>) -> Result<Simulated<Drawn>, Failure> {
        let Self { file, packed, building_s } = self;
        let settings = file.settings();
        let samples = run.request.steps.map_or(settings.samples, |steps| steps.min(settings.samples.into()) as u32);
        if samples == 0 {
            return Err(InputError::one("--steps", "0", "give at least 1: a step adds a sample to each pixel").into());
        }
        run.progress.begin("drawing", Some(samples.into()), "samples");
        let since = Instant::now();
        let mut drawer = drawer(run.executor, &packed, &settings)?;
        for sample in 1..=samples {
            drawer.add_samples(&file.camera, 1)?;
            if let Some(log) = run.hashes.as_mut().filter(|_| u64::from(sample) % run.request.hash_every == 0) {
                log.line(sample.into(), drawer.picture(settings.tone)?.hash())?;
            }
            run.progress.at(sample.into(), "");
        }
        let picture = drawer.picture(settings.tone)?;
        let simulation_s = since.elapsed().as_secs_f64();
        drop(drawer);
        run.progress.end();
        run.timings.end("drawing");

        let hash = picture.hash();
        let text = |key: &str, text: String| (key.to_owned(), text);
        let texts = [
            text("Title", file.title.clone()),
            text("Software", run.request.program.clone()),
            text("Seed", settings.seed.to_string()),
            text("Samples", samples.to_string()),
            text("Scene hash", format!("{:016x}", packed.hash())),
        ];
        let mut target = run.folder.file(PICTURE)?;
        picture.write_png(&mut target, &texts).map_err(|error| target.error(io_error(error)))?;
        let files = vec![target.complete()?];
        run.timings.end("writing the picture");
        let shapes = packed.shapes() + packed.planes.len();
        let rate = f64::from(settings.width) * f64::from(settings.height) * f64::from(samples) / simulation_s;
        Ok(Simulated {
            lines: vec![
                ("drawn", format!("{shapes} shapes in {:.1} ms", 1e3 * simulation_s)),
                ("samples", format!("{samples} of each pixel, {:.1} M/s", rate / 1e6)),
                ("picture", format!("{} x {} pixels, {PICTURE}", settings.width, settings.height)),
                ("state hash", format!("{hash:016x}")),
            ],
            numbers: json!({
                "shapes": shapes,
                "samples": samples,
                "building_s": building_s,
                "drawing_s": simulation_s,
                "samples_per_s": rate,
                "hash": format!("{hash:016x}"),
            }),
            settings: settings_of(&file),
            files,
            last: Vec::new(),
            simulation_s,
            report: Some(report(&file, samples, [building_s, simulation_s], hash)),
            ..Simulated::new(Drawn { picture, hash })
        })
    }
}
