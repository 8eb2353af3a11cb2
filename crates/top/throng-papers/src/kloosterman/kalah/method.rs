//! The programs that are compared.

/// A program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Recursion over arrays of cells, on one thread.
    Sequential,
    /// The layered search, with tiles on the threads of the CPU.
    CpuTiles,
    /// The layered search, with tiles on the device.
    DeviceTiles,
    /// Throng's unpruned search on the threads of the CPU.
    Cpu,
    /// Throng's unpruned search on the device.
    Device,
}

impl Method {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Sequential, Self::CpuTiles, Self::DeviceTiles, Self::Cpu, Self::Device];

    /// Those of the paper.
    pub const PUBLISHED: [Self; 3] = [Self::Sequential, Self::CpuTiles, Self::DeviceTiles];

    /// What tables call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sequential => "sequential, 1 thread",
            Self::CpuTiles => "tiles, CPU",
            Self::DeviceTiles => "tiles, device",
            Self::Cpu => "Throng, CPU",
            Self::Device => "Throng, device",
        }
    }

    /// Whether it needs a device.
    pub fn is_on_device(self) -> bool {
        matches!(self, Self::DeviceTiles | Self::Device)
    }
}
