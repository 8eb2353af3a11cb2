//! The checks that the experiment compares.

use super::published::Restore;
use crate::experiment::listed;

listed! {
    /// Side length of the tiles of the optimised baseline.
    Tile {
        /// 8 x 8 cells.
        Small = "optimised baseline, 8 x 8";
        /// 16 x 16 cells, as in the paper.
        Medium = "optimised baseline";
        /// 32 x 32 cells.
        Large = "optimised baseline, 32 x 32";
    }
}

impl Tile {
    /// Number of cells on a side.
    pub fn side(self) -> u32 {
        match self {
            Self::Small => 8,
            Self::Medium => 16,
            Self::Large => 32,
        }
    }
}

/// A check of the crowd's wishes, and where it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// No check: every wish is granted. Its time covers drawing wishes and moving, which all device programs include.
    NoCheck,
    /// A static grid with a list of discs in each cell, which atomic operations build: the naive approach of section 5.
    AtomicGrid,
    /// The paper's five kernels, one of which sorts, one bit of the cells per pass.
    Baseline,
    /// The baseline with the sort of the optimised baseline, and no other change. Copies of the example on which the
    /// paper's baseline is based sort as many bits per pass.
    FastSortBaseline,
    /// The baseline with a fast sort, merged kernels, and tiles of cells in shared memory.
    OptimisedBaseline(Tile),
    /// The paper's four steps without atomic operations. If several discs want a cell, a race decides which one gets
    /// it.
    FourSteps(Restore),
    /// The four steps with immediate erasure, and with cleared slots in each step in place of step ids.
    ClearedFourSteps,
    /// The four steps with steps two and three in one kernel, using atomic operations: the disc with the highest id
    /// gets a cell.
    FourStepsAtomic,
    /// The sequential rule of `throng_collision` on a device, which leaves no overlaps.
    SequentialOnDevice,
    /// The sequential rule on the CPU, with the chosen number of threads.
    SequentialOnCpu,
}

/// The paper's four steps, as timed by default.
pub(super) const FOUR_STEPS: Method = Method::FourSteps(Restore::Immediate);
/// The paper's optimised baseline.
pub(super) const OPTIMISED: Method = Method::OptimisedBaseline(Tile::Medium);

impl Method {
    /// The name used in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoCheck => "no check",
            Self::AtomicGrid => "static grid, atomic",
            Self::Baseline => "baseline",
            Self::FastSortBaseline => "baseline, fast sort",
            Self::OptimisedBaseline(tile) => tile.name(),
            Self::FourSteps(Restore::Immediate) => "four steps",
            Self::FourSteps(Restore::OneHop) => "four steps, one hop",
            Self::FourSteps(Restore::FullWalk) => "four steps, full walk",
            Self::ClearedFourSteps => "four steps, cleared",
            Self::FourStepsAtomic => "four steps, atomic",
            Self::SequentialOnDevice => "sequential rule",
            Self::SequentialOnCpu => "sequential rule, CPU",
        }
    }

    /// Whether it runs on a device.
    pub fn is_on_device(self) -> bool {
        self != Self::SequentialOnCpu
    }

    /// Whether it is a check of the paper, which `DeviceCrowd` runs.
    pub fn is_published(self) -> bool {
        !matches!(self, Self::NoCheck | Self::SequentialOnDevice | Self::SequentialOnCpu)
    }

    /// Whether it isolates one decision of the paper. Such programs run only in the cases with several numbers of
    /// agents, and without copies.
    pub fn is_variant(self) -> bool {
        matches!(
            self,
            Self::AtomicGrid
                | Self::FastSortBaseline
                | Self::OptimisedBaseline(Tile::Small | Tile::Large)
                | Self::ClearedFourSteps
        )
    }

    /// Whether it grants exactly the wishes that overlap with no other wish.
    pub fn compares_wishes(self) -> bool {
        matches!(self, Self::AtomicGrid | Self::Baseline | Self::FastSortBaseline | Self::OptimisedBaseline(_))
    }

    /// Whether the shared memory of a device is large enough.
    #[cfg(feature = "gpu")]
    pub(super) fn fits(self, device: &throng_device::Device) -> bool {
        match self {
            Self::OptimisedBaseline(tile) => super::kernels::tiles::shared_bytes(tile.side()) <= device.shared_bytes(),
            _ => true,
        }
    }
}
