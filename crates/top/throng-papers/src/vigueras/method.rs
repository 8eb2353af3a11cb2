//! The checks that the experiment compares.

use super::published::Restore;

/// A check of the crowd's wishes, and where it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// No check: every wish is granted. Its time covers drawing wishes and moving, which all device programs include.
    NoCheck,
    /// The paper's five kernels, one of which sorts.
    Baseline,
    /// The baseline with merged kernels, and tiles of cells in shared memory.
    OptimisedBaseline,
    /// The paper's four steps without atomic operations. If several discs want a cell, a race decides which one gets
    /// it.
    FourSteps(Restore),
    /// The four steps with steps two and three in one kernel, using atomic operations: the disc with the highest id
    /// gets a cell.
    FourStepsAtomic,
    /// The sequential rule of `throng_collision` on a device, which leaves no overlaps.
    SequentialOnDevice,
    /// The sequential rule on the CPU, with the chosen number of threads.
    SequentialOnCpu,
}

impl Method {
    /// The name used in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoCheck => "no check",
            Self::Baseline => "baseline",
            Self::OptimisedBaseline => "optimised baseline",
            Self::FourSteps(Restore::Immediate) => "four steps",
            Self::FourSteps(Restore::OneHop) => "four steps, one hop",
            Self::FourSteps(Restore::FullWalk) => "four steps, full walk",
            Self::FourStepsAtomic => "four steps, atomic",
            Self::SequentialOnDevice => "sequential rule",
            Self::SequentialOnCpu => "sequential rule, CPU",
        }
    }

    /// Whether it runs on a device.
    pub fn is_on_device(self) -> bool {
        self != Self::SequentialOnCpu
    }
}
