//! The compared programs.

use super::caching::Caching;
use super::techniques::{Techniques, Variant};

/// A program of the experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// The paper's CPU model: stored fields, one thread.
    Naive,
    /// Throng's executor on the CPU threads.
    Cpu,
    /// Stored fields on a device, with a one-step cache.
    OneStep,
    /// Like [`Method::OneStep`], with this many partial sums.
    MultiStep(u32),
    /// Like [`Method::OneStep`], without a cache: changes are added by atomic operations, which the paper rejects.
    Atomic,
    /// The paper's first GPU program: a one-step cache, and none of the techniques of the second.
    First,
    /// The paper's second GPU program: this many partial sums, and all techniques.
    Second(u32),
    /// Throng's executor on a device.
    Device,
}

impl Method {
    /// All programs, with this many partial sums, in the order of tables.
    pub fn all(sums: u32) -> [Self; 8] {
        [
            Self::Naive,
            Self::Cpu,
            Self::First,
            Self::Second(sums),
            Self::OneStep,
            Self::MultiStep(sums),
            Self::Atomic,
            Self::Device,
        ]
    }

    /// The name used in tables.
    pub fn name(self) -> String {
        match self {
            Self::Naive => "stored fields, 1 thread".to_owned(),
            Self::Cpu => "Throng, CPU".to_owned(),
            Self::OneStep => "one-step cache".to_owned(),
            Self::MultiStep(sums) => format!("multi-step cache, K = {sums}"),
            Self::Atomic => "atomic additions".to_owned(),
            Self::First => "first GPU program".to_owned(),
            Self::Second(sums) => format!("second GPU program, K = {sums}"),
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
            Self::Atomic => "atomic",
            Self::First => "first",
            Self::Second(_) => "second",
            Self::Device => "throng",
        }
    }

    /// Whether it runs on a device.
    pub fn is_on_device(self) -> bool {
        !matches!(self, Self::Naive | Self::Cpu)
    }

    /// The version of the program with stored fields that runs on a device; `None` for the other programs.
    pub fn variant(self) -> Option<Variant> {
        match self {
            Self::OneStep => Some(Caching::OneStep.into()),
            Self::MultiStep(sums) => Some(Caching::MultiStep(sums).into()),
            Self::Atomic => Some(Caching::None.into()),
            Self::First => Some(Variant { caching: Caching::OneStep, techniques: Techniques::FIRST }),
            Self::Second(sums) => Some(Variant { caching: Caching::MultiStep(sums), techniques: Techniques::ALL }),
            Self::Naive | Self::Cpu | Self::Device => None,
        }
    }
}
