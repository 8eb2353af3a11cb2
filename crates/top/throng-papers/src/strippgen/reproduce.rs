//! Measures all programs on all samples in one run.

use throng_core::{InputError, Progress, clock};
use throng_device::{Device, with_kernels};
use throng_model::Failure;
use throng_model::flags::Flags;
use throng_traffic_scenario::Scenario;

use super::cpu::{Departures, cpu_run};
use super::full_model::{full_model, sample};
#[cfg(feature = "gpu")]
use super::gpu::DeviceRuns;
use super::model::Model;
use super::program::{Measured, Measurement, Program, SampleResults};
use super::state::State;
use super::technique::Technique;
use super::variant::Variant;
use crate::experiment::flags::{number, numbers, runs, threads};
use crate::experiment::{Row, defect, label, never_enough, options, repeated, runs_are_long};

options! {
    /// Options of the experiment; the default is the paper's samples for a quarter of an hour of the morning peak.
    Options, FLAGS {
        from_s: u32 = 7 * 3600 + 1800,
            new "from" "HH:MM:SS"
            "Time of day at which measuring begins; the time before is simulated but not measured [default: 07:30:00]"
            from_s;
        steps: u32 = 900; quick 60,
            new "steps" "N" "Steps of one second to measure [default: 900]" number(1..=1_000_000);
        percents: Vec<f64> = vec![1.0, 10.0, 25.0, 50.0, 100.0]; quick vec![10.0, 100.0],
            list "samples" "PERCENT,..." "Samples of the population, percent [default: 1,10,25,50,100]" samples;
        repeat: usize = 5; quick 3,
            new "repeat" "N"
            "Runs of each program; prints the median. Programs that take longer than 1 s on the CPU run at most three times [default: 5]"
            runs;
        threads: usize = 1,
            new "threads" "N" "Threads of the full model, which is also measured [default: all]" threads;
    }
    also {}
    fixed {
        /// Whether to measure RINGNODES over the whole day, 00:00 to 24:00, and the full model on the device, too.
        whole_day: bool = true, quick false;
        /// Seed of the samples.
        seed: u64 = 1;
    }
}

/// Latest time of day: two days. No agent is on the road after that.
const MAX_TIME_S: f64 = 172_800.0;

/// Parses the requested samples, percent.
fn samples(flags: &Flags, name: &str, default: Vec<f64>) -> Result<Vec<f64>, InputError> {
    let percents = numbers(..)(flags, name, default)?;
    if let Some(percent) = percents.iter().find(|percent| !(0.0..=100.0).contains(*percent) || **percent == 0.0) {
        let message = format!("{percent} % is not a valid sample of the population");
        return Err(InputError::one("--samples", message, "give percentages above 0 and up to 100"));
    }
    Ok(percents)
}

/// Parses a time of day, seconds.
fn from_s(flags: &Flags, name: &str, default: u32) -> Result<u32, InputError> {
    let Some(text) = flags.get(name) else { return Ok(default) };
    let from = clock::parse(text).ok().flatten().filter(|from| (0.0..=MAX_TIME_S).contains(from));
    from.map(|from| from as u32).ok_or_else(|| {
        let message = format!("measuring cannot begin at \"{text}\"");
        InputError::one("--from", message, "give HH:MM:SS, from 00:00:00 to 48:00:00")
    })
}

/// All measurements of the experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct StrippgenMeasurements {
    /// The requested options.
    pub options: Options,
    /// Id and name of the device; `None` without one.
    pub device: Option<String>,
    /// Numbers of links and nodes.
    pub network: (usize, usize),
    /// Number of car legs that were left out because they have no route, or a route with a gap.
    pub left_out: u64,
    /// Measurements, by sample.
    pub rows: Measurement,
}

impl StrippgenMeasurements {
    /// Whether the baselines had no vehicle to move, so that their figures are meaningless.
    pub fn is_empty_road(&self) -> bool {
        let mut found = self.rows.iter().map(|row| &row.figures);
        found.all(|found| found.in_traffic.is_none_or(|vehicles| vehicles == 0 && found.legs_ended == 0))
    }
}

/// Untimed steps before a measurement, which compile the kernels and warm the caches.
const WARM_UP: u32 = 8;
const DAY_S: u32 = 86_400;

/// Measures all variants on the CPU and, if there is one, on `device`, and the full model, for each sample of
/// `scenario`. All variants start from the same state; those that must end in the same state are checked.
///
/// # Errors
/// If no agent drives in a sample, the scenario is too large, the device fails, or a program ends in a wrong state.
pub fn reproduce(
    scenario: &Scenario,
    device: Option<&Device>,
    options: &Options,
    progress: &dyn Progress,
) -> Result<StrippgenMeasurements, Failure> {
    let network = (scenario.network.links(), scenario.network.nodes());
    let (mut rows, mut left_out) = (Measurement::default(), 0);
    for &percent in &options.percents {
        let task = Task::new(scenario, percent, options)?;
        left_out = left_out.max(task.model.plans.left_out);
        progress.begin(&format!("{percent} % on the CPU"), Some(Variant::ALL.len() as u64 + 1), "programs");
        task.on_cpu(&mut rows, progress)?;
        progress.end();
        if let Some(device) = device {
            progress.begin(
                &format!("{percent} % on the device"),
                Some((Variant::ALL.len() + Technique::ALL.len()) as u64 + 1),
                "programs",
            );
            let done: Result<(), Failure> =
                with_kernels!("throng-papers", device, |device| task.on_device(device, &mut rows, progress));
            done?;
            progress.end();
        }
        progress.begin(&format!("{percent} % with the full model"), None, "runs");
        let all_day = device.filter(|_| options.whole_day);
        let part = (percent < 100.0).then(|| sample(scenario, percent, options.seed));
        let Options { threads, repeat, .. } = *options;
        full_model(part.as_ref().unwrap_or(scenario), percent, threads, repeat, all_day, &mut rows)?;
        progress.end();
    }
    Ok(StrippgenMeasurements { options: options.clone(), device: label(device), network, left_out, rows })
}

/// A sample, and the state at the start of the measured window.
struct Task<'a> {
    options: &'a Options,
    percent: f64,
    model: Model,
    begin: State,
    /// Hash of the final state that all programs with `NODES` must reach.
    expected: u64,
}

impl<'a> Task<'a> {
    fn new(scenario: &Scenario, percent: f64, options: &'a Options) -> Result<Self, Failure> {
        let model = Model::new(scenario, percent, options.seed)?;
        // Skip to the first departure, then use the fastest program, the calendar, up to the start of the window.
        let first = model.plans.first_departure().saturating_sub(1).min(options.from_s);
        let home = State::at_home(&model.roads, &model.plans, first);
        let fast =
            |state: &State, steps| cpu_run(&model, state, Variant::RING_NODES, Departures::Calendar, steps).state;
        let begin = fast(&home, options.from_s - first);
        let expected = fast(&begin, options.steps).hash();
        Ok(Self { options, percent, model, begin, expected })
    }

    fn on_cpu(&self, rows: &mut Measurement, progress: &dyn Progress) -> Result<(), Failure> {
        for (i, program) in Variant::ALL.map(Program::Cpu).into_iter().chain([Program::Calendar]).enumerate() {
            progress.at(i as u64, &program.name());
            let variant = program.variant().unwrap_or(Variant::RING_NODES);
            let departures = if program == Program::Calendar { Departures::Calendar } else { Departures::Scan };
            rows.0.push(self.measured(program, runs_are_long, |steps| {
                let run = cpu_run(&self.model, &self.begin, variant, departures, steps);
                Ok((run.state, run.wall.as_secs_f64()))
            })?);
        }
        Ok(())
    }

    #[cfg(feature = "gpu")]
    fn on_device(&self, device: &Device, rows: &mut Measurement, progress: &dyn Progress) -> Result<(), Failure> {
        let midnight = State::at_home(&self.model.roads, &self.model.plans, 0);
        let runs = DeviceRuns::new(device, &self.model)?;
        let all_day = self.options.whole_day.then_some(Program::DeviceAllDay);
        let improved = Technique::ALL.map(Program::Improved);
        let programs = Variant::ALL.map(Program::Device).into_iter().chain(improved).chain(all_day);
        for (i, program) in programs.enumerate() {
            let is_all_day = program == Program::DeviceAllDay;
            progress.at(i as u64, &if is_all_day { "the whole day".to_owned() } else { program.name() });
            let variant = program.variant().unwrap_or(Variant::RING_NODES);
            rows.0.push(self.measured(program, never_enough, |steps| {
                let run = match program {
                    Program::Improved(technique) => runs.run_improved(&self.begin, technique, steps)?,
                    _ => runs.run(if is_all_day { &midnight } else { &self.begin }, variant, steps)?,
                };
                Ok((run.state, run.wall_s))
            })?);
        }
        Ok(())
    }

    /// Times a program after a few untimed steps, and checks its final state. `run` makes a given number of steps.
    fn measured(
        &self,
        program: Program,
        is_enough: fn(&[f64]) -> bool,
        run: impl Fn(u32) -> Result<(State, f64), Failure>,
    ) -> Result<Measured, Failure> {
        let (from_s, steps) = match program {
            Program::DeviceAllDay => (0, DAY_S),
            _ => (self.options.from_s, self.options.steps),
        };
        // The earlier programs have compiled the kernels for the whole day.
        if program != Program::DeviceAllDay {
            run(WARM_UP)?;
        }
        let mut last = None;
        let times = repeated(self.options.repeat, is_enough, || {
            let (state, seconds) = run(steps)?;
            last = Some(state);
            Ok::<_, Failure>(seconds)
        })?;
        let (state, plans) = (last.expect("a program runs at least once"), &self.model.plans);
        let hash = self.checked(program, &state)?;
        let figures = SampleResults {
            agents: plans.agents(),
            from_s: f64::from(from_s),
            simulated_s: f64::from(steps),
            legs_ended: state.legs_ended(plans),
            in_traffic: Some(state.in_traffic()),
            hash: Some(hash),
        };
        Ok(Row { case: self.percent, program, times, figures })
    }

    /// Checks the final state of a program, and returns its hash.
    fn checked(&self, program: Program, state: &State) -> Result<u64, Failure> {
        let (hash, what) = (state.hash(), format!("{}, {}", program.machine(), program.name()));
        let is_exact = program.variant().is_some_and(|variant| variant.nodes) && program != Program::DeviceAllDay;
        if is_exact && hash != self.expected {
            let (percent, steps, expected) = (self.percent, self.options.steps, self.expected);
            return Err(defect(format!(
                "{what} at {percent} %: state {hash:016x} after {steps} steps, the reference has {expected:016x}"
            )));
        }
        state.check(&self.model.roads, &self.model.plans).map_err(|wrong| defect(format!("{what}: {wrong}")))?;
        Ok(hash)
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
        let of = |machine, percent| {
            found.rows.iter().filter(move |row| row.program.machine() == machine && row.case == percent)
        };
        for percent in [10.0, 50.0] {
            assert_eq!(of("cpu", percent).count(), 9);
            assert_eq!(of("full model, whole day", percent).count(), 2);
            // All start at exactly 06:00, so many are on the road within a minute.
            let mut found = of("cpu", percent).map(|row| &row.figures);
            assert!(found.all(|found| found.in_traffic > Some(50) && found.simulated_s == 60.0));
        }
        let agents = |percent| of("cpu", percent).next().unwrap().figures.agents;
        assert!(agents(50.0) > 4 * agents(10.0));
    }

    #[test]
    fn a_sample_without_drivers_is_refused() {
        let options = Options { percents: vec![1e-9], ..Options::default() };
        let error = reproduce(&small_city(), None, &options, &NoProgress).unwrap_err().to_string();
        assert!(error.contains("no agent of the 0.000000001 % sample has a car leg"), "{error}");
    }
}
