//! A day of traffic as a run: from settings to a run folder.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use throng_core::{InputError, Progress, Warnings};
use throng_device::DeviceInfo;
use throng_matsim::config;
use throng_matsim::formats::counts::{CountStation, read_counts};
use throng_matsim::load::{self, InputStamps};
use throng_model::record::{HASHES_NAME, HashLog};
use throng_model::threads::cpu_label;
use throng_model::{Costs, Done, Estimate, Failure, Loaded, Output, Run, RunRequest, Simulated, TypicalCosts, Work};
use throng_output::IfNotEmpty;
use throng_queue::{RunError, RunOptions, RunOutcome, cpu, gpu};
use throng_traffic_scenario::events::{Event, EventSink, SinkError};
use throng_traffic_scenario::settings::{OverwriteFiles, Settings};
use throng_traffic_scenario::{HashAt, RunStats, Scenario};

use crate::kept_scenario::KeptScenario;
use crate::loaded_day::LoadedDay;
use crate::missing_files::check_files;
use crate::results::{
    FILE_NAMES, LoggedProgress, PlansFile, PlansOutputs, Recorder, RecorderOptions, RunLog, RunSummary, ScenarioFiles,
    attribute_names, codec_of, iteration_file_names, write_link_volumes,
};
use crate::summary_lines::lines;

/// A day of traffic to be simulated: settings with their warnings and notes.
#[derive(Debug, Clone, Default)]
pub struct Day {
    /// The settings, including the output folder.
    pub settings: Settings,
    /// Whether to write a table of link volumes, even without events.
    pub link_volumes: bool,
    /// Files from which the settings were read. Like all inputs, they are neither deleted nor replaced.
    pub read: Vec<PathBuf>,
    /// Folder in which loaded scenarios are kept for the next run; `None` to read and keep nothing there.
    pub cache: Option<PathBuf>,
    /// Warnings from before the run, for its report.
    pub warnings: Warnings,
    /// Notes about the settings, one sentence each.
    pub notes: Vec<String>,
}

impl Day {
    /// Creates the day that the settings describe.
    pub fn new(settings: Settings) -> Self {
        Self { settings, ..Self::default() }
    }
}

/// Summary and executor statistics of a simulated day.
#[derive(Debug, Clone)]
pub struct Results {
    /// Summary of the run.
    pub summary: RunSummary,
    /// Executor statistics.
    pub outcome: RunOutcome,
}

/// Loads the scenario of the settings, runs it, and writes all results to the output folder.
///
/// # Errors
/// See [`Failure`]. Incomplete files are removed.
pub fn run(day: Day, request: &RunRequest, progress: &dyn Progress) -> Result<Done<Results>, Failure> {
    throng_model::run(day, request, progress)
}

impl throng_model::Scenario for Day {
    type Loaded = LoadedDay;

    fn model(&self) -> &'static str {
        "traffic"
    }

    fn seed(&self) -> i64 {
        self.settings.global.random_seed
    }

    fn warnings(&self) -> Warnings {
        self.warnings.clone()
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    fn effective(&self) -> Result<String, Failure> {
        Ok(config::effective(&self.settings))
    }

    fn output(&self) -> Output {
        let controller = &self.settings.controller;
        Output {
            folder: controller.output_directory.clone(),
            if_not_empty: match controller.overwrite_files {
                OverwriteFiles::ReplaceOwnRun => IfNotEmpty::ReplaceOwn,
                OverwriteFiles::FailIfDirectoryExists => IfNotEmpty::Refuse,
                OverwriteFiles::OverwriteExistingFiles => IfNotEmpty::Overwrite,
                OverwriteFiles::DeleteDirectoryIfExists => IfNotEmpty::Delete,
            },
            prefix: controller.run_id.clone().unwrap_or_default(),
            names: FILE_NAMES.to_vec(),
            inputs: self.settings.files.all().map(ToOwned::to_owned).chain(self.read.iter().cloned()).collect(),
        }
    }

    fn own_names(&self, _: Option<u64>) -> Vec<String> {
        let settings = &self.settings;
        if settings.extensions.iteration_files { iteration_file_names(settings) } else { Vec::new() }
    }

    fn threads(&self) -> usize {
        self.settings.global.number_of_threads
    }

    fn threads_of_steps(&self) -> usize {
        self.settings.qsim.number_of_threads.max(1)
    }

    fn check_inputs(&self) -> Result<(), Failure> {
        Ok(check_files(&self.settings)?)
    }

    fn load(self, warnings: &mut Warnings, progress: &dyn Progress) -> Result<LoadedDay, Failure> {
        let log = RunLog::default();
        let progress = &LoggedProgress::new(&log, progress);
        for note in &self.notes {
            log.info(format!("note: {note}"));
        }
        let inputs = InputStamps::of(&self.settings);
        let kept = self.cache.and_then(|folder| KeptScenario::of(folder, &self.settings, &inputs));
        if let Some(scenario) = kept.as_ref().and_then(|kept| kept.load(&self.settings, warnings, progress)) {
            let counts = counts(&scenario, &inputs, warnings)?;
            inputs.check()?;
            return Ok(LoadedDay::new(scenario, inputs, self.link_volumes).with_counts(counts).with_log(log));
        }
        let (since, mut found) = (Instant::now(), Warnings::new());
        let scenario = load_unchanged(self.settings, &inputs, &mut found, progress)?;
        let unkept = kept.filter(|_| since.elapsed() >= WORTH_KEEPING).map(|kept| (kept, found.clone()));
        warnings.append(found);
        let counts = counts(&scenario, &inputs, warnings)?;
        let mut loaded = LoadedDay::new(scenario, inputs, self.link_volumes).with_counts(counts);
        loaded.unkept = unkept;
        Ok(loaded.with_log(log))
    }
}

impl Loaded for LoadedDay {
    type Results = Results;

    fn suits_cpu(&self) -> Option<String> {
        gpu::unsuitable(&self.scenario)
    }

    fn estimate(&self, steps: Option<u64>) -> Option<Estimate> {
        let Scenario { population, settings, .. } = &*self.scenario;
        let all = (expected_length_s(&self.scenario).unwrap_or(1) as f64 / settings.qsim.time_step_s).max(1.0);
        let steps = steps.map_or(all, |asked| all.min(asked as f64));
        // A vehicle leaves and enters each link of a route; a leg has about eight other events.
        let events = 2 * population.route_links.len() + 8 * population.legs.mode.len();
        let units = events as f64 * steps / all;
        Some(Estimate { model: "traffic", part: "steps", work: Work { steps, units }, typical: COSTS })
    }

    fn unsuitable(&self, device: &DeviceInfo) -> Option<String> {
        gpu::unsuitable_device(device)
    }

    // Timing waits for the device; with few samples the cost is negligible.
    fn timed_launches(&self) -> u64 {
        97
    }

    fn executor(&self, device: Option<&str>, _: usize) -> String {
        device.map_or_else(|| cpu_label(self.scenario.settings.qsim.number_of_threads.max(1)), ToOwned::to_owned)
    }

    fn simulate(self, run: &mut Run<'_>) -> Result<Simulated<Results>, Failure> {
        let options = self.options();
        let LoadedDay { scenario, inputs, link_volumes, counts, unkept, log, .. } = self;
        let progress = &LoggedProgress::new(&log, run.progress);
        let mut options = RunOptions { progress, ..options };
        let keeping = unkept.map(|(kept, warnings)| kept.keep(Arc::clone(&scenario), inputs.clone(), warnings));
        let (settings, folder) = (&scenario.settings, run.folder);
        log.info(format!("{}, scenario {}", run.request.program, run.request.scenario));
        log.warnings(&run.warnings);
        let logged = run.warnings.clone();
        let wanted = RecorderOptions::of(settings);
        let wanted = if run.request.without_files { wanted.without_events() } else { wanted };
        let wanted = if run.executor.device().is_none() { wanted.beside(options.threads) } else { wanted };
        let recorder = Recorder::create(Arc::clone(&scenario), folder.clone(), wanted)?;
        let codec = codec_of(settings.controller.compression);
        let writes_files = !run.request.without_files;
        let writes_plans = settings.controller.write_plans_interval > 0 && writes_files;
        let outputs = PlansOutputs { plans: writes_plans, persons: wanted.analysis && writes_files };
        let plans = PlansFile::start(&scenario, folder, codec, wanted.workers, outputs)?;
        let dumps = settings.controller.dump_data_at_end && writes_files;
        let scenario_files = dumps.then(|| ScenarioFiles::start(&scenario, folder, codec)).transpose()?;
        let mut sink = Sink { recorder, plans, hashes: run.hashes.take() };
        log.iteration(settings.controller.first_iteration, "BEGINS");
        progress.begin(&format!("simulating on {}", run.executor.label()), expected_length_s(&scenario), "s");
        (options.max_steps, options.hash_every) = (run.request.steps, run.request.hash_every);
        options.volume_bin_s = link_volumes.then(|| settings.travel_time_calculator.length_of_bins_s());
        let outcome = match run.executor.device() {
            None => cpu::simulate(&scenario, &mut sink, &options),
            Some(device) => gpu::simulate(&scenario, &mut sink, &options, device),
        };
        if let (Err(RunError::Output(_)), Some(plans)) = (&outcome, sink.plans.take_if(|plans| !plans.is_well())) {
            // The simulation was stopped, because its plans could not be written.
            plans.finish(&inputs)?;
        }
        let outcome = outcome?;
        progress.end();
        if let Some(note) = outcome.threads_note {
            progress.note(&format!("note: 1 thread was used: {note}"));
        }
        let prepared = [("copying to the device, compiling kernels", outcome.preparation_s)];
        let simulation_s = run.timings.end_in_parts(&prepared, "simulation");
        log.iteration(settings.controller.first_iteration, "ENDS");
        // The recorder is closed first, so that a later failure does not lose the events.
        let Sink { recorder, plans, hashes } = sink;
        let mut recorded = recorder.close(&outcome.stats)?;
        recorded.compare(&counts, folder)?;
        recorded.write_dashboard(folder)?;
        let hashes = hashes.map(HashLog::complete).transpose()?;
        let mut files = recorded.summary().files.clone();
        files.extend(hashes);
        run.timings.end("completing events and tables");
        if let Some(plans) = plans {
            progress.begin("completing output_plans and output_persons", None, "");
            let (written, warnings) = plans.finish(&inputs)?;
            progress.end();
            files.extend(written);
            run.warnings.append(warnings);
            run.timings.end("completing plans");
        } else if writes_plans {
            let kind = "output_plans is not written: it is based on the plans file, which a run with a scenario cache does not read";
            run.warnings.add_noted(1, kind, "plans.inputPlansFile or controller.writePlansInterval=0");
        }
        if let Some(scenario_files) = scenario_files {
            let (written, warnings) = scenario_files.finish(&inputs)?;
            files.extend(written);
            run.warnings.append(warnings);
            run.timings.end("completing inputs in effect");
        }

        add_outcome_warnings(&outcome, recorded.summary(), &mut run.warnings);
        // The default coordinate system is not worth a warning; the report names the reason.
        let is_named = !["", "Atlantis"].contains(&settings.global.coordinate_system.as_str());
        if let Some(reason) = recorded.without_geojson().filter(|_| is_named) {
            run.warnings.add_noted(1, "output_links.geojson is not written", reason);
        }
        endless_stays(&scenario, recorded.summary(), &mut run.warnings);
        files.push(folder.write("output_config.xml", config::effective(settings).as_bytes())?);
        if link_volumes {
            let bin_s = settings.travel_time_calculator.length_of_bins_s();
            files.push(write_link_volumes(&scenario.network, &outcome.link_volumes, bin_s, folder, codec)?);
        }
        missing_results(&scenario, &mut run.warnings);
        if let Some(keeping) = keeping {
            keeping.finish(progress);
            run.timings.end("waiting for the cache");
        }
        // Report and manifest describe the files in their current state.
        inputs.check()?;
        let measured = recorded.measured();
        let (summary, report) = recorded.results(&run.request.scenario, &outcome, simulation_s);
        let lines = lines(&summary, &outcome, simulation_s, (&files, &folder.file_name(HASHES_NAME)));
        let mut last = Vec::new();
        if writes_files {
            log.warnings(&run.warnings.without(&logged));
            for (phase, seconds) in &run.timings.list {
                log.info(format!("{phase}: {seconds:.3} s"));
            }
            for (name, value) in &lines {
                log.info(format!("{name}: {value}"));
            }
            last = log.write(folder)?;
        }
        Ok(Simulated {
            lines,
            numbers: summary.to_json(),
            measured,
            settings: config::flat(settings),
            options: link_volumes.then(|| ("link-volumes".to_owned(), "yes".to_owned())).into_iter().collect(),
            inputs: settings.files.all().map(with_size).collect(),
            files,
            last,
            simulation_s,
            executor: run.executor.device().is_none().then(|| threads_used(&outcome, run.executor.reason())),
            report,
            results: Results { summary, outcome },
        })
    }
}

/// Returns an input and its size in bytes.
fn with_size(file: &std::path::Path) -> (String, u64) {
    (file.display().to_string(), std::fs::metadata(file).map_or(0, |metadata| metadata.len()))
}

/// Loads the scenario, and fails if the files changed while they were read.
pub(crate) fn load_unchanged(
    settings: Settings,
    inputs: &InputStamps,
    warnings: &mut Warnings,
    progress: &dyn Progress,
) -> Result<Scenario, InputError> {
    let loaded = load::load_scenario(settings, warnings, progress);
    // The inputs are checked first, because a file that is truncated by a change looks damaged.
    inputs.check()?;
    loaded
}

/// Reads the counts that the settings name.
fn counts(scenario: &Scenario, inputs: &InputStamps, warnings: &mut Warnings) -> Result<Vec<CountStation>, InputError> {
    let settings = &scenario.settings;
    let Some(path) = &settings.files.counts else { return Ok(Vec::new()) };
    let counts = read_counts(path, &scenario.network.link_ids, warnings);
    inputs.check()?;
    let (factor, of_sample) = (settings.counts.scale_factor, settings.qsim.flow_capacity_factor);
    if !settings.extensions.analysis {
        warnings.add_noted(1, "counts are not compared without an analysis of events", "throng.analysis=false");
    } else if factor == 1.0 && of_sample < 1.0 {
        let kind = "counts are compared with the volumes of a sample as they are";
        let note = format!("counts.countsScaleFactor=1, but qsim.flowCapacityFactor={of_sample}");
        warnings.add_noted(1, kind, note);
    }
    counts
}

/// Returns the expected length of the day, seconds: from the first departure to the end time or, if there is none, to
/// the last departure of the plans.
fn expected_length_s(scenario: &Scenario) -> Option<u64> {
    let ends = || scenario.population.activities.end_time.iter().copied().filter(|end| end.is_finite());
    let first = ends().min_by(f64::total_cmp)?.max(scenario.settings.qsim.start_time.unwrap_or(0.0));
    let last = scenario.settings.qsim.end_time.or_else(|| ends().max_by(f64::total_cmp))?;
    (last > first).then_some((last - first) as u64)
}

/// Minimum duration of loading for a scenario that is kept: others load quickly enough.
const WORTH_KEEPING: Duration = Duration::from_millis(if cfg!(test) { 0 } else { 500 });

/// Typical costs of a step and of an event, without its output.
const COSTS: TypicalCosts = TypicalCosts::new(130e-9, Costs::new(0.7, 3e-6, 13e-9));

/// Receives the output of a run.
struct Sink {
    recorder: Recorder,
    plans: Option<PlansFile>,
    hashes: Option<HashLog>,
}

impl EventSink for Sink {
    fn step(&mut self, time: f64, events: &[Event]) -> Result<(), SinkError> {
        // Steps without events are not reported, so a run that writes no events detects this at its end.
        if self.plans.as_mut().is_some_and(|plans| !plans.is_well()) {
            return Err(SinkError("output_plans or output_persons cannot be written".to_owned()));
        }
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

/// Returns the number of threads used, and the reason if it is lower than requested.
fn threads_used(outcome: &RunOutcome, reason: &str) -> String {
    let threads = cpu_label(outcome.threads);
    // If Throng chose the CPU, the reason is the same, and is printed only once.
    match outcome.threads_note.filter(|_| reason.is_empty()) {
        None => threads,
        Some(note) => format!("{threads}; {note}"),
    }
}

/// Fraction of moves over nodes that go onto full links above which a warning is given.
const MANY_PUSHED: f64 = 0.01;

fn add_outcome_warnings(outcome: &RunOutcome, summary: &RunSummary, warnings: &mut Warnings) {
    let RunStats { stuck_removed, aborted, aborted_at_end, .. } = outcome.stats;
    let where_listed = if summary.analysed {
        format!("{} lists them", summary.file_name("stuck_agents.csv"))
    } else {
        "throng.analysis=true writes a list of them".to_owned()
    };
    let RunStats { stuck_pushed, moves, .. } = outcome.stats;
    // A few are part of the model; many indicate gridlock.
    if stuck_pushed as f64 > MANY_PUSHED * moves as f64 {
        let share = 100.0 * stuck_pushed as f64 / moves as f64;
        let kind =
            "vehicles pushed onto full links after the stuck time (qsim.stuckTime): gridlock, or too little capacity";
        warnings.add_noted(stuck_pushed, kind, format!("{share:.1} % of all moves over nodes"));
    }
    let mut add = |count, kind| warnings.add_noted(count, kind, where_listed.as_str());
    add(aborted.saturating_sub(stuck_removed), "agents aborted because they could not continue their plan");
    add(stuck_removed, "vehicles removed after the stuck time (qsim.removeStuckVehicles=true)");
    add(aborted_at_end, "agents aborted because the simulation ended");
    add(outcome.waiting_for_ever, "agents who would have waited forever for a vehicle, for capacity or at a stop");
    let [on_board, at_stops] = outcome.unreported;
    let without_event = "as in MATSim, they have no event and are not in the list";
    warnings.add_noted(on_board, "passengers in vehicles when the simulation ended", without_event);
    warnings.add_noted(at_stops, "vehicles at stops when the simulation ended", without_event);
}

/// Warns about results that the settings request but do not permit.
fn missing_results(scenario: &Scenario, warnings: &mut Warnings) {
    let Settings { extensions, scoring, files, .. } = &scenario.settings;
    if scoring.writes_experienced_plans && !extensions.analysis {
        let kind = "output_experienced_plans is not written without an analysis of events";
        warnings.add_noted(1, kind, "throng.analysis=false");
    }
    let attributes = attribute_names(scenario).count();
    if extensions.analysis && files.plans.is_none() && attributes > 0 {
        let kind = "attributes of persons are empty in output_persons, because a run with a scenario cache does not read \
                    the plans file";
        warnings.add_noted(attributes as u64, kind, "plans.inputPlansFile");
    }
}

/// Warns about agents that stay at an activity forever, as in MATSim. This is easily overlooked, because such a plan is
/// valid.
fn endless_stays(scenario: &Scenario, summary: &RunSummary, warnings: &mut Warnings) {
    let stays = &summary.endless_stays;
    let kind = "persons stay forever, as in MATSim, at an activity without an end (no end_time or max_dur that \
                plans.activityDurationInterpretation accepts); the rest of their plan does not take place";
    warnings.add_many(stays.persons, kind, || stays.example(scenario));
}
