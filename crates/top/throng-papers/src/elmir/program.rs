//! The compared programs.

use crate::experiment::listed;

listed! {
    /// A program of the thesis, or one of Throng's for the same task.
    Program {
        /// Algorithm 1: every cell reads every circle, on one thread.
        CpuNaive = "CPU naive";
        /// Algorithm 2: one circle is computed and copied to the position of each circle, on one thread.
        CpuCopy = "CPU memory copy";
        /// An optimised algorithm 2, which copies row by row, on one thread.
        CpuCopyByRows = "CPU copy by rows, 1 thread";
        /// The optimised algorithm 2 on all threads.
        CpuCopyByRowsAllThreads = "CPU copy by rows, all threads";
        /// Algorithm 3: one unit per cell, and circles of 12 bytes in global memory.
        GpuNaive = "GPU naive";
        /// Algorithm 3 with circles of 16 bytes, each read in one access.
        GpuCoalesced = "GPU coalesced";
        /// Algorithm 4: circles are loaded through shared memory.
        GpuShared = "GPU shared";
        /// Throng's program on the CPU, one thread.
        OursOneThread = "ours, 1 thread";
        /// Throng's program on the CPU, all threads.
        OursAllThreads = "ours, all threads";
        /// Throng's program on the device; circles and field stay on the device.
        OursOnDevice = "ours, device";
        /// Throng's program on the device, with circles copied to the device and the field copied back.
        OursWithTransfers = "ours, with transfers";
    }
}

impl Program {
    /// The programs of the thesis, in the order of its tables.
    pub const PUBLISHED: [Self; 5] =
        [Self::CpuNaive, Self::CpuCopy, Self::GpuNaive, Self::GpuCoalesced, Self::GpuShared];

    /// The GPU programs of the thesis.
    pub const GPU_OF_THESIS: [Self; 3] = [Self::GpuNaive, Self::GpuCoalesced, Self::GpuShared];

    /// Whether it needs a device.
    pub fn is_on_device(self) -> bool {
        self.threads(1).is_none()
    }

    /// Number of CPU threads on which it runs, at most `all`; `None` on a device.
    pub fn threads(self, all: usize) -> Option<usize> {
        match self {
            Self::CpuNaive | Self::CpuCopy | Self::CpuCopyByRows | Self::OursOneThread => Some(1),
            Self::CpuCopyByRowsAllThreads | Self::OursAllThreads => Some(all),
            Self::GpuNaive | Self::GpuCoalesced | Self::GpuShared | Self::OursOnDevice | Self::OursWithTransfers => {
                None
            }
        }
    }

    /// Its name, with the number of threads; `all` is the number available.
    pub fn label(self, all: usize) -> String {
        let name = self.name().trim_end_matches(", 1 thread").trim_end_matches(", all threads");
        match self.threads(all) {
            None => name.to_owned(),
            Some(1) => format!("{name}, 1 thread"),
            Some(threads) => format!("{name}, {threads} threads"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_has_the_number_of_threads() {
        let labels = |program: Program| (program.label(16), program.label(1));
        let (one, all) = ("CPU memory copy, 1 thread".to_owned(), "ours, 16 threads".to_owned());
        assert_eq!(labels(Program::CpuCopy), (one.clone(), one));
        assert_eq!(labels(Program::OursAllThreads), (all, "ours, 1 thread".into()));
        assert_eq!(labels(Program::CpuCopyByRows).0, "CPU copy by rows, 1 thread");
        assert_eq!(labels(Program::CpuCopyByRowsAllThreads).0, "CPU copy by rows, 16 threads");
        assert_eq!(labels(Program::OursOnDevice).0, "ours, device");
    }
}
