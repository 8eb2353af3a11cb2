//! The programs that are compared.

use crate::experiment::listed;

listed! {
    /// A program.
    Method {
        /// Recursion over arrays of cells, on one thread.
        Sequential = "sequential, 1 thread";
        /// The layered search, with tiles on the threads of the CPU.
        CpuTiles = "tiles, CPU";
        /// The layered search, with tiles on the device.
        DeviceTiles = "tiles, device";
        /// Throng's unpruned search on the threads of the CPU.
        Cpu = "Throng, CPU";
        /// Throng's unpruned search on the device.
        Device = "Throng, device";
    }
}

impl Method {
    /// Those of the paper.
    pub const PUBLISHED: [Self; 3] = [Self::Sequential, Self::CpuTiles, Self::DeviceTiles];

    /// Whether it needs a device.
    pub fn is_on_device(self) -> bool {
        matches!(self, Self::DeviceTiles | Self::Device)
    }
}
