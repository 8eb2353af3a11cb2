//! Traffic: from settings to a run folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use thiserror::Error;
use throng_core::{InputError, Progress, Warnings};
use throng_device::{DeviceChoice, DeviceError, Ledger};
use throng_output::{OutputError, WrittenFile};

pub use throng_traffic::baselines;
pub use throng_traffic::cache;
pub use throng_traffic::compare;
pub use throng_traffic::config;
pub use throng_traffic::convert;
pub use throng_traffic::cpu;
pub use throng_traffic::events;
pub use throng_traffic::generate;
pub use throng_traffic::gpu;
pub use throng_traffic::load;
pub use throng_traffic::results::{self, RunSummary};
pub use throng_traffic::scenario::{self, Scenario};
pub use throng_traffic::settings::{self, Settings};
pub use throng_traffic::{DeviceThreads, FileError, HashAt, RunError, RunOptions, RunOutcome, RunStats};

use crate::executor::Executor;
use crate::hash_log::HashLog;
use throng_traffic::events::{Event, EventSink, SinkError};
use throng_traffic::results::{
    Recorder, RecorderOptions, RunFacts, codec_of, open_folder, write_link_volumes, write_plans,
};

/// A run to be made.
#[derive(Debug, Clone)]
pub struct Run {
    /// What to run, and where to.
    pub settings: Settings,
    /// The scenario as the user named it, for report and manifest.
    pub scenario: String,
    /// Name and version of the program, for the manifest.
    pub program: String,
    /// What computes.
    pub device: DeviceChoice,
    /// Time the phases of a step on the device; the run takes a little longer.
    pub time_phases: bool,
    /// Stop after this many steps.
    pub steps: Option<u64>,
    /// Record the state hash every this many steps; 0 never.
    pub hash_every: u64,
    /// Write a table of link volumes, also without events.
    pub link_volumes: bool,
    /// Warnings that came up before the run, to be shown in its report.
    pub warnings: Warnings,
}

impl Run {
    /// A run of `settings` to its end.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            scenario: String::new(),
            program: concat!("throng ", env!("CARGO_PKG_VERSION")).to_owned(),
            device: DeviceChoice::Auto,
            time_phases: false,
            steps: None,
            hash_every: 0,
            link_volumes: false,
            warnings: Warnings::new(),
        }
    }
}

/// A run that was made.
#[derive(Debug, Clone)]
pub struct Done {
    /// The output folder.
    pub folder: PathBuf,
    /// Results in numbers.
    pub summary: RunSummary,
    /// What the executor reported.
    pub outcome: RunOutcome,
    /// Who computed, and why.
    pub device: String,
    /// What the device was asked to do, where there was one.
    pub ledger: Option<Ledger>,
    /// Wall-clock seconds of each phase, in order.
    pub timings_s: Vec<(String, f64)>,
    /// Wall-clock seconds of the mobility simulation, with what its output held it up.
    pub simulation_s: f64,
    /// Everything odd in the input and during the run.
    pub warnings: Warnings,
}

impl Done {
    /// Simulated seconds per wall-clock second of the mobility simulation.
    pub fn real_time_factor(&self) -> f64 {
        (self.outcome.end_time - self.outcome.start_time) / self.simulation_s.max(1e-9)
    }
}

/// Why there is no complete run folder.
#[derive(Debug, Error)]
pub enum Failed {
    /// Something is wrong with the input.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The simulation stopped.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The device is not there, lacks something, or failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The results cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

impl From<FileError> for Failed {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Input(error) => error.into(),
            FileError::Output(error) => error.into(),
        }
    }
}

/// A scenario cache that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cached {
    /// The file.
    pub file: WrittenFile,
    /// Persons in it.
    pub persons: usize,
    /// Links in it.
    pub links: usize,
}

/// Loads the scenario that the settings name and keeps it in `target`, for `throng.scenarioCache`.
///
/// # Errors
/// What is wrong with the files, or why the cache cannot be written.
pub fn make_cache(
    settings: Settings,
    target: &Path,
    warnings: &mut Warnings,
    progress: &dyn Progress,
) -> Result<Cached, FileError> {
    let origin = cache::origin::Origin::of(&settings)?;
    let scenario = load::load_scenario(settings, warnings, progress)?;
    progress.begin(&format!("writing {}", target.display()), None, "");
    let file = cache::write_cache(&scenario, &origin, target)?;
    progress.end();
    Ok(Cached { file, persons: scenario.population.persons(), links: scenario.network.links() })
}

/// Loads the scenario that the settings name, runs it, and writes all results to the output folder.
///
/// # Errors
/// See [`Failed`]. Files that are not complete are removed.
pub fn run(run: Run, progress: &dyn Progress) -> Result<Done, Failed> {
    let mut timings = Timings::default();
    let mut warnings = run.warnings;
    // Before anything is read: a folder that may not be used should cost nothing.
    let folder = open_folder(&run.settings)?;
    // The scenario is usually a path, too.
    folder.keep([Path::new(&run.scenario)])?;
    let asked_for = Executor::asked_for(run.device)?;
    let threads = rayon::ThreadPoolBuilder::new().num_threads(run.settings.global.number_of_threads).build();
    let threads = threads.map_err(|error| RunError::NoThread(error.to_string()))?;
    let scenario = threads.install(|| load::load_scenario(run.settings, &mut warnings, progress))?;
    let scenario = Arc::new(scenario);
    timings.end("loading");
    let mut executor = Executor::choose(run.device, asked_for, true, || suits_cpu(&scenario))?;
    if let Some(device) = executor.device.as_mut().filter(|_| run.time_phases) {
        device.time_launches(TIMED_LAUNCHES)?;
    }
    timings.end("starting the device");

    let settings = &scenario.settings;
    folder.begin()?;
    let recorder = Recorder::create(Arc::clone(&scenario), folder.clone(), RecorderOptions::of(settings))?;
    let hashes = if run.hash_every > 0 { Some(HashLog::create(&folder)?) } else { None };
    let mut results = Results { recorder, hashes };
    progress.begin(&format!("simulating on {}", executor.label()), expected_length_s(&scenario), "s");
    let options = RunOptions {
        threads: settings.qsim.number_of_threads,
        max_steps: run.steps,
        hash_every: run.hash_every,
        volume_bin_s: run.link_volumes.then(|| settings.travel_time_calculator.length_of_bins_s()),
        progress,
        ..RunOptions::default()
    };
    let outcome = match &executor.device {
        None => cpu::simulate(&scenario, &mut results, &options)?,
        Some(device) => threads.install(|| gpu::simulate(&scenario, &mut results, &options, device))?,
    };
    progress.end();
    let simulation_s = timings.end_of_simulation(outcome.preparation_s);
    // First of all, so that nothing that fails from here on costs the events.
    let Results { recorder, hashes } = results;
    let recorded = recorder.close(&outcome.stats)?;
    timings.end("completing events and tables");

    odd_things(&outcome, settings.throng.analysis, &mut warnings);
    let mut files = vec![folder.write("output_config.xml", config::effective(settings).as_bytes())?];
    files.extend(hashes.map(HashLog::complete).transpose()?);
    if run.link_volumes {
        let codec = codec_of(settings.controller.compression);
        let bin_s = settings.travel_time_calculator.length_of_bins_s();
        files.push(write_link_volumes(&scenario.network, &outcome.link_volumes, bin_s, &folder, codec)?);
    }
    if settings.controller.write_plans_interval > 0 {
        if settings.files.plans.is_none() {
            let kind = "output_plans is not written: it is a copy of the plans file, and a scenario cache needs none";
            warnings.add(kind, || "plans.inputPlansFile or controller.writePlansInterval=0".to_owned());
        }
        let codec = codec_of(settings.controller.compression);
        files.extend(write_plans(&scenario, &folder, codec, &mut warnings, progress)?);
        timings.end("writing plans");
    }
    let facts = RunFacts {
        program: run.program,
        scenario: run.scenario,
        device: who_computed(&executor, &outcome),
        options: chosen_options(run.steps, run.hash_every, run.link_volumes),
        settings: config::flat(settings),
        timings_s: timings.list.clone(),
        simulation_s,
        simulated_s: outcome.end_time - outcome.start_time,
        warnings: warnings.clone(),
        files,
    };
    let summary = recorded.report(&facts)?;
    timings.end("writing the report");
    Ok(Done {
        folder: folder.path().to_owned(),
        summary,
        device: who_computed(&executor, &outcome),
        ledger: executor.device.as_ref().map(throng_device::AnyDevice::ledger),
        outcome,
        timings_s: timings.list,
        simulation_s,
        warnings,
    })
}

/// From the first departure to the end time, or to the last departure of the plans: how long the day may be, seconds.
fn expected_length_s(scenario: &Scenario) -> Option<u64> {
    let ends = || scenario.population.activities.end_time.iter().copied().filter(|end| end.is_finite());
    let first = ends().min_by(f64::total_cmp)?.max(scenario.settings.qsim.start_time.unwrap_or(0.0));
    let last = scenario.settings.qsim.end_time.or_else(|| ends().max_by(f64::total_cmp))?;
    (last > first).then_some((last - first) as u64)
}

/// With fewer persons than this a run is over on the CPU before a device has started.
const WORTH_A_DEVICE: usize = 50_000;

/// Why the CPU should simulate a scenario, where there is a choice.
fn suits_cpu(scenario: &Scenario) -> Option<String> {
    let persons = scenario.population.persons();
    gpu::unsuitable(scenario).or_else(|| {
        (persons < WORTH_A_DEVICE).then(|| format!("{persons} persons are simulated before a GPU has started"))
    })
}

/// What a user chose beside the settings.
fn chosen_options(steps: Option<u64>, hash_every: u64, link_volumes: bool) -> Vec<(String, String)> {
    let steps = steps.map(|steps| ("steps".to_owned(), steps.to_string()));
    let hash_every = (hash_every > 0).then(|| ("hash-every".to_owned(), hash_every.to_string()));
    let link_volumes = link_volumes.then(|| ("link-volumes".to_owned(), "yes".to_owned()));
    steps.into_iter().chain(hash_every).chain(link_volumes).collect()
}

/// Receives what comes out of a run.
struct Results {
    recorder: Recorder,
    hashes: Option<HashLog>,
}

impl EventSink for Results {
    fn step(&mut self, time: f64, events: &[Event]) -> Result<(), SinkError> {
        self.recorder.step(time, events)
    }

    fn hashes(&mut self, hashes: &[HashAt]) -> Result<(), SinkError> {
        let Some(log) = &mut self.hashes else { return Ok(()) };
        hashes.iter().try_for_each(|at| log.line(at.step, at.hash)).map_err(|error| SinkError(error.to_string()))
    }

    fn wants_events(&self) -> bool {
        self.recorder.wants_events()
    }
}

/// Of so many launches of one kind one is timed. Timing waits for the device, which few enough hardly notice.
const TIMED_LAUNCHES: u64 = 97;

/// Device or threads, and why it was them where that was left to us.
fn who_computed(executor: &Executor, outcome: &RunOutcome) -> String {
    let why = if executor.reason.is_empty() { String::new() } else { format!(": {}", executor.reason) };
    if executor.device.is_some() {
        return format!("{}{why}{}", executor.label(), executor.hint());
    }
    let threads = match outcome.threads {
        1 => "1 thread".to_owned(),
        n => format!("{n} threads"),
    };
    // Said once is enough.
    match outcome.threads_note.filter(|_| why.is_empty()) {
        None => format!("cpu, {threads}{why}"),
        Some(note) => format!("cpu, {threads}; {note}"),
    }
}

/// The share of moves over nodes onto full links from which on it is told.
const MANY_PUSHED: f64 = 0.01;

fn odd_things(outcome: &RunOutcome, analysed: bool, warnings: &mut Warnings) {
    let RunStats { stuck_removed, aborted, aborted_at_end, .. } = outcome.stats;
    let where_listed =
        if analysed { "stuck_agents.csv lists them" } else { "throng.analysis=true writes a list of them" };
    let RunStats { stuck_pushed, moves, .. } = outcome.stats;
    // A few are part of the model; many mean gridlock.
    if stuck_pushed as f64 > MANY_PUSHED * moves as f64 {
        let share = 100.0 * stuck_pushed as f64 / moves as f64;
        let kind =
            "vehicles pushed onto full links after the stuck time (qsim.stuckTime): gridlock, or too little capacity";
        warnings.add_many(stuck_pushed, kind, || format!("{share:.1} % of all moves over nodes"));
    }
    let mut add = |count, kind| warnings.add_many(count, kind, || where_listed.into());
    add(aborted.saturating_sub(stuck_removed), "agents aborted because they could not go on with their plan");
    add(stuck_removed, "vehicles removed after the stuck time (qsim.removeStuckVehicles=true)");
    add(aborted_at_end, "agents aborted because the simulation ended");
    add(outcome.waiting_for_ever, "agents who would have waited for ever for a vehicle or for capacity");
}

/// Wall-clock time per phase.
#[derive(Debug)]
struct Timings {
    list: Vec<(String, f64)>,
    since: Instant,
}

impl Default for Timings {
    fn default() -> Self {
        Self { list: Vec::new(), since: Instant::now() }
    }
}

impl Timings {
    /// The simulation, of which so many seconds were preparation. Returns the rest.
    fn end_of_simulation(&mut self, preparation_s: f64) -> f64 {
        let seconds = self.since.elapsed().as_secs_f64() - preparation_s;
        if preparation_s > 0.0 {
            self.list.push(("copying to the device, compiling kernels".to_owned(), preparation_s));
        }
        self.list.push(("simulation".to_owned(), seconds));
        self.since = Instant::now();
        seconds
    }

    fn end(&mut self, phase: &str) -> f64 {
        let seconds = self.since.elapsed().as_secs_f64();
        self.list.push((phase.to_owned(), seconds));
        self.since = Instant::now();
        seconds
    }
}
