//! Models whose scenario is a single file and whose steps are all equal: their declaration, and their implementation of
//! [`Model`].

mod animation_frames;
pub(crate) mod joint_simulation;
mod observer;
mod parts;
pub(crate) mod point_film;
pub(crate) mod step_scenario;
pub(crate) mod steps;
mod verification_cases;
pub(crate) mod whole_units;

use std::cell::LazyCell;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::{Map, Value};
use throng_core::{
    Finding, InputError, Problems, Progress, VerificationCase, Verified, Warnings, open_input, unreadable_input,
};
use throng_device::{DeviceInfo, Executor};
use throng_output::csv::{Row, push_header};
use throng_output::{Codec, IfNotEmpty, PendingFile, TextFile, WrittenFile, film};

use animation_frames::{FrameSteps, StepAnimation};
use joint_simulation::StepBatch;
use observer::NoObserver;
pub use observer::{CompletedSteps, FurtherResults, Observer};
pub use parts::{HasFlags, HasInputFiles, Observed, Parts};

use crate::flags::Flag;
use crate::report::Report;
use crate::scenario_file::{AnyScenario, Texts, read_as, scenario_toml, schema_text, settings_of, template_text};
use crate::sweep::Batch;
use crate::{
    Calibration, Check, CommonKeys, Estimate, Failure, Figure, Loaded, Measured, Model, Output, Quantity, Replay, Run,
    Scenario, ScenarioRequest, Series, Simulated, TypicalCosts, Work,
};

pub use joint_simulation::{JointSimulation, SimulateTogether, SimulatedTogether};
pub use point_film::PointFilm;
#[doc(hidden)]
pub use step_scenario::derives;
pub use step_scenario::{Plan, StepScenario};
pub use steps::{OnCpu, State, Steps};
pub use whole_units::WholeUnits;

/// Function of a verification case, for a device or the CPU.
pub type Verify = fn(&Executor) -> Result<Finding, Failure>;

/// A verification case of a [`StepModel`].
pub type Case = VerificationCase<Verify>;

/// File name of the table of measures.
const MEASURES: &str = "measures.csv";

/// Keys of the settings changed by flags common to all models.
const KEYS: CommonKeys = CommonKeys { folder: "folder", overwrite: "overwrite", seed: "seed" };

/// A model whose scenario is a single TOML file, possibly with further input files, and whose state changes in equal
/// steps. Every such model implements [`Model`]. A run writes the table `measures.csv` and state hashes. The traits and
/// values that few models need, such as an animation or files of results, are [`Parts`].
///
/// `examples/epidemic` is the smallest example, `examples/flocking` is an example with kernels.
pub trait StepModel: Sized + Sync + 'static {
    /// Scenario file; [`step_scenario!`](macro@crate::step_scenario) declares one.
    type Scenario: StepScenario;
    /// State that a step changes.
    type State: State + Send + 'static;

    /// Name in lower case, as typed by users.
    const NAME: &'static str;
    /// Subject of the model, in a few words.
    const ABOUT: &'static str;
    /// Word for a step.
    const STEP: &'static str;
    /// Measures of a state.
    const MEASURES: &'static [Quantity];
    /// Devices that can simulate the model.
    const DEVICES: DeviceSupport = DeviceSupport::Any;
    /// Costs of a step and of a unit of [`StepModel::units_per_step`] on typical hardware.
    const COSTS: TypicalCosts = TypicalCosts::AGENTS;
    /// Verification cases.
    const CASES: &'static [Case] = &[];
    /// Optional parts, such as an animation.
    const PARTS: Parts<Self> = Parts::NONE;

    /// Returns the subtitle of the report: the subject of the simulation, in one line.
    fn subtitle(scenario: &Self::Scenario) -> String {
        let _ = scenario;
        format!("model {}", Self::NAME)
    }

    /// Validates the parameters. Errors are located by key.
    ///
    /// # Errors
    /// When parameters are invalid; the error lists all of them.
    fn check(scenario: &Self::Scenario) -> Result<(), InputError>;

    /// Returns warnings about a valid scenario.
    fn warnings(scenario: &Self::Scenario) -> Warnings {
        let _ = scenario;
        Warnings::new()
    }

    /// Returns the units of work in a step, such as agents, from which Throng estimates the time on each executor if
    /// the user names none; `None` to prefer a device.
    fn units_per_step(scenario: &Self::Scenario) -> Option<f64> {
        let _ = scenario;
        None
    }

    /// Returns the state before the first step. Inputs are read here.
    ///
    /// # Errors
    /// When there is no such state, or an input cannot be used. Errors are located by key, or by place in a file.
    fn start(scenario: &Self::Scenario) -> Result<Self::State, Failure>;

    /// Creates an executor on a device, or on CPU threads, that starts from `state`.
    ///
    /// # Errors
    /// When there is too little memory.
    fn executor(
        on: &Executor,
        scenario: &Self::Scenario,
        state: Self::State,
    ) -> Result<Box<dyn Steps<State = Self::State>>, Failure>;

    /// Returns the measures of a state, in the order of [`StepModel::MEASURES`].
    fn measure(state: &Self::State) -> Vec<f64>;

    /// Whether a run ends early with this state. Called only for states with a row in the table.
    fn is_over(scenario: &Self::Scenario, state: &Self::State) -> bool {
        let _ = (scenario, state);
        false
    }
}

/// The devices that can simulate a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceSupport {
    /// None: the model has no kernels, and devices are rejected.
    None,
    /// Devices with double precision.
    DoublePrecision,
    /// Any device.
    Any,
}

/// The file of an animation.
pub struct AnimationFile<M: StepModel> {
    /// File name.
    pub name: &'static str,
    /// Title in the report.
    pub title: &'static str,
    /// Caption in the report.
    pub caption: &'static str,
    /// Starts the animation.
    pub film: StartFilm<M>,
}

/// Starts an animation of a scenario with at most the given number of frames. Fails if the file cannot be written.
pub type StartFilm<M> = for<'f> fn(
    &<M as StepModel>::Scenario,
    u32,
    &'f mut PendingFile,
) -> Result<Box<dyn Film<<M as StepModel>::State> + 'f>, Failure>;

/// An animation being drawn.
pub trait Film<S> {
    /// Draws the state after a step, with its measures.
    ///
    /// # Errors
    /// When it cannot be written.
    fn add(&mut self, step: u64, state: &S, measures: &[f64]) -> Result<(), Failure>;

    /// Writes the rest of the animation, and returns it for the page. The caller fills in the file name, the
    /// label, the caption, and the captions of the frames.
    ///
    /// # Errors
    /// When it cannot be written.
    fn finish(self: Box<Self>) -> Result<film::Film, Failure>;
}

/// Returns the state after the last step of a scenario that starts from `state`; for verification cases.
///
/// # Errors
/// When there is too little memory, or the device fails.
pub fn last_state<M: StepModel>(on: &Executor, scenario: &M::Scenario, state: M::State) -> Result<M::State, Failure> {
    let mut executor = M::executor(on, scenario, state)?;
    for _ in 0..scenario.plan().steps {
        executor.step()?;
    }
    executor.state()
}

/// Returns the reason why a device cannot run a model; `None` if it can.
pub(crate) fn unsuitable<M: StepModel>(device: &DeviceInfo) -> Option<String> {
    match M::DEVICES {
        DeviceSupport::None => no_kernels::<M>(),
        DeviceSupport::DoublePrecision => device.unsuitable_for_f64(),
        DeviceSupport::Any => None,
    }
}

/// Returns the reason why no device can simulate a model; `None` if devices can.
fn no_kernels<M: StepModel>() -> Option<String> {
    (M::DEVICES == DeviceSupport::None).then(|| format!("the model {} has no kernels", M::NAME))
}

impl<M: StepModel> Check for M {
    fn name(&self) -> &'static str {
        M::NAME
    }

    fn group(&self) -> Option<&'static str> {
        M::PARTS.group
    }

    fn unsuitable(&self, device: &DeviceInfo) -> Option<String> {
        unsuitable::<M>(device)
    }

    fn verify(&self, on: &Executor, tell: &mut dyn FnMut(Verified)) {
        for case in M::CASES {
            tell(case.verified((case.check)(on)));
        }
    }
}

impl<M: StepModel> Model for M {
    fn about(&self) -> &'static str {
        M::ABOUT
    }

    fn template(&self) -> String {
        // All defaults can be expressed in TOML; if not, the error message replaces the file.
        template_text::<M::Scenario>(M::NAME, M::ABOUT)
            .unwrap_or_else(|failure| format!("# {}\n", failure.to_string().replace('\n', "\n# ")))
    }

    fn schema(&self) -> String {
        schema_text::<M::Scenario>(&format!("Keys of a scenario file of {}, also for --set.", M::NAME))
    }

    fn flags(&self) -> &'static [Flag] {
        M::PARTS.flags
    }

    fn batch(&self) -> Option<&dyn Batch> {
        M::PARTS.together.is_some().then_some(const { &StepBatch::<M>(PhantomData) })
    }

    fn calibration(&self) -> Option<Calibration> {
        M::PARTS.calibration
    }

    fn replay(&self) -> Option<&'static dyn Replay> {
        M::PARTS.replay
    }

    fn scenario(&self, request: &ScenarioRequest) -> Result<Box<dyn AnyScenario>, Failure> {
        Ok(Box::new(planned::<M>(request)?))
    }
}

/// Reads and checks a scenario.
pub(crate) fn planned<M: StepModel>(request: &ScenarioRequest) -> Result<Planned<M>, Failure> {
    let file = request.checked_file(M::NAME, M::PARTS.flags)?;
    let (mut scenario, texts) = read_as(M::NAME, file, &request.changes_as(KEYS))?;
    (M::PARTS.apply)(&request.flags, &mut scenario)?;
    let folder = file.path().parent().unwrap_or(Path::new(""));
    let mut inputs = Vec::new();
    for path in (M::PARTS.inputs)(&mut scenario) {
        *path = folder.join(&*path);
        inputs.push(path.clone());
    }
    if let Err(error) = M::check(&scenario) {
        // A missing file is reported before other faults, because the check may read the file.
        check_files(&inputs)?;
        return Err(texts.locate_all(error, &inputs).into());
    }
    if scenario.plan().folder.as_os_str().is_empty() {
        let error =
            InputError::one("folder", "\"\" names no folder", "name one that does not exist yet, such as \"output\"");
        return Err(texts.locate_all(error, &[]).into());
    }
    // The results do not depend on the number of threads.
    let threads = request.threads.unwrap_or_else(throng_core::available_threads);
    Ok(Planned { scenario, texts, inputs, threads })
}

/// Rejects files that do not exist or cannot be read.
fn check_files(inputs: &[PathBuf]) -> Result<(), InputError> {
    let mut problems = Problems::new();
    for path in inputs {
        if let Err(error) = open_input(path) {
            problems.append(unreadable_input(path, &error).0);
        }
    }
    problems.into_result()
}

/// A valid scenario with the texts in which it is written, its input files, and the number of CPU threads.
pub(crate) struct Planned<M: StepModel> {
    pub(crate) scenario: M::Scenario,
    texts: Texts,
    inputs: Vec<PathBuf>,
    threads: usize,
}

/// A scenario with the state before the first step.
pub(crate) struct Ready<M: StepModel> {
    scenario: M::Scenario,
    inputs: Vec<PathBuf>,
    start: M::State,
}

impl<M: StepModel> Scenario for Planned<M> {
    type Loaded = Ready<M>;

    fn model(&self) -> &'static str {
        M::NAME
    }

    fn seed(&self) -> i64 {
        self.scenario.plan().seed
    }

    fn warnings(&self) -> Warnings {
        M::warnings(&self.scenario)
    }

    fn effective(&self) -> Result<String, Failure> {
        scenario_toml(M::NAME, &self.scenario)
    }

    fn output(&self) -> Output {
        let Plan { folder, overwrite, .. } = self.scenario.plan();
        let (folder, if_not_empty) = (folder.to_owned(), IfNotEmpty::of_flag(overwrite));
        let animation = M::PARTS.animation.map(|animation| animation.name);
        let names = [MEASURES].into_iter().chain(animation).chain(M::PARTS.files.iter().copied()).collect();
        Output { folder, if_not_empty, names, inputs: self.inputs.clone(), ..Output::default() }
    }

    fn check_inputs(&self) -> Result<(), Failure> {
        Ok(check_files(&self.inputs)?)
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn load(self, _: &mut Warnings, _: &dyn Progress) -> Result<Ready<M>, Failure> {
        let Self { scenario, texts, inputs, .. } = self;
        let start = M::start(&scenario).map_err(|failure| match failure {
            Failure::Input(InputError(mut problems)) => {
                texts.locate(&mut problems);
                Failure::Input(InputError(problems))
            }
            other => other,
        })?;
        Ok(Ready { scenario, inputs, start })
    }
}

impl<M: StepModel> Loaded for Ready<M> {
    type Results = M::State;

    fn suits_cpu(&self) -> Option<String> {
        no_kernels::<M>()
    }

    fn estimate(&self, steps: Option<u64>) -> Option<Estimate> {
        let planned = self.scenario.plan().steps;
        let steps = steps.map_or(planned, |asked| asked.min(planned)) as f64;
        let units = M::units_per_step(&self.scenario)? * steps;
        Some(Estimate { model: M::NAME, part: "steps", work: Work { steps, units }, typical: M::COSTS })
    }

    fn refused(&self) -> Option<String> {
        no_kernels::<M>()
    }

    fn unsuitable(&self, device: &DeviceInfo) -> Option<String> {
        unsuitable::<M>(device)
    }

    fn simulate(self, run: &mut Run<'_>) -> Result<Simulated<M::State>, Failure> {
        let Plan { steps, every, animation_frames, .. } = self.scenario.plan();
        let planned = run.request.steps.map_or(steps, |asked| asked.min(steps));
        let frames = FrameSteps::new(planned, every, animation_frames);
        let drawn = M::PARTS.animation.zip(frames).filter(|_| !run.request.without_files);
        let mut animation = drawn.as_ref().map(|(drawn, _)| run.folder.file(drawn.name)).transpose()?;
        let film = drawn.as_ref().zip(animation.as_mut());
        let film = film.map(|((drawn, frames), file)| {
            StepAnimation::start(drawn, &self.scenario, *frames, file, run.folder.path().join(drawn.name))
        });
        let film = film.transpose()?;
        let mut observer = if run.request.without_files {
            (M::PARTS.meter)(&self.scenario).unwrap_or_else(|| Box::new(NoObserver))
        } else {
            (M::PARTS.observer)(&self.scenario, run.folder)?
        };
        let executor = M::executor(run.executor, &self.scenario, self.start)?;
        let recorded = record::<M>(run, &self.scenario, executor, [planned, every], film, &mut *observer)?;
        let Recorded { steps, state, rows, stepping_s, hash, table, film } = recorded;
        let animation = animation.map(PendingFile::complete).transpose()?;
        let simulation_s = run.timings.end("simulating, measuring and drawing");
        let course = CompletedSteps { steps, stepping_s, rows: &rows, last: &state };
        let FurtherResults {
            files: further,
            lines: further_lines,
            figures: of_course,
            cards,
            left_out,
            warnings,
            sections,
        } = observer.finish(&course)?;
        run.warnings.append(warnings);
        let size_of = |path: &PathBuf| {
            let bytes = path.metadata().map_or(0, |metadata| metadata.len());
            (path.display().to_string(), bytes)
        };

        let plural = if steps == 1 { "" } else { "s" };
        let with = if drawn.is_some() { "measuring and drawing" } else { "measuring" };
        let simulated = format!("{steps} {}{plural} in {simulation_s:.2} s, including {with}", M::STEP);
        let mut lines = vec![("simulated", simulated)];
        let (mut figures, mut numbers) = (Vec::new(), Map::new());
        let measures = rows.last().map_or(&[][..], |(_, measures)| measures);
        let measured = measured::<M>(hash, &rows, [(M::PARTS.figures)(&self.scenario, &state), of_course].concat());
        for (quantity, &value) in M::MEASURES.iter().zip(measures) {
            if left_out.contains(&&*quantity.name) {
                continue;
            }
            lines.push((quantity.label(), quantity.plain(value)));
            figures.push((quantity.heading(), quantity.text(value), format!("at the end; {}", quantity.meaning)));
        }
        for Figure { quantity, value } in &cards {
            figures.push((quantity.heading(), quantity.text(*value), quantity.meaning.to_string()));
        }
        for Figure { quantity, value } in &measured.figures {
            numbers.insert(quantity.name.to_string(), (*value).into());
        }
        numbers.insert("hash".to_owned(), format!("{hash:016x}").into());
        lines.extend(further_lines);
        Ok(Simulated {
            lines,
            numbers: Value::Object(numbers),
            measured,
            settings: settings_of(&self.scenario),
            inputs: self.inputs.iter().map(size_of).collect(),
            files: [table].into_iter().chain(animation).chain(further).collect(),
            last: Vec::new(),
            simulation_s,
            report: Some(Report {
                title: M::ABOUT.to_owned(),
                subtitle: M::subtitle(&self.scenario),
                body: Box::new(move |page, _| {
                    page.figures(&figures);
                    if let Some(((AnimationFile { title, .. }, _), film)) = drawn.zip(film) {
                        page.section(title).film(&film);
                    }
                    if let Some(sections) = sections {
                        sections(page);
                    }
                }),
                rows: Vec::new(),
            }),
            ..Simulated::new(state)
        })
    }
}

/// Returns the measures of the last state with further figures, and the measures of all rows.
pub(crate) fn measured<M: StepModel>(hash: u64, rows: &[(u64, Vec<f64>)], further: Vec<Figure>) -> Measured {
    let last = rows.last().map_or(&[][..], |(_, measures)| measures);
    let of_last = M::MEASURES.iter().zip(last).map(|(quantity, &value)| Figure::new(quantity.clone(), value));
    let figures = of_last.chain(further).collect();
    let rows = rows.iter().map(|(step, measures)| (*step as f64, measures.clone())).collect();
    let over = Quantity::count(M::STEP, M::STEP, "");
    Measured { hash: Some(hash), figures, series: Series { over, quantities: M::MEASURES.to_vec(), rows } }
}

/// The last state, and the records of all states.
struct Recorded<S> {
    /// Number of steps executed.
    steps: u64,
    state: S,
    /// Rows of the table: steps and their measures.
    rows: Vec<(u64, Vec<f64>)>,
    /// Wall-clock time of the steps and of reading states, in seconds.
    stepping_s: f64,
    /// Final state hash.
    hash: u64,
    table: WrittenFile,
    film: Option<film::Film>,
}

/// Executes the steps until the run is over, and writes table, animation and state hashes on the way.
fn record<M: StepModel>(
    run: &mut Run<'_>,
    scenario: &M::Scenario,
    mut executor: Box<dyn Steps<State = M::State>>,
    [planned, every]: [u64; 2],
    mut film: Option<StepAnimation<'_, M::State>>,
    observer: &mut dyn Observer<M::State>,
) -> Result<Recorded<M::State>, Failure> {
    let due = |every: u64, step: u64| every > 0 && step.is_multiple_of(every);
    let mut table = TextFile::create(run.folder, MEASURES, Codec::None)?;
    let measured = M::MEASURES.iter().map(|quantity| &*quantity.name);
    push_header(table.text(), &[M::STEP].into_iter().chain(measured).chain(["hash"]).collect::<Vec<_>>());
    run.progress.begin("simulating", Some(planned), "steps");
    let (mut step, mut rows, mut stepping_s, sees_steps) = (0, Vec::new(), 0.0, observer.sees_steps());
    loop {
        let (mut is_last, is_frame) = (step == planned, due(every, step));
        let hashes = run.hashes.as_mut().filter(|_| due(run.request.hash_every, step));
        if is_last || is_frame || hashes.is_some() || sees_steps {
            let began = Instant::now();
            let state = executor.state()?;
            // A device may still have been computing previous steps.
            stepping_s += began.elapsed().as_secs_f64();
            is_last |= is_frame && M::is_over(scenario, &state);
            // Computed at most once, and only if needed.
            let hash = LazyCell::new(|| state.hash());
            if let Some(hashes) = hashes {
                hashes.line(step, *hash)?;
            }
            if sees_steps {
                observer.see_step(step, &state)?;
            }
            if is_last || is_frame {
                let (measures, hash) = (M::measure(&state), *hash);
                let mut row = Row::new(table.text());
                row.integer(step as i64);
                for &value in &measures {
                    row.number(value);
                }
                row.text(&format!("{hash:016x}")).end();
                table.flush_full()?;
                if let Some(film) = film.as_mut().filter(|_| is_frame) {
                    film.add(step, is_last, &state, &measures)?;
                }
                observer.see(step, &state)?;
                rows.push((step, measures));
                if is_last {
                    run.progress.end();
                    let film = film.map(StepAnimation::finish::<M>).transpose()?;
                    return Ok(Recorded { steps: step, state, rows, stepping_s, hash, table: table.finish()?, film });
                }
            }
        }
        let began = Instant::now();
        executor.step()?;
        stepping_s += began.elapsed().as_secs_f64();
        step += 1;
        run.progress.at(step, "");
    }
}

#[cfg(test)]
mod tests;
