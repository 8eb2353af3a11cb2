//! Runs of a step model that a device simulates together.

use std::marker::PhantomData;
use std::sync::{Arc, Mutex};

use throng_core::NoProgress;
use throng_device::{Device, DeviceChoice, DeviceError, Executor, Needs};

use crate::executor::named_executor;
use crate::step_model::StepScenario;
use crate::step_model::{measured, planned, unsuitable};
use crate::sweep::Batch;
use crate::{Failure, Measured, RunRequest, ScenarioRequest, StepModel};

/// Joint simulation of many runs of a model on a device; see [`Parts::together`](crate::step_model::Parts::together).
pub struct JointSimulation<M: StepModel> {
    /// Maximum number of runs per batch.
    pub max_runs: usize,
    /// Simulates scenarios, each to its last step.
    pub simulate: SimulateTogether<M>,
}

/// Simulates scenarios on a device, each for the given number of steps, and returns the results in the same order. It
/// fails as a whole if there is too little memory or if the device fails.
pub type SimulateTogether<M> = fn(
    &Arc<Device>,
    &[(<M as StepModel>::Scenario, u64)],
) -> Result<Vec<SimulatedTogether<<M as StepModel>::State>>, Failure>;

/// A run that was simulated together with others.
#[derive(Debug, Clone)]
pub struct SimulatedTogether<S> {
    /// Step, from 0, and its measures, for each row of the table.
    pub rows: Vec<(u64, Vec<f64>)>,
    /// State after the last step.
    pub last: S,
}

/// The batches of a step model.
pub(crate) struct StepBatch<M>(pub(crate) PhantomData<fn(M)>);

/// Only one batch at a time uses the device.
static ON_DEVICE: Mutex<()> = Mutex::new(());

impl<M: StepModel> Batch for StepBatch<M> {
    fn max_runs(&self, request: &RunRequest) -> usize {
        let max_runs = M::PARTS.together.map_or(1, |together| together.max_runs);
        match request.device {
            DeviceChoice::Device(_) => max_runs,
            // If no suitable GPU can be opened, the runs are distributed over the cores.
            DeviceChoice::Auto if max_runs > 1 && opened::<M>(request.device).is_ok_and(|on| on.device().is_some()) => {
                max_runs
            }
            DeviceChoice::Cpu | DeviceChoice::Auto => 1,
        }
    }

    fn run(&self, scenarios: &[ScenarioRequest], request: &RunRequest) -> Vec<Result<Measured, Failure>> {
        let mut results: Vec<Option<Result<Measured, Failure>>> = Vec::with_capacity(scenarios.len());
        let (mut places, mut together) = (Vec::new(), Vec::new());
        for (place, scenario) in scenarios.iter().enumerate() {
            match planned::<M>(scenario) {
                Ok(planned) => {
                    let steps = planned.scenario.plan().steps;
                    places.push(place);
                    together.push((planned.scenario, request.steps.map_or(steps, |asked| asked.min(steps))));
                    results.push(None);
                }
                Err(failure) => results.push(Some(Err(failure))),
            }
        }
        match simulate::<M>(&together, request) {
            Ok(simulated) => {
                for ((place, (scenario, _)), run) in places.into_iter().zip(&together).zip(simulated) {
                    results[place] = Some(Ok(measured_of::<M>(scenario, run)));
                }
            }
            Err(failure) => {
                for place in places {
                    results[place] = Some(Err(failure.clone()));
                }
            }
        }
        let missing =
            || Err(Failure::resource("the batch has no result for the run", "this is a bug, please report it"));
        results.into_iter().map(|result| result.unwrap_or_else(missing)).collect()
    }
}

fn simulate<M: StepModel>(
    scenarios: &[(M::Scenario, u64)],
    request: &RunRequest,
) -> Result<Vec<SimulatedTogether<M::State>>, Failure> {
    let Some(together) = M::PARTS.together else {
        return Err(Failure::resource("the model cannot simulate runs together", "this is a bug, please report it"));
    };
    // A panic of another batch has been reported with its runs.
    let _on_device = ON_DEVICE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let named = named_executor(request.device, &NoProgress)?;
    let executor = named.map_or_else(|| opened::<M>(request.device), Ok)?;
    let Some(device) = executor.shared_device() else {
        return Err(Failure::resource("there is no device that can simulate runs together", "use the device cpu"));
    };
    (together.simulate)(device, scenarios)
}

/// Opens an executor that can simulate the model.
fn opened<M: StepModel>(choice: DeviceChoice) -> Result<Executor, DeviceError> {
    Executor::choose(choice, &Needs { unsuitable: &unsuitable::<M>, ..Needs::default() })
}

/// Returns the measurements that a single run would have returned.
fn measured_of<M: StepModel>(scenario: &M::Scenario, run: SimulatedTogether<M::State>) -> Measured {
    use crate::step_model::State as _;
    let every = scenario.plan().every;
    let last = run.rows.len().saturating_sub(1);
    let is_written =
        |&(at, (step, _)): &(usize, (u64, Vec<f64>))| at == last || every > 0 && step.is_multiple_of(every);
    let rows: Vec<_> = run.rows.into_iter().enumerate().filter(is_written).map(|(_, row)| row).collect();
    measured::<M>(run.last.hash(), &rows, (M::PARTS.figures)(scenario, &run.last))
}
