//! A day of traffic in memory, which a Rust program runs as a whole or step by step.

use std::path::Path;
use std::sync::Arc;

use throng_core::{NoProgress, Warnings};
use throng_device::{Needs, On};
use throng_matsim::formats::counts::CountStation;
use throng_matsim::load::InputStamps;
use throng_model::{Failure, Loaded as _, Scenario as _, ScenarioRequest};
use throng_queue::{RunError, RunOptions, RunOutcome, Running};
use throng_traffic_scenario::Scenario;
use throng_traffic_scenario::events::EventSink;

use crate::kept_scenario::KeptScenario;
use crate::results::RunLog;
use crate::scenario_request::day;

/// A day of traffic, completely in memory.
#[derive(Debug)]
pub struct LoadedDay {
    pub(crate) scenario: Arc<Scenario>,
    pub(crate) inputs: InputStamps,
    pub(crate) link_volumes: bool,
    /// Counts with which a run compares its volumes.
    pub(crate) counts: Vec<CountStation>,
    /// Where to keep the scenario for the next run, with the warnings about its files.
    pub(crate) unkept: Option<(KeptScenario, Warnings)>,
    /// The messages since loading began.
    pub(crate) log: RunLog,
    warnings: Warnings,
    notes: Vec<String>,
    on: On,
}

/// Loads a day of traffic: a MATSim config, a scenario file that names one, a folder with a `config.xml`, or a scenario
/// cache. For a scenario built in code, see [`LoadedDay::from`].
///
/// It prints nothing: [`LoadedDay::warnings`] and [`LoadedDay::notes`] contain the messages about the input for the
/// user.
///
/// ```
/// use throng_traffic::DeviceChoice;
/// use throng_traffic::events::EventLog;
///
/// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../examples/city/config.xml");
/// # /*
/// let file = "examples/city/config.xml";
/// # */
/// let day = throng_traffic::open(file)?;
/// let notes = day.notes().iter().map(|note| format!("note: {note}"));
/// day.warnings().lines().chain(notes).for_each(|line| eprintln!("{line}"));
/// let mut run = day.on(DeviceChoice::Auto).start(EventLog::default())?;
/// while run.step_to(run.next_time() + 600.0)? && run.next_time() < 6.5 * 3600.0 {
///     println!("{} vehicles, {} events", run.vehicles()?.iter().sum::<u32>(), run.sink().events.len());
/// }
/// assert!(run.active_agents() > 0 && !run.sink().events.is_empty());
/// let outcome = run.stop()?;
/// assert!(outcome.stats.arrivals > 0 && outcome.stats.aborted_at_end > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// All errors in the config and the files that it names.
pub fn open(path: impl AsRef<Path>) -> Result<LoadedDay, Failure> {
    let path = path.as_ref();
    let file = if path.is_dir() { path.join("config.xml") } else { path.to_owned() };
    let day = day(&ScenarioRequest { file: Some(file.into()), ..ScenarioRequest::default() })?;
    day.check_inputs()?;
    let (mut warnings, notes) = (day.warnings(), day.notes());
    let loaded = day.load(&mut warnings, &NoProgress)?;
    Ok(LoadedDay { warnings, notes, ..loaded })
}

/// Wraps a scenario that was built in code, for example by a
/// [`ScenarioBuilder`](throng_traffic_scenario::ScenarioBuilder).
impl From<Scenario> for LoadedDay {
    fn from(scenario: Scenario) -> Self {
        let inputs = InputStamps::of(&scenario.settings);
        Self::new(scenario, inputs, false)
    }
}

impl LoadedDay {
    pub(crate) fn new(scenario: Scenario, inputs: InputStamps, link_volumes: bool) -> Self {
        let (warnings, notes, on) = (Warnings::default(), Vec::new(), On::default());
        let (counts, unkept, log) = (Vec::new(), None, RunLog::default());
        Self { scenario: Arc::new(scenario), inputs, link_volumes, counts, unkept, log, warnings, notes, on }
    }

    pub(crate) fn with_counts(self, counts: Vec<CountStation>) -> Self {
        Self { counts, ..self }
    }

    pub(crate) fn with_log(self, log: RunLog) -> Self {
        Self { log, ..self }
    }

    /// Returns the scenario. Events refer to its agents and links by index.
    pub fn scenario(&self) -> &Arc<Scenario> {
        &self.scenario
    }

    /// Returns the warnings of [`open`] about the settings and the files; none for a scenario that was built in code.
    pub fn warnings(&self) -> &Warnings {
        &self.warnings
    }

    /// Returns the notes of [`open`] about the settings, one sentence each, such as parts of the config that have no
    /// effect.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns the run options that the settings determine: the number of threads.
    pub fn options(&self) -> RunOptions<'static> {
        RunOptions { threads: self.scenario.settings.qsim.number_of_threads.max(1), ..RunOptions::default() }
    }

    /// Sets the executor of runs: a [`DeviceChoice`](throng_device::DeviceChoice), or an
    /// [`Executor`](throng_device::Executor) that is shared with other simulations. The default chooses as the command
    /// line does: the fastest GPU for days with many persons, otherwise the CPU. [`Running::executor`] returns the
    /// choice.
    pub fn on(self, on: impl Into<On>) -> Self {
        Self { on: on.into(), ..self }
    }

    /// Simulates the day, and passes its events to `sink`, which may be a mutable reference.
    ///
    /// # Errors
    /// The device is missing or cannot run this scenario; an agent's plan is invalid; the sink or the device fails.
    pub fn run_with(&self, sink: impl EventSink) -> Result<RunOutcome, RunError> {
        self.start(sink)?.finish()
    }

    /// Starts a run of the day, which passes its events to `sink`, and pauses before the first step. A day may be run
    /// several times, even concurrently.
    ///
    /// # Errors
    /// The device is missing or cannot run this scenario; an agent's plan is invalid.
    pub fn start<S: EventSink>(&self, sink: S) -> Result<Running<S>, RunError> {
        self.start_with(self.options(), sink)
    }

    /// Like [`LoadedDay::start`], with options other than [`LoadedDay::options`], such as state hashes or link volumes.
    ///
    /// # Errors
    /// As for [`LoadedDay::start`].
    pub fn start_with<S: EventSink>(&self, options: RunOptions<'static>, sink: S) -> Result<Running<S>, RunError> {
        let is_short = || self.estimate(options.max_steps)?.suits_cpu(options.threads);
        let suits_cpu = || self.suits_cpu().or_else(is_short);
        let needs =
            Needs { suits_cpu: &suits_cpu, unsuitable: &throng_queue::gpu::unsuitable_device, ..Needs::default() };
        let executor = self.on.clone().executor(&needs)?;
        Running::start(Arc::clone(&self.scenario), &executor, options, sink)
    }
}
