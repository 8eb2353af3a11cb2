//! `throng run` for societies.

mod check;
pub(crate) mod measures;
mod replay;
mod results;
mod scenario;
mod state;
mod verification;

#[cfg(feature = "gpu")]
use std::sync::Arc;

use throng_model::prelude::*;

pub(crate) use check::check as refuse_scenario;
pub use check::{MAX_AGENTS, MAX_MENU_SIZE, MAX_RESOURCES};
pub use measures::MEASURES;
pub(crate) use measures::measure;
pub use scenario::Scenario;

use crate::devices::Devices;
#[cfg(feature = "gpu")]
use crate::gpu::{Task, simulate_many};
#[cfg(feature = "gpu")]
use crate::societies::SocietyCourse;
use crate::society::Society;
use replay::SocietiesReplay;
use results::{AGENTS, INPUT_OUTPUT, LORENZ, PARTNERS, RECIPES, Results, STOCK, TRADES};
use state::OnCpu;

/// Societies that extract, barter, invent and build.
#[derive(Debug, Clone, Copy, Default)]
pub struct SocietiesModel;

impl StepModel for SocietiesModel {
    type Scenario = Scenario;
    type State = Society;

    const NAME: &str = "societies";
    const ABOUT: &str = "Societies that extract, barter, invent and build";
    const STEP: &str = "day";
    const MEASURES: &[Quantity] = MEASURES;
    const DEVICES: DeviceSupport = DeviceSupport::DoublePrecision;
    const CASES: &[Case] = verification::CASES;
    const COSTS: TypicalCosts = TypicalCosts::new(80e-6, Costs::new(0.7, 2e-3, 80e-6));
    const PARTS: Parts<Self> = parts();

    fn subtitle(Scenario { agents, resources, trade, devices, removals, .. }: &Scenario) -> String {
        let trade = if *trade { "barter" } else { "no barter" };
        let devices = match devices {
            Devices::None => "no devices",
            Devices::Tools => "tools",
            Devices::Extracting => "devices for extraction",
            Devices::All => "all devices",
        };
        let removals = match &removals[..] {
            [] => String::new(),
            [one] => format!(", a removal on day {}", one.day),
            several => format!(", {} removals", several.len()),
        };
        format!("{agents} agents and {resources} resources, {trade}, {devices}{removals}")
    }

    fn warnings(scenario: &Scenario) -> Warnings {
        check::warnings(scenario)
    }

    fn check(scenario: &Scenario) -> Result<(), InputError> {
        check::check(scenario)
    }

    fn units_per_step(scenario: &Scenario) -> Option<f64> {
        Some(f64::from(scenario.agents))
    }

    fn start(scenario: &Scenario) -> Result<Society, Failure> {
        Ok(Society::of(&scenario.parameters(), scenario.seed.into()))
    }

    fn executor(on: &Executor, _: &Scenario, society: Society) -> Result<Box<dyn Steps<State = Society>>, Failure> {
        match on.shared_device() {
            None => Ok(Box::new(OnCpu(society))),
            Some(device) => with_kernels!(Self::NAME, device, |device| {
                Ok(Box::new(crate::gpu::SocietyOnDevice::new(device, society)?) as Box<dyn Steps<State = Society>>)
            }),
        }
    }

    fn measure(society: &Society) -> Vec<f64> {
        measure(society)
    }
}

const SMALL: &str = "model = \"societies\"\nagents = 4\nresources = 12\ndays = 100\nframe_every = 0\n";
const LARGE: &str = "model = \"societies\"\nagents = 24\nresources = 12\ndays = 50\nframe_every = 0\n";

const fn parts() -> Parts<SocietiesModel> {
    let parts =
        Parts::NONE.group("economy").observed().replay(&SocietiesReplay).calibration(Calibration::files(SMALL, LARGE));
    #[cfg(feature = "gpu")]
    let parts = parts.together(JointSimulation { max_runs: crate::gpu::MAX_RUNS, simulate: simulate_together });
    parts
}

impl Observed for SocietiesModel {
    const FILES: &[&str] = &[AGENTS, STOCK, LORENZ, RECIPES, INPUT_OUTPUT, PARTNERS, TRADES];

    fn observer<'r>(scenario: &Scenario, folder: &'r RunFolder) -> Result<Box<dyn Observer<Society> + 'r>, Failure> {
        Ok(Box::new(Results::new(scenario, folder)?))
    }
}

#[cfg(feature = "gpu")]
fn simulate_together(
    device: &Arc<Device>,
    scenarios: &[(Scenario, u64)],
) -> Result<Vec<SimulatedTogether<Society>>, Failure> {
    let task = |(scenario, days): &(Scenario, u64)| Task {
        parameters: scenario.parameters(),
        seed: scenario.seed.into(),
        days: u32::try_from(*days).unwrap_or(u32::MAX),
    };
    let tasks: Vec<Task> = scenarios.iter().map(task).collect();
    let simulated = |SocietyCourse { rows, last }| SimulatedTogether { rows: (0..).zip(rows).collect(), last };
    Ok(simulate_many(device, &tasks)?.into_iter().map(simulated).collect())
}
