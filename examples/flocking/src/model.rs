//! Flocking as a model: what the command line, the run folder and the report need to know of it.

use throng::core::{Progress, Verified, Warnings};
use throng::device::{AnyDevice, with_device};
use throng::model::{
    AnyScenario, Check, CommonKeys, Failure, Loaded, Model, Output, Report, Run, ScenarioRequest, Simulated, read_as,
    schema_text, written,
};
use throng::output::{IfNotEmpty, PendingFile};

use crate::recorder::{ANIMATION, MEASURES, Recorder};
use crate::scenario::{Scenario, State};
use crate::{cpu, gpu, verification};

/// Birds that flock.
pub struct Flocking;

const NAME: &str = "flocking";

impl Check for Flocking {
    fn name(&self) -> &'static str {
        NAME
    }

    fn verify(&self, device: Option<&AnyDevice>, tell: &mut dyn FnMut(Verified)) {
        for case in verification::CASES {
            tell(case.verified((case.check)(device)));
        }
    }
}

impl Model for Flocking {
    fn about(&self) -> &'static str {
        "Birds that flock, after Reynolds and NetLogo"
    }

    fn template(&self) -> String {
        include_str!("../scenario.toml").to_owned()
    }

    fn schema(&self) -> String {
        schema_text::<Scenario>("Keys of a scenario file of flocking, and behind --set.")
    }

    fn scenario(&self, request: &ScenarioRequest) -> Result<Box<dyn AnyScenario>, Failure> {
        let file = request.checked_file(NAME, self.flags())?;
        let changes = request.changes_as(CommonKeys { folder: "folder", overwrite: "overwrite", seed: "seed" });
        let scenario: Scenario = read_as(NAME, file, &changes)?;
        scenario.prepare().map_err(|error| error.in_file(file.path()))?;
        Ok(Box::new(Planned { scenario, threads: request.threads.unwrap_or(1) }))
    }
}

/// A scenario, and the threads that the CPU uses.
struct Planned {
    scenario: Scenario,
    threads: usize,
}

impl throng::model::Scenario for Planned {
    type Loaded = Scenario;

    fn model(&self) -> &'static str {
        NAME
    }

    fn seed(&self) -> i64 {
        self.scenario.seed.into()
    }

    fn effective(&self) -> Result<String, Failure> {
        written(NAME, &self.scenario)
    }

    fn output(&self) -> Output {
        let (folder, if_not_empty) = (self.scenario.folder.clone(), IfNotEmpty::of_flag(self.scenario.overwrite));
        Output { folder, if_not_empty, names: vec![MEASURES, ANIMATION], ..Output::default() }
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn load(self, _: &mut Warnings, _: &dyn Progress) -> Result<Scenario, Failure> {
        Ok(self.scenario)
    }
}

impl Loaded for Scenario {
    type Results = State;

    fn suits_cpu(&self, _: Option<u64>) -> Option<String> {
        (self.population < 20_000).then(|| format!("{} birds are simulated before a GPU has started", self.population))
    }

    fn simulate(mut self, run: &mut Run<'_>) -> Result<Simulated<State>, Failure> {
        self.ticks = self.ticks.min(run.request.steps.map_or(u32::MAX, |steps| steps.min(u32::MAX.into()) as u32));
        let mut animation = (self.frame_every > 0).then(|| run.folder.file(ANIMATION)).transpose()?;
        let device = run.device;
        let mut recorder = Recorder::new(&self, run, animation.as_mut())?;
        simulate(device, &self, &self.start(), &mut recorder)?;
        let (table, end) = recorder.finish()?;
        let mut files = vec![table];
        files.extend(animation.map(PendingFile::complete).transpose()?);
        let simulation_s = run.timings.end("simulating, measuring and drawing");
        let order = format!("{:.3}", end.order());
        Ok(Simulated {
            lines: vec![("order", format!("{order} after {} ticks in {simulation_s:.2} s", self.ticks))],
            numbers: serde_json::json!({ "order": end.order(), "hash": format!("{:016x}", end.hash()) }),
            settings: throng::model::settings_of(&self),
            files,
            simulation_s,
            report: Some(Report {
                title: "Flocking".to_owned(),
                subtitle: format!("{} birds on {} x {} patches", self.population, self.size, self.size),
                body: Box::new(move |page, record| {
                    page.figures(&[("Order at the end", order, "1: all birds head the same way".to_owned())]);
                    if record.files.iter().any(|file| file.name == ANIMATION) {
                        page.picture(ANIMATION, "Birds over time", "Every bird is a point; the world wraps.");
                    }
                }),
                rows: Vec::new(),
            }),
            ..Simulated::new(end)
        })
    }
}

/// Runs a scenario from a state on, on a device or on the CPU.
pub fn simulate(
    device: Option<&AnyDevice>,
    scenario: &Scenario,
    state: &State,
    recorder: &mut dyn Observer,
) -> Result<(), Failure> {
    match device {
        None => cpu::run(scenario, state, recorder),
        Some(device) => with_device!(device, |device| gpu::run(device, scenario, state, recorder)),
    }
}

/// Receives the states that it asks for.
pub trait Observer {
    /// Whether the state after a tick is wanted; reading it from a device takes time.
    fn wants(&self, tick: u32) -> bool;
    fn see(&mut self, tick: u32, state: &State) -> Result<(), Failure>;
}
