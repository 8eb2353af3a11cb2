//! The checks that the experiment compares.

use super::published::Restore;

/// A check of the crowd's wishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// None: every wish is granted. Its time is that of drawing wishes and moving, which all device programs share.
    NoCheck,
    /// The paper's five kernels, one of which sorts.
    Baseline,
    /// The same with merged kernels, and tiles of cells in shared memory.
    OptimisedBaseline,
    /// The paper's four steps without atomic operations. Which of several discs gets a cell is decided by a race.
    FourSteps(Restore),
    /// The second and the third step in one kernel, with atomic operations: the disc with the highest id gets a cell.
    FourStepsAtomic,
    /// The sequential rule of `throng_collision` on a device, which leaves no overlaps.
    SequentialOnDevice,
    /// The same on all threads of the CPU.
    SequentialOnCpu,
}

impl Method {
    /// All, in the order of tables. Of the readings of the four steps, that with one kernel for each step.
    pub const ALL: [Self; 7] = [
        Self::NoCheck,
        Self::Baseline,
        Self::OptimisedBaseline,
        Self::FourSteps(Restore::Immediate),
        Self::FourStepsAtomic,
        Self::SequentialOnDevice,
        Self::SequentialOnCpu,
    ];

    /// Its name in tables.
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

    /// Whether it is a program of a device.
    pub fn is_on_device(self) -> bool {
        self != Self::SequentialOnCpu
    }

    /// Whether it is one of the paper's, or none.
    pub fn is_published(self) -> bool {
        !matches!(self, Self::SequentialOnDevice | Self::SequentialOnCpu)
    }

    /// Whether it sorts the discs by cell.
    pub fn sorts(self) -> bool {
        matches!(self, Self::Baseline | Self::OptimisedBaseline)
    }

    /// Whether its result is the same in every run. Otherwise it depends on a race.
    pub fn is_deterministic(self) -> bool {
        !matches!(self, Self::FourSteps(_))
    }
}
