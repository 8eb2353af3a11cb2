//! Who computes what.

use crate::experiment::listed;

listed! {
    /// A program of the thesis, or one of ours for the same task.
    Program {
        /// Algorithm 1: every cell asks every circle, one thread.
        CpuNaive = "CPU naive";
        /// Algorithm 2: one circle is computed, and copied to where circles are, one thread.
        CpuCopy = "CPU memory copy";
        /// Algorithm 2 written for speed, row by row, one thread.
        CpuCopyByRows = "CPU copy by rows, 1 thread";
        /// The same on all threads.
        CpuCopyByRowsAllThreads = "CPU copy by rows, all threads";
        /// Algorithm 3: a unit per cell, circles of 12 bytes in global memory.
        GpuNaive = "GPU naive";
        /// Algorithm 3 with circles of 16 bytes, which are read at once.
        GpuCoalesced = "GPU coalesced";
        /// Algorithm 4: circles go through shared memory.
        GpuShared = "GPU shared";
        /// Ours on the CPU, one thread.
        OursOneThread = "ours, 1 thread";
        /// Ours on the CPU, all threads.
        OursAllThreads = "ours, all threads";
        /// Ours on the device, circles and field stay there.
        OursOnDevice = "ours, device";
        /// Ours on the device, with circles copied there and the field copied back.
        OursWithTransfers = "ours, with transfers";
    }
}

impl Program {
    /// Those of the thesis, in the order of its tables.
    pub const PUBLISHED: [Self; 5] =
        [Self::CpuNaive, Self::CpuCopy, Self::GpuNaive, Self::GpuCoalesced, Self::GpuShared];

    /// Whether it needs a device.
    pub fn is_on_device(self) -> bool {
        self.threads(1).is_none()
    }

    /// Threads of the CPU on which it runs, where `all` is how many there are; none on a device.
    pub fn threads(self, all: usize) -> Option<usize> {
        match self {
            Self::CpuNaive | Self::CpuCopy | Self::CpuCopyByRows | Self::OursOneThread => Some(1),
            Self::CpuCopyByRowsAllThreads | Self::OursAllThreads => Some(all),
            Self::GpuNaive | Self::GpuCoalesced | Self::GpuShared | Self::OursOnDevice | Self::OursWithTransfers => {
                None
            }
        }
    }

    /// Its name with the number of threads, of which there are `all`.
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
