//! The compared programs.

use crate::experiment::listed;

listed! {
    /// A program that plays Kalah.
    Method {
        /// Recursion over arrays of cells, on one thread.
        Sequential = "sequential, 1 thread";
        /// The same recursion; the boards after the first moves are distributed over the CPU threads.
        Parallel = "sequential, distributed over the threads";
        /// The layered search, with tiles on the CPU threads.
        CpuTiles = "tiles, CPU";
        /// The layered search, with tiles on the device.
        DeviceTiles = "tiles, device";
        /// Throng's unpruned search on the CPU threads.
        Cpu = "Throng, CPU";
        /// Throng's unpruned search on the device.
        Device = "Throng, device";
    }
}

impl Method {
    /// The programs of the paper.
    pub const PUBLISHED: [Self; 3] = [Self::Sequential, Self::CpuTiles, Self::DeviceTiles];

    /// Whether it needs a device.
    pub fn is_on_device(self) -> bool {
        matches!(self, Self::DeviceTiles | Self::Device)
    }
}
