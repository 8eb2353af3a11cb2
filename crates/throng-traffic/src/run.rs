//! Traffic: from settings to a run folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;
use throng_core::{InputError, Progress, Warnings};
use throng_device::{DeviceChoice, DeviceError, Ledger};
use throng_output::{OutputError, PendingFile, WrittenFile, check_target};

use throng_matsim::load::{self, InputStamps};
use throng_matsim::{cache, config};
use throng_model::{Executor, HashLog, Timings};
use throng_output::FileError;
use throng_queue::{RunError, RunOptions, RunOutcome, cpu, gpu};
use throng_traffic_scenario::events::{Event, EventSink, SinkError};
use throng_traffic_scenario::settings::Settings;
use throng_traffic_scenario::{HashAt, RunStats, Scenario};

use crate::results::{
    Recorder, RecorderOptions, RunFacts, RunSummary, codec_of, open_folder, write_link_volumes, write_plans,
};
/// A run to be made.
#[derive(Debug, Clone)]
pub struct Run {
    /// What to run, and where to.
    pub settings: Settings,
    /// The scenario as the user named it, for report and manifest.
    pub scenario: String,
    /// Files that the settings were read from: neither deleted nor replaced, as all inputs.
    pub read: Vec<PathBuf>,
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
            read: Vec::new(),
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
    check_target(target, settings.files.all())?;
    let inputs = InputStamps::of(&settings);
    let origin = cache::origin::Origin::of(&settings)?;
    let scenario = load_unchanged(settings, &inputs, warnings, progress)?;
    progress.begin(&format!("writing {}", target.display()), None, "");
    let file = cache::write_cache(&scenario, &origin, PendingFile::create(target)?)?;
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
    // The scenario is usually a path, too.
    let read = run.read.iter().map(PathBuf::as_path).chain([Path::new(&run.scenario)]);
    let folder = open_folder(&run.settings, read)?;
    let asked_for = Executor::asked_for(run.device, progress)?;
    let threads = throng_core::thread_pool(run.settings.global.number_of_threads).map_err(RunError::from)?;
    let inputs = InputStamps::of(&run.settings);
    let scenario = threads.install(|| load_unchanged(run.settings, &inputs, &mut warnings, progress))?;
    let scenario = Arc::new(scenario);
    timings.end("loading");
    let mut executor = Executor::choose(run.device, asked_for, true, || suits_cpu(&scenario))?;
    if let Some(device) = executor.device.as_mut().filter(|_| run.time_phases) {
        device.time_launches(TIMED_LAUNCHES)?;
    }
    timings.end("starting the device");

    let settings = &scenario.settings;
    let planned = who_computes(&executor, settings.qsim.number_of_threads.max(1), None);
    progress.note(&format!("device: {planned}"));
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
    let prepared = [("copying to the device, compiling kernels", outcome.preparation_s)];
    let simulation_s = timings.end_in_parts(&prepared, "simulation");
    // First of all, so that nothing that fails from here on costs the events.
    let Results { recorder, hashes } = results;
    let recorded = recorder.close(&outcome.stats)?;
    timings.end("completing events and tables");

    odd_things(&outcome, recorded.summary(), &mut warnings);
    endless_stays(&scenario, recorded.summary(), &mut warnings);
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
            warnings.add_noted(1, kind, "plans.inputPlansFile or controller.writePlansInterval=0");
        }
        let codec = codec_of(settings.controller.compression);
        files.extend(write_plans(&scenario, &inputs, &folder, codec, &mut warnings, progress)?);
        timings.end("writing plans");
    }
    // Report and manifest speak of the files as they are now.
    inputs.check()?;
    let facts = RunFacts {
        program: run.program,
        scenario: run.scenario,
        device: who_computes(&executor, outcome.threads, outcome.threads_note),
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
        device: who_computes(&executor, outcome.threads, outcome.threads_note),
        ledger: executor.device.as_ref().map(throng_device::AnyDevice::ledger),
        outcome,
        timings_s: timings.list,
        simulation_s,
        warnings,
    })
}

/// The scenario, from files that did not change while they were read.
fn load_unchanged(
    settings: Settings,
    inputs: &InputStamps,
    warnings: &mut Warnings,
    progress: &dyn Progress,
) -> Result<Scenario, InputError> {
    let loaded = load::load_scenario(settings, warnings, progress);
    // First, because a file that is cut off by a change looks damaged.
    inputs.check()?;
    loaded
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
fn who_computes(executor: &Executor, threads: usize, note: Option<&str>) -> String {
    let why = if executor.reason.is_empty() { String::new() } else { format!(": {}", executor.reason) };
    if executor.device.is_some() {
        return format!("{}{why}{}", executor.label(), executor.hint());
    }
    let threads = match threads {
        1 => "1 thread".to_owned(),
        n => format!("{n} threads"),
    };
    // Said once is enough.
    match note.filter(|_| why.is_empty()) {
        None => format!("cpu, {threads}{why}"),
        Some(note) => format!("cpu, {threads}; {note}"),
    }
}

/// A warning is given if more than this share of moves over nodes goes onto full links.
const MANY_PUSHED: f64 = 0.01;

fn odd_things(outcome: &RunOutcome, summary: &RunSummary, warnings: &mut Warnings) {
    let RunStats { stuck_removed, aborted, aborted_at_end, .. } = outcome.stats;
    let where_listed = if summary.analysed {
        format!("{} lists them", summary.file_name("stuck_agents.csv"))
    } else {
        "throng.analysis=true writes a list of them".to_owned()
    };
    let RunStats { stuck_pushed, moves, .. } = outcome.stats;
    // A few are part of the model; many mean gridlock.
    if stuck_pushed as f64 > MANY_PUSHED * moves as f64 {
        let share = 100.0 * stuck_pushed as f64 / moves as f64;
        let kind =
            "vehicles pushed onto full links after the stuck time (qsim.stuckTime): gridlock, or too little capacity";
        warnings.add_noted(stuck_pushed, kind, format!("{share:.1} % of all moves over nodes"));
    }
    let mut add = |count, kind| warnings.add_noted(count, kind, where_listed.as_str());
    add(aborted.saturating_sub(stuck_removed), "agents aborted because they could not go on with their plan");
    add(stuck_removed, "vehicles removed after the stuck time (qsim.removeStuckVehicles=true)");
    add(aborted_at_end, "agents aborted because the simulation ended");
    add(outcome.waiting_for_ever, "agents who would have waited for ever for a vehicle or for capacity");
}

/// As in MATSim they stay for ever, which is easily overlooked: nothing is wrong with such a plan.
fn endless_stays(scenario: &Scenario, summary: &RunSummary, warnings: &mut Warnings) {
    let stays = &summary.endless_stays;
    let kind = "persons stay for ever, as in MATSim, at an activity without an end (no end_time or max_dur that \
                plans.activityDurationInterpretation takes); the rest of their plan does not take place";
    warnings.add_many(stays.persons, kind, || stays.example(scenario));
}
