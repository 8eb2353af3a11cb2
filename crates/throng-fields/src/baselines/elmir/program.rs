//! Who computes what.

/// A program of the thesis, or one of ours for the same task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Program {
    /// Algorithm 1: every cell asks every circle, one thread.
    CpuNaive,
    /// Algorithm 2: one circle is computed, and copied to where circles are, one thread.
    CpuCopy,
    /// Algorithm 3: a unit per cell, circles of 12 bytes in global memory.
    GpuNaive,
    /// Algorithm 3 with circles of 16 bytes, which are read at once.
    GpuCoalesced,
    /// Algorithm 4: circles go through shared memory.
    GpuShared,
    /// Ours on the CPU, one thread.
    OursOneThread,
    /// Ours on the CPU, all threads.
    OursAllThreads,
    /// Ours on the device, circles and field stay there.
    OursOnDevice,
    /// Ours on the device, with circles copied there and the field copied back.
    OursWithTransfers,
}

impl Program {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::CpuNaive,
        Self::CpuCopy,
        Self::GpuNaive,
        Self::GpuCoalesced,
        Self::GpuShared,
        Self::OursOneThread,
        Self::OursAllThreads,
        Self::OursOnDevice,
        Self::OursWithTransfers,
    ];

    /// Those of the thesis, in the order of its tables.
    pub const PUBLISHED: [Self; 5] =
        [Self::CpuNaive, Self::CpuCopy, Self::GpuNaive, Self::GpuCoalesced, Self::GpuShared];

    /// Whether it needs a device.
    pub fn is_on_device(self) -> bool {
        !matches!(self, Self::CpuNaive | Self::CpuCopy | Self::OursOneThread | Self::OursAllThreads)
    }

    /// A short name for tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::CpuNaive => "CPU naive",
            Self::CpuCopy => "CPU memory copy",
            Self::GpuNaive => "GPU naive",
            Self::GpuCoalesced => "GPU coalesced",
            Self::GpuShared => "GPU shared",
            Self::OursOneThread => "ours, 1 thread",
            Self::OursAllThreads => "ours, all threads",
            Self::OursOnDevice => "ours, device",
            Self::OursWithTransfers => "ours, with transfers",
        }
    }
}
