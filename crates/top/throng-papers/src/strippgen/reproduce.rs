//! All programs on all samples, in one run.

#[cfg(feature = "gpu")]
mod on_device;

use throng_core::Progress;
use throng_device::Device;

use super::cpu::{Departures, cpu_run};
use super::error::StrippgenError;
use super::full_model::{full_model_rows, sample};
use super::model::Model;
use super::row::{Machine, Repeat, Row, Timed, timed};
use super::state::State;
use super::variant::Variant;
use throng_traffic_scenario::Scenario;

#[cfg(feature = "gpu")]
use on_device::on_device;

/// What to measure.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Samples of the population, percent.
    pub percents: Vec<f64>,
    /// Time of day at which the measured window begins, seconds. What comes before is simulated, but not measured.
    pub from_s: u32,
    /// Length of the window, steps of a second.
    pub steps: u32,
    /// Runs of each program; the result is the median. Programs that take longer than a second on the CPU run once.
    pub repeat: usize,
    /// Whether the device also does the whole day, 00:00 to 24:00, and the full model.
    pub whole_day: bool,
    /// Threads of the full model.
    pub threads: usize,
    /// Chooses the samples.
    pub seed: u64,
}

impl Default for Options {
    /// The paper's samples, a quarter of an hour of the morning peak.
    fn default() -> Self {
        Self {
            percents: vec![1.0, 10.0, 25.0, 50.0, 100.0],
            from_s: 7 * 3600 + 1800,
            steps: 900,
            repeat: 5,
            whole_day: true,
            threads: 1,
            seed: 1,
        }
    }
}

/// What was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurements {
    /// What was asked for.
    pub options: Options,
    /// Id and name of the device, where there is one.
    pub device: Option<String>,
    /// Links and nodes.
    pub network: (usize, usize),
    /// Car legs that were left out, because they have no route or one with a gap.
    pub left_out: u64,
    /// Everything, sample by sample.
    pub rows: Vec<Row>,
}

impl Measurements {
    /// Whether the baselines had no vehicle to move, so that their figures mean nothing.
    pub fn is_empty_road(&self) -> bool {
        self.rows.iter().all(|row| row.in_traffic.is_none_or(|vehicles| vehicles == 0 && row.legs_ended == 0))
    }
}

/// Steps made before the clock runs: kernels are compiled, caches warm.
const WARM_UP: u32 = 8;
const DAY_S: u32 = 86_400;

/// Measures all variants on the CPU and, if there is one, on `device`, and the full model, for each sample of
/// `scenario`. All variants begin in the same state; those that must end in the same state are checked for that.
///
/// # Errors
/// When no agent drives in a sample, the scenario is too large, the device fails, or a program is wrong.
pub fn reproduce(
    scenario: &Scenario,
    device: Option<&Device>,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Measurements, StrippgenError> {
    let mut measurements = Measurements {
        options: options.clone(),
        device: device.map(|device| device.info().label()),
        network: (scenario.network.links(), scenario.network.nodes()),
        left_out: 0,
        rows: Vec::new(),
    };
    for &percent in &options.percents {
        let task = Task::new(scenario, percent, options)?;
        measurements.left_out = measurements.left_out.max(task.model.plans.left_out);
        progress.begin(&format!("{percent} % on the CPU"), Some(Variant::ALL.len() as u64 + 1), "programs");
        measurements.rows.extend(task.on_cpu(progress)?);
        progress.end();
        if let Some(device) = device {
            progress.begin(&format!("{percent} % on the device"), Some(Variant::ALL.len() as u64 + 1), "programs");
            measurements.rows.extend(on_device(&task, device, progress)?);
            progress.end();
        }
        progress.begin(&format!("{percent} % with the full model"), None, "runs");
        let all_day = device.filter(|_| options.whole_day);
        let part = (percent < 100.0).then(|| sample(scenario, percent, options.seed));
        let rows =
            full_model_rows(part.as_ref().unwrap_or(scenario), percent, options.threads, options.repeat, all_day)?;
        measurements.rows.extend(rows);
        progress.end();
    }
    Ok(measurements)
}

/// The programs of a device, which this build does not have.
#[cfg(not(feature = "gpu"))]
fn on_device(_task: &Task<'_>, device: &Device, _progress: &dyn Progress) -> Result<Vec<Row>, StrippgenError> {
    Err(device.no_kernels("throng-papers").into())
}

/// A sample, and the state in which the window begins.
struct Task<'a> {
    options: &'a Options,
    percent: f64,
    model: Model,
    begin: State,
    /// Hash of the state in which all programs with `NODES` must end.
    expected: u64,
}

impl<'a> Task<'a> {
    fn new(scenario: &Scenario, percent: f64, options: &'a Options) -> Result<Self, StrippgenError> {
        let model = Model::new(scenario, percent, options.seed)?;
        // Nothing happens before the first departure; up to the window, the calendar is the fastest way.
        let first = model.plans.first_departure().saturating_sub(1).min(options.from_s);
        let home = State::at_home(&model.roads, &model.plans, first);
        let fast =
            |state: &State, steps| cpu_run(&model, state, Variant::RING_NODES, Departures::Calendar, steps).state;
        let begin = fast(&home, options.from_s - first);
        let expected = fast(&begin, options.steps).hash();
        Ok(Self { options, percent, model, begin, expected })
    }

    fn on_cpu(&self, progress: &dyn Progress) -> Result<Vec<Row>, StrippgenError> {
        let scans = Variant::ALL.map(|variant| (variant, Departures::Scan));
        let mut rows = Vec::new();
        for (variant, departures) in scans.into_iter().chain([(Variant::RING_NODES, Departures::Calendar)]) {
            let calendar = departures == Departures::Calendar;
            let name = if calendar { format!("{variant}, calendar") } else { variant.to_string() };
            progress.at(rows.len() as u64, &name);
            let run = |steps| {
                let run = cpu_run(&self.model, &self.begin, variant, departures, steps);
                Ok::<_, StrippgenError>((run.state, run.wall.as_secs_f64()))
            };
            run(WARM_UP)?;
            let timed = timed(Repeat::WhileShort(self.options.repeat), || run(self.options.steps))?;
            rows.push(self.row(Machine::Cpu, variant, name, &timed)?);
        }
        Ok(rows)
    }

    fn row(
        &self,
        machine: Machine,
        variant: Variant,
        program: String,
        timed: &Timed<State>,
    ) -> Result<Row, StrippgenError> {
        let (state, Model { roads, plans }) = (&timed.result, &self.model);
        let hash = state.hash();
        if variant.nodes && machine != Machine::DeviceAllDay && hash != self.expected {
            return Err(StrippgenError::Differs {
                machine: machine.name().to_owned(),
                variant: variant.to_string(),
                percent: self.percent,
                steps: self.options.steps,
                found: hash,
                expected: self.expected,
            });
        }
        if let Err(what) = state.check(roads, plans) {
            return Err(StrippgenError::Broken {
                machine: machine.name().to_owned(),
                variant: variant.to_string(),
                what,
            });
        }
        let (from, steps) = match machine {
            Machine::DeviceAllDay => (0, DAY_S),
            _ => (self.options.from_s, self.options.steps),
        };
        Ok(Row {
            machine,
            program,
            percent: self.percent,
            agents: plans.agents(),
            from_s: f64::from(from),
            simulated_s: f64::from(steps),
            walls_s: timed.walls_s.clone(),
            launches_per_step: (machine != Machine::Cpu).then(|| variant.launches_per_step()),
            legs_ended: state.legs_ended(plans),
            in_traffic: Some(state.in_traffic()),
            hash: Some(hash),
        })
    }
}

#[cfg(test)]
mod tests {
    use throng_core::NoProgress;

    use super::*;
    use crate::strippgen::testing::small_city;

    #[test]
    fn every_program_and_sample_is_measured() {
        let options =
            Options { percents: vec![10.0, 50.0], from_s: 21_600, steps: 60, repeat: 1, ..Options::default() };
        let found = reproduce(&small_city(), None, &options, &NoProgress).unwrap();
        let of =
            |machine, percent| found.rows.iter().filter(move |row| row.machine == machine && row.percent == percent);
        for percent in [10.0, 50.0] {
            assert_eq!(of(Machine::Cpu, percent).count(), 9);
            assert_eq!(of(Machine::FullModel, percent).count(), 2);
            // All start at 06:00 sharp, so within a minute many are on the road.
            assert!(of(Machine::Cpu, percent).all(|row| row.in_traffic > Some(50) && row.simulated_s == 60.0));
        }
        let agents = |percent| of(Machine::Cpu, percent).next().unwrap().agents;
        assert!(agents(50.0) > 4 * agents(10.0));
    }

    #[test]
    fn a_sample_without_drivers_is_told() {
        let options = Options { percents: vec![1e-9], ..Options::default() };
        let error = reproduce(&small_city(), None, &options, &NoProgress).unwrap_err();
        assert_eq!(error, StrippgenError::NobodyDrives { percent: 1e-9 });
    }
}
