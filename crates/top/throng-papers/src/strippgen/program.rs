//! The compared programs, and their results.

use throng_device::DeviceId;

use super::technique::Technique;
use super::variant::Variant;
use crate::experiment::{Row, Rows};

/// A program of the paper or Throng's own model, and the machine on which it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    /// A variant of the paper on one CPU thread.
    Cpu(Variant),
    /// RINGNODES with a list of departures per second, on one CPU thread.
    Calendar,
    /// A variant of the paper on the device.
    Device(Variant),
    /// RINGNODES on the device, with a technique that the paper proposes.
    Improved(Technique),
    /// RINGNODES on the device, for the whole day.
    DeviceAllDay,
    /// Throng's full model on CPU threads, for the whole day.
    FullModel {
        /// Number of threads.
        threads: usize,
        /// Whether events are generated.
        events: bool,
    },
    /// Throng's full model on a device, for the whole day.
    FullModelOnDevice {
        /// Id of the device.
        device: DeviceId,
        /// Whether events are generated.
        events: bool,
    },
}

impl Program {
    /// The name, without the machine.
    pub fn name(self) -> String {
        let with_events = |name: String, events| if events { format!("{name}, with events") } else { name };
        match self {
            Self::Cpu(variant) | Self::Device(variant) => variant.to_string(),
            Self::Calendar => format!("{}, calendar", Variant::RING_NODES),
            Self::Improved(technique) => format!("{}, {}", Variant::RING_NODES, technique.name()),
            Self::DeviceAllDay => Variant::RING_NODES.to_string(),
            Self::FullModel { threads, events } => {
                with_events(format!("CPU, {threads} thread{}", if threads == 1 { "" } else { "s" }), events)
            }
            Self::FullModelOnDevice { device, events } => with_events(device.to_string(), events),
        }
    }

    /// Index of its section in tables.
    pub(super) fn section(self) -> usize {
        match self {
            Self::Cpu(_) | Self::Calendar => 0,
            Self::Device(_) | Self::Improved(_) => 1,
            Self::DeviceAllDay => 2,
            Self::FullModel { .. } => 3,
            Self::FullModelOnDevice { .. } => 4,
        }
    }

    /// A short name of the machine, for tables.
    pub fn machine(self) -> &'static str {
        const FULL_MODEL: &str = "full model, whole day";
        ["cpu", "device", "device, whole day", FULL_MODEL, FULL_MODEL][self.section()]
    }

    /// Its variant; `None` for the full model.
    pub fn variant(self) -> Option<Variant> {
        match self {
            Self::Cpu(variant) | Self::Device(variant) => Some(variant),
            Self::Calendar | Self::Improved(_) | Self::DeviceAllDay => Some(Variant::RING_NODES),
            Self::FullModel { .. } | Self::FullModelOnDevice { .. } => None,
        }
    }

    /// Number of kernels per step of a variant on the device; `None` for other programs.
    pub fn launches_per_step(self) -> Option<u32> {
        match self {
            Self::Cpu(_) | Self::Calendar => None,
            // A kernel flags the nodes, and three compact the flags.
            Self::Improved(Technique::ActiveNodes) => Some(Variant::RING_NODES.launches_per_step() + 4),
            program => program.variant().map(Variant::launches_per_step),
        }
    }
}

/// The results of a program in a sample, in addition to its run times.
#[derive(Debug, Clone, PartialEq)]
pub struct SampleResults {
    /// Number of drivers in the sample.
    pub agents: usize,
    /// Time of day at the first step, seconds.
    pub from_s: f64,
    /// Number of simulated seconds.
    pub simulated_s: f64,
    /// Number of legs that ended between the start of the day and the last step.
    pub legs_ended: u64,
    /// Number of vehicles on the road after the last step.
    pub in_traffic: Option<usize>,
    /// Hash of the state after the last step.
    pub hash: Option<u64>,
}

/// The measurement of a program in a sample, given in percent of the population.
pub type Measured = Row<f64, Program, SampleResults>;
/// The measurements of all programs and samples.
pub type Measurement = Rows<f64, Program, SampleResults>;

impl Measured {
    /// Simulated seconds per second, in the median of the runs.
    pub fn real_time_factor(&self) -> f64 {
        self.factor(self.times.median())
    }

    /// Simulated seconds per second in the slowest and in the fastest run; `None` for a single run.
    pub fn spread(&self) -> Option<(f64, f64)> {
        (self.times.runs() > 1).then(|| (self.factor(self.times.slowest()), self.factor(self.times.fastest())))
    }

    fn factor(&self, wall_s: f64) -> f64 {
        self.figures.simulated_s / wall_s.max(1e-9)
    }
}

impl Measurement {
    /// Simulated seconds per second of a program in a sample.
    pub fn factor(&self, percent: f64, program: Program) -> Option<f64> {
        self.row(percent, program).map(Measured::real_time_factor)
    }

    /// The time of a variant on one thread divided by its time on the device.
    pub fn speed_up(&self, percent: f64, variant: Variant) -> Option<f64> {
        Some(self.factor(percent, Program::Device(variant))? / self.factor(percent, Program::Cpu(variant))?)
    }

    /// The full model on a device, without events.
    pub(super) fn full_model_on_device(&self) -> Option<Program> {
        self.programs().into_iter().find(|program| matches!(program, Program::FullModelOnDevice { events: false, .. }))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::experiment::Times;

    /// A measurement of a program over one minute from 07:30, with these run times.
    pub(in super::super) fn minute(program: Program, percent: f64, walls_s: &[f64]) -> Measured {
        let figures = SampleResults {
            agents: (10.0 * percent) as usize,
            from_s: 27_000.0,
            simulated_s: 60.0,
            legs_ended: 5,
            in_traffic: Some(7),
            hash: Some(255),
        };
        Row { case: percent, program, times: Times::of(walls_s.to_vec()), figures }
    }

    #[test]
    fn the_factor_uses_the_median_and_the_spread_ascends() {
        let row = minute(Program::DeviceAllDay, 1.0, &[0.1, 0.2, 0.25, 0.3, 0.6]);
        assert_eq!((row.real_time_factor(), row.spread()), (240.0, Some((100.0, 600.0))));
        assert_eq!(minute(Program::Calendar, 1.0, &[0.1]).spread(), None);
    }
}
