//! Expected times of a simulation on the CPU and on a GPU, from which Throng chooses if the user names no device.
//!
//! Times are linear in the steps and in the model's units of work, such as discs times steps. Their costs are measured
//! on the machine (`throng doctor --measure`) or, before that, typical.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use throng_core::InputError;
use throng_device::{DeviceInfo, inventory};

/// The work of a simulation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Work {
    /// Number of steps.
    pub steps: f64,
    /// Units of the model, such as agents times steps.
    pub units: f64,
}

/// Costs of a model on an executor, seconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Costs {
    /// Before the first step: for opening the device, copying the state, and compiling kernels that are not kept.
    pub start_s: f64,
    /// For each step: launches, or the synchronisation of threads.
    pub step_s: f64,
    /// For each unit of work.
    pub unit_s: f64,
}

/// Costs of a model on typical hardware: one CPU thread, and a discrete GPU.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TypicalCosts {
    /// Costs on one thread of the CPU.
    pub thread: Costs,
    /// Costs on a GPU.
    pub gpu: Costs,
}

/// The work of a simulation, and its costs on typical hardware.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Name of the model.
    pub model: &'static str,
    /// The part of a run that is estimated, for messages: usually `steps`, without output.
    pub part: &'static str,
    /// Work of the simulation.
    pub work: Work,
    /// Costs on typical hardware.
    pub typical: TypicalCosts,
}

/// Two scenarios of a model, a small and a large one, from which `throng doctor --measure` measures its costs.
#[derive(Debug, Clone, Copy)]
pub struct Calibration {
    /// The scenarios. The large one does more work in each step.
    pub scenarios: [CalibrationScenario; 2],
    /// Changes to both, as for `--set`: no results are needed.
    pub changes: &'static [&'static str],
}

/// A scenario of a [`Calibration`].
#[derive(Debug, Clone, Copy)]
pub enum CalibrationScenario {
    /// Content of a scenario file.
    File(&'static str),
    /// Arguments of `throng generate`, which creates a folder with the scenario.
    Generated(&'static [&'static str]),
}

impl Calibration {
    /// A calibration with two scenario files.
    pub const fn files(small: &'static str, large: &'static str) -> Self {
        Self { scenarios: [CalibrationScenario::File(small), CalibrationScenario::File(large)], changes: &[] }
    }
}

/// Costs of a model that were measured on this machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MeasuredCosts {
    /// Number of threads in `all_threads`.
    pub threads: usize,
    /// Costs on one thread.
    pub one_thread: Costs,
    /// Costs on all threads.
    pub all_threads: Costs,
    /// Costs on devices, by id and name.
    pub devices: BTreeMap<String, Costs>,
}

/// The measured costs of models.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MachineCosts {
    /// Version of the program that measured them; the units of work of another version may differ.
    pub program: String,
    /// The costs of each model, by its name.
    pub models: BTreeMap<String, MeasuredCosts>,
}

/// Fraction of an additional thread's time that typically shortens a simulation.
const TYPICAL_EFFICIENCY: f64 = 0.7;

impl TypicalCosts {
    /// Costs of a model in which each unit is an agent that meets its neighbours.
    pub const AGENTS: Self = Self::new(250e-9, Costs::new(0.65, 100e-6, 3e-9));

    /// Costs per unit on one thread, and costs on a GPU.
    pub const fn new(thread_unit_s: f64, gpu: Costs) -> Self {
        Self { thread: Costs::new(0.0, 0.0, thread_unit_s), gpu }
    }
}

impl Costs {
    /// Costs of the start, of each step, and of each unit of work, seconds.
    pub const fn new(start_s: f64, step_s: f64, unit_s: f64) -> Self {
        Self { start_s, step_s, unit_s }
    }

    /// Returns the costs that explain the times of two simulations, of which the second does more work in each step:
    /// the work, the time of the first step with the start, and the time of all steps.
    pub fn of_runs([small, large]: [(Work, [f64; 2]); 2]) -> Self {
        let per_step = |(work, [first_s, all_s]): (Work, [f64; 2])| {
            (work.units / work.steps, (all_s - first_s).max(0.0) / (work.steps - 1.0))
        };
        let ((units_1, s_1), (units_2, s_2)) = (per_step(small), per_step(large));
        let unit_s = ((s_2 - s_1) / (units_2 - units_1)).max(0.0);
        let unit_s = if unit_s.is_finite() { unit_s } else { 0.0 };
        let start_s = (small.1[0] - s_1).max(0.0);
        Self { start_s, step_s: (s_1 - unit_s * units_1).max(0.0), unit_s }
    }

    /// Returns the times of start, steps and units.
    fn parts_s(&self, work: Work) -> [f64; 3] {
        [self.start_s, self.step_s * work.steps, self.unit_s * work.units]
    }

    /// Returns the expected time of a simulation.
    pub fn time_s(&self, work: Work) -> f64 {
        self.parts_s(work).iter().sum()
    }
}

impl MachineCosts {
    /// Reads the costs that [`MachineCosts::to_toml`] wrote.
    ///
    /// # Errors
    /// If the text is not a table of costs, or a cost is negative or not finite.
    pub fn from_toml(path: &Path, text: &str) -> Result<Self, InputError> {
        let wrong = |message: &dyn std::fmt::Display| {
            let remedy = "delete it, or measure again: `throng doctor --measure`";
            InputError::one(path.display().to_string(), message, remedy)
        };
        let costs: Self = toml::from_str(text).map_err(|error| wrong(&error.message()))?;
        for (model, measured) in &costs.models {
            let all = [&measured.one_thread, &measured.all_threads].into_iter().chain(measured.devices.values());
            for cost in all.flat_map(|costs| [costs.start_s, costs.step_s, costs.unit_s]) {
                if !(cost.is_finite() && cost >= 0.0) {
                    return Err(wrong(&format!("{model}: a cost is {cost}")));
                }
            }
        }
        Ok(costs)
    }

    /// Returns the costs as TOML.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).unwrap_or_default()
    }
}

impl MeasuredCosts {
    /// Returns the expected time on some of the threads: the speed grows linearly with their number.
    fn cpu_s(&self, work: Work, threads: usize) -> f64 {
        let (one, all) = (self.one_thread.time_s(work), self.all_threads.time_s(work));
        if self.threads <= 1 || all <= 0.0 {
            return one;
        }
        let added = (threads.min(self.threads) - 1) as f64 / (self.threads - 1) as f64;
        one / (1.0 + (one / all - 1.0) * added)
    }
}

impl Estimate {
    /// Returns the reason why the CPU should be chosen with typical costs; `None` to prefer a GPU.
    pub fn suits_cpu(&self, threads: usize) -> Option<String> {
        let fastest = || inventory().gpus().next().map(DeviceInfo::label);
        let expected = ExpectedTimes::new(self, &MachineCosts::default(), threads, fastest);
        expected.is_faster_on_cpu().then(|| expected.reason())
    }
}

/// The expected times of a simulation.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpectedTimes {
    part: &'static str,
    cpu_s: f64,
    /// Name of the GPU, and the times of its start, steps and units.
    gpu: (String, [f64; 3]),
    /// Whether the costs on the CPU and on the GPU were measured.
    is_measured: [bool; 2],
}

impl ExpectedTimes {
    /// Estimates the times of a simulation on `threads` threads and on a device. `device` returns its id and name; it
    /// is only called if the device could be faster.
    pub fn new(
        estimate: &Estimate,
        machine: &MachineCosts,
        threads: usize,
        device: impl FnOnce() -> Option<String>,
    ) -> Self {
        let Estimate { model, part, work, typical } = *estimate;
        let measured = machine.models.get(model);
        let threads = threads.max(1);
        let cpu_s = match measured {
            Some(costs) => costs.cpu_s(work, threads),
            None => typical.thread.time_s(work) / (1.0 + TYPICAL_EFFICIENCY * (threads - 1) as f64),
        };
        let devices = measured.iter().flat_map(|costs| &costs.devices);
        let first = devices.min_by(|(_, a), (_, b)| a.start_s.total_cmp(&b.start_s));
        let least_s = first.map_or(typical.gpu.start_s, |(_, costs)| costs.start_s);
        let device = if cpu_s < least_s { first.map(|(name, _)| name.clone()) } else { device() };
        let on_device = device.as_ref().and_then(|device| measured?.devices.get(device));
        let name = device.as_deref().map_or("a GPU", |device| device.split(' ').next().unwrap_or(device));
        Self {
            part,
            cpu_s,
            gpu: (name.to_owned(), on_device.unwrap_or(&typical.gpu).parts_s(work)),
            is_measured: [measured.is_some(), on_device.is_some()],
        }
    }

    fn gpu_s(&self) -> f64 {
        self.gpu.1.iter().sum()
    }

    /// Whether the CPU is expected to be faster.
    pub fn is_faster_on_cpu(&self) -> bool {
        self.cpu_s <= self.gpu_s()
    }

    /// Returns the reason for the faster executor: its time, and that of the other.
    pub fn reason(&self) -> String {
        let [about_cpu, about_gpu] = self.is_measured.map(|is_measured| if is_measured { "" } else { "about " });
        let cpu = format!("{about_cpu}{} s", seconds(self.cpu_s));
        let (part, (name, [start, steps, _])) = (self.part, &self.gpu);
        let mostly = match self.gpu_s() / 2.0 {
            half if *start > half => ", mostly starting",
            half if *steps > half => ", mostly launches",
            _ => "",
        };
        let gpu = format!("{about_gpu}{} s", seconds(self.gpu_s()));
        if self.is_faster_on_cpu() {
            format!("{part} take {cpu}; on {name} {gpu}{mostly}")
        } else {
            format!("{part} take {gpu}{mostly}; on the cpu {cpu}")
        }
    }
}

/// Returns seconds with two significant digits, at least hundredths.
fn seconds(seconds: f64) -> String {
    match seconds {
        ..1.0 => format!("{seconds:.2}"),
        1.0..10.0 => format!("{seconds:.1}"),
        _ => format!("{seconds:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPICAL: TypicalCosts = TypicalCosts::new(100e-9, Costs::new(0.5, 1e-4, 1e-9));

    fn work(steps: u32, agents: f64) -> Work {
        Work { steps: steps.into(), units: agents * f64::from(steps) }
    }

    fn estimate(steps: u32, agents: f64) -> Estimate {
        Estimate { model: "walk", part: "steps", work: work(steps, agents), typical: TYPICAL }
    }

    fn expected(machine: &MachineCosts, steps: u32, agents: f64, threads: usize) -> ExpectedTimes {
        let device = || Some("cuda:0 (card)".to_owned());
        ExpectedTimes::new(&estimate(steps, agents), machine, threads, device)
    }

    #[test]
    fn typical_costs_choose_by_size() {
        let none = MachineCosts::default();
        let small = expected(&none, 100, 1000.0, 1);
        assert!(small.is_faster_on_cpu());
        assert_eq!(small.reason(), "steps take about 0.01 s; on a GPU about 0.51 s, mostly starting");
        let large = expected(&none, 100, 1e6, 1);
        assert!(!large.is_faster_on_cpu());
        assert_eq!(large.reason(), "steps take about 0.61 s, mostly starting; on the cpu about 10 s");
        // 16 threads are 11.5 times as fast as one.
        assert_eq!(
            expected(&none, 100, 1e6, 16).reason(),
            "steps take about 0.61 s, mostly starting; on the cpu about 0.87 s"
        );
        let many_steps = expected(&none, 100_000, 100.0, 1);
        assert_eq!(many_steps.reason(), "steps take about 1.0 s; on cuda:0 about 11 s, mostly launches");
    }

    #[test]
    fn measured_costs_replace_typical_ones() {
        let costs = MeasuredCosts {
            threads: 4,
            one_thread: Costs::new(0.0, 0.0, 200e-9),
            all_threads: Costs::new(0.0, 0.0, 50e-9),
            devices: BTreeMap::from([("cuda:0 (card)".to_owned(), Costs::new(3.0, 0.0, 2e-9))]),
        };
        let models = BTreeMap::from([("walk".to_owned(), costs)]);
        let machine = MachineCosts { program: "1.0".to_owned(), models };
        assert_eq!(expected(&machine, 100, 1e6, 1).reason(), "steps take 3.2 s, mostly starting; on the cpu 20 s");
        // Two threads: a third of the way from one time to four times the speed, 2.
        assert_eq!(expected(&machine, 100, 1e5, 2).reason(), "steps take 1.0 s; on cuda:0 3.0 s, mostly starting");
        assert_eq!(expected(&machine, 100, 1e5, 99).reason(), "steps take 0.50 s; on cuda:0 3.0 s, mostly starting");
        // Another card was not measured.
        let other = || Some("cuda:1 (other)".to_owned());
        let times = ExpectedTimes::new(&estimate(100, 1e6), &machine, 4, other);
        assert_eq!(times.reason(), "steps take about 0.61 s, mostly starting; on the cpu 5.0 s");
        let text = machine.to_toml();
        assert_eq!(MachineCosts::from_toml(Path::new("costs.toml"), &text), Ok(machine));
        for text in ["walk = 3".to_owned(), text.replace("start_s = 3.0", "start_s = nan"), text.replace("3.0", "-3.0")]
        {
            let error = MachineCosts::from_toml(Path::new("costs.toml"), &text).unwrap_err().to_string();
            assert!(error.starts_with("costs.toml: ") && error.contains("throng doctor --measure"), "{error}");
        }
    }

    #[test]
    fn costs_explain_two_runs() {
        let truth = Costs::new(0.3, 2e-4, 5e-9);
        let run = |steps: u32, agents: f64| {
            let work = work(steps, agents);
            let first = Work { steps: 1.0, units: agents };
            (work, [truth.time_s(first), truth.time_s(work)])
        };
        let found = Costs::of_runs([run(500, 100.0), run(20, 1e5)]);
        let differences = [found.start_s - 0.3, (found.step_s - 2e-4) * 1e3, (found.unit_s - 5e-9) * 1e9];
        assert!(differences.iter().all(|difference| difference.abs() < 1e-8), "{found:?}");
        // A larger run that happens to take less time yields no negative costs.
        let odd = Costs::of_runs([(work(11, 100.0), [0.0, 2.0]), (work(11, 200.0), [0.0, 1.0])]);
        assert_eq!((odd.step_s, odd.unit_s), (0.2, 0.0));
    }
}
