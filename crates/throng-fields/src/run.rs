//! A run: from a scenario to a run folder.

use std::path::PathBuf;
use std::time::{Instant, SystemTime};

use crate::FieldError;
use crate::gpu::GpuError;
use thiserror::Error;
use throng_core::{InputError, NoThread, Progress, Warnings};
use throng_device::{AnyDevice, DeviceChoice, DeviceError, Ledger};
use throng_output::{IfNotEmpty, OutputError, RunFolder, WrittenFile, utc_text};

use crate::results::manifest::manifest;
use crate::results::recorder::{ANIMATION, FILE_NAMES, Recorded, Recorder, complete};
use crate::results::report;
use crate::scenario::Scenario;
use crate::simulation::{Now, Simulation};
use crate::workload::suits_cpu;
use throng_model::Executor;
use throng_model::Timings;

/// A run to be made.
#[derive(Debug, Clone)]
pub struct Run {
    /// What to run, and where to.
    pub scenario: Scenario,
    /// The scenario as the user named it, for report and manifest.
    pub name: String,
    /// Name and version of the program, for the manifest.
    pub program: String,
    /// What makes the fields.
    pub device: DeviceChoice,
    /// Threads for all else, from 1 to [`Run::MOST_THREADS`]; the result does not depend on it.
    pub threads: usize,
    /// Time launches on the device; the run takes a little longer.
    pub time_phases: bool,
    /// Stop after this many steps.
    pub steps: Option<u32>,
    /// Record the state hash every this many steps; 0 never.
    pub hash_every: u32,
    /// Where results go, instead of where the scenario says.
    pub folder: Option<PathBuf>,
    /// Write into a folder that holds something.
    pub overwrite: bool,
}

impl Run {
    /// The most threads.
    pub const MOST_THREADS: usize = 1024;

    /// Refuses numbers of threads that are none, or too many.
    ///
    /// # Errors
    /// The number, and what may be given.
    pub fn check_threads(threads: usize) -> Result<(), InputError> {
        if (1..=Self::MOST_THREADS).contains(&threads) {
            return Ok(());
        }
        let remedy = format!("give a whole number from 1 to {}, or leave it out for 1 thread", Self::MOST_THREADS);
        Err(InputError::one("--threads", threads.to_string(), remedy))
    }

    /// A run of a scenario to its end, on one thread.
    pub fn new(scenario: Scenario) -> Self {
        let overwrite = scenario.output.overwrite;
        Self {
            scenario,
            name: String::new(),
            program: concat!("throng ", env!("CARGO_PKG_VERSION")).to_owned(),
            device: DeviceChoice::Auto,
            threads: 1,
            time_phases: false,
            steps: None,
            hash_every: 0,
            folder: None,
            overwrite,
        }
    }

    /// How many steps are made.
    pub(crate) fn steps(&self) -> u32 {
        self.steps.map_or(self.scenario.steps, |steps| steps.min(self.scenario.steps))
    }
}

/// The results of a run in numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Cells of the grid.
    pub cells: usize,
    /// Entities that make the fields.
    pub entities: usize,
    /// Agents that walk.
    pub agents: usize,
    /// Agents that came to a goal.
    pub arrived: usize,
    /// Agents that are stuck at the end.
    pub stuck: usize,
    /// Steps made.
    pub steps: u32,
    /// The time that these took in the scenario.
    pub time: f64,
    /// Hash of fields, influence and agents at the end.
    pub hash: u64,
}

/// A run that was made.
#[derive(Debug, Clone)]
pub struct Done {
    /// The output folder.
    pub folder: PathBuf,
    /// Results in numbers.
    pub summary: Summary,
    /// How it stood at the start, on the way and at the end: after each step, or, in a run of more than 4095 steps, at equal
    /// distances.
    pub history: Vec<Now>,
    /// Who computed, and why.
    pub device: String,
    /// Wall-clock seconds of each phase, in order.
    pub timings_s: Vec<(String, f64)>,
    /// Wall-clock seconds of all steps, without tables and pictures.
    pub simulation_s: f64,
    /// What the device was asked to do, where there was one.
    pub ledger: Option<Ledger>,
    /// What is odd about the results.
    pub warnings: Warnings,
    /// The files, but for the manifest.
    pub files: Vec<WrittenFile>,
}

/// Why there is no complete run folder.
#[derive(Debug, Error)]
pub enum Failed {
    /// Something is wrong with the input.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A field cannot be made, or a picture of it.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// The device is not there, lacks something, or failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The results cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The operating system gives no threads.
    #[error(transparent)]
    NoThread(#[from] NoThread),
}

impl From<GpuError> for Failed {
    fn from(error: GpuError) -> Self {
        match error {
            GpuError::Field(error) => error.into(),
            GpuError::Device(error) => error.into(),
        }
    }
}

/// Runs a scenario and writes all results to its folder.
///
/// # Errors
/// See [`Failed`]. Files that are not complete are removed.
pub fn run(run: &Run, progress: &dyn Progress) -> Result<Done, Failed> {
    Run::check_threads(run.threads)?;
    let mut timings = Timings::new(run.scenario.loading_s);
    let path = run.folder.as_deref().unwrap_or(run.scenario.folder());
    let if_not_empty = IfNotEmpty::of_flag(run.overwrite);
    // Before anything is made: a folder that may not be used should cost nothing.
    let folder = RunFolder::create(path, if_not_empty, "--overwrite")?;
    let folder = folder.keeping(run.scenario.inputs.iter().map(|(path, _)| path.as_path()), &FILE_NAMES)?;
    let asked_for = Executor::asked_for(run.device, progress)?;
    let mut executor = Executor::choose(run.device, asked_for, false, || suits_cpu(&run.scenario, run.steps()))?;
    if let Some(device) = executor.device.as_mut().filter(|_| run.time_phases) {
        device.time_launches(TIMED_LAUNCHES)?;
    }
    progress.note(&format!("device: {}", who_computes(&executor, run.threads)));
    let threads = throng_core::thread_pool(run.threads)?;
    folder.begin()?;
    timings.end("starting the device");
    let (history, files, warnings) =
        threads.install(|| simulate(run, executor.device.as_ref(), &folder, progress, &mut timings))?;
    let mut done = Done {
        folder: folder.path().to_owned(),
        summary: summary(run, &history),
        history,
        device: who_computes(&executor, run.threads),
        simulation_s: timings.seconds(SIMULATING),
        timings_s: timings.list,
        ledger: executor.device.as_ref().map(AnyDevice::ledger),
        warnings,
        files,
    };
    let finished = utc_text(SystemTime::now());
    done.files.push(folder.write("report.html", report::render(run, &done, &finished).as_bytes())?);
    manifest(run, &done, finished).write(&folder)?;
    Ok(done)
}

fn simulate(
    run: &Run,
    device: Option<&AnyDevice>,
    folder: &RunFolder,
    progress: &dyn Progress,
    timings: &mut Timings,
) -> Result<(Vec<Now>, Vec<WrittenFile>, Warnings), Failed> {
    let (scenario, steps) = (&run.scenario, run.steps());
    let mut simulation = Simulation::new(scenario, device)?;
    timings.end("making fields, finding ways");
    let animated = scenario.output.frame_every > 0;
    let mut animation = animated.then(|| folder.file(ANIMATION)).transpose()?;
    let mut recorder = Recorder::new(scenario, folder, animation.as_mut(), steps, run.hash_every)?;
    progress.begin("simulating fields", Some(u64::from(steps)), "steps");
    let mut simulating = 0.0;
    recorder.record(&simulation)?;
    for step in 1..=steps {
        let began = Instant::now();
        simulation.step()?;
        simulating += began.elapsed().as_secs_f64();
        recorder.record(&simulation)?;
        let arrived: usize = recorder.history.last().map_or(0, |now| now.groups.iter().map(|group| group[1]).sum());
        progress.at(u64::from(step), &format!("{arrived} agents arrived"));
    }
    progress.end();
    let Recorded { history, mut files, warnings, drawing_s } = recorder.finish(&simulation)?;
    if let Some(file) = animation {
        files.insert(0, complete(file)?);
    }
    timings.end_in_parts(&[(SIMULATING, simulating), ("drawing", drawing_s)], "measuring, writing tables and pictures");
    Ok((history, files, warnings))
}

fn summary(run: &Run, history: &[Now]) -> Summary {
    let last = history.last();
    let all = |part: usize| last.map_or(0, |now| now.groups.iter().map(|group| group[part]).sum());
    Summary {
        cells: run.scenario.grid().cells(),
        entities: run.scenario.entities(),
        agents: run.scenario.agents(),
        arrived: all(1),
        stuck: all(2),
        steps: last.map_or(0, |now| now.step),
        time: last.map_or(0.0, |now| now.time),
        hash: last.map_or(0, |now| now.hash),
    }
}

/// Of so many launches of one kind one is timed, which waits for the device.
const TIMED_LAUNCHES: u64 = 8;

/// What the steps of the simulation are called among the timings.
const SIMULATING: &str = "simulating";

/// Device or threads, and why it was them where that was left to us.
fn who_computes(executor: &Executor, threads: usize) -> String {
    let why = if executor.reason.is_empty() { String::new() } else { format!(": {}", executor.reason) };
    let threads = if threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") };
    match executor.device {
        Some(_) => format!("{} for the fields, {threads} for agents{why}{}", executor.label(), executor.hint()),
        None => format!("cpu, {threads}{why}"),
    }
}
