//! The compared programs.

use super::caching::Caching;

/// A program of the experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// The paper's CPU model: stored fields, one thread.
    Naive,
    /// Throng's executor on the CPU threads.
    Cpu,
    /// Stored fields on a device, with a one-step cache: the paper's first GPU model.
    OneStep,
    /// Like [`Method::OneStep`], with this many partial sums: the algorithm of the paper's second GPU model.
    MultiStep(u32),
    /// Throng's executor on a device.
    Device,
}

impl Method {
    /// All programs, with this many partial sums, in the order of tables.
    pub fn all(sums: u32) -> [Self; 5] {
        [Self::Naive, Self::Cpu, Self::OneStep, Self::MultiStep(sums), Self::Device]
    }

    /// The name used in tables.
    pub fn name(self) -> String {
        match self {
            Self::Naive => "stored fields, 1 thread".to_owned(),
            Self::Cpu => "Throng, CPU".to_owned(),
            Self::OneStep => "one-step cache".to_owned(),
            Self::MultiStep(sums) => format!("multi-step cache, K = {sums}"),
            Self::Device => "Throng, device".to_owned(),
        }
    }

    /// The name of its charts in file names.
    pub fn file(self) -> &'static str {
        match self {
            Self::Naive => "naive",
            Self::Cpu => "throng_cpu",
            Self::OneStep => "one_step",
            Self::MultiStep(_) => "multi_step",
            Self::Device => "throng",
        }
    }

    /// Whether it runs on a device.
    pub fn is_on_device(self) -> bool {
        matches!(self, Self::OneStep | Self::MultiStep(_) | Self::Device)
    }

    /// How its stored fields are updated; `None` for Throng's executors, which store none.
    pub fn caching(self) -> Option<Caching> {
        match self {
            Self::Naive => Some(Caching::None),
            Self::OneStep => Some(Caching::OneStep),
            Self::MultiStep(sums) => Some(Caching::MultiStep(sums)),
            Self::Cpu | Self::Device => None,
        }
    }
}
