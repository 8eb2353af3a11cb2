//! The compared programs, and the hardware on which they run.

use throng_core::counted;
use throng_render::{Settings, Style};

/// A rendering method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Program {
    /// Lighting and reflections: style of the paper, or full.
    pub style: Style,
    /// Whether rays are tested against a tree instead of every shape.
    pub tree: bool,
}

impl Program {
    /// The paper's program: the paper's lighting, by brute force.
    pub const PAPER: Self = Self { style: Style::Paper, tree: false };
    /// Throng's program: full lighting, with a tree.
    pub const FULL: Self = Self { style: Style::Full, tree: true };
    /// All programs. Those with the same style render the same image.
    pub const ALL: [Self; 4] =
        [Self::PAPER, Self { tree: true, ..Self::PAPER }, Self { tree: false, ..Self::FULL }, Self::FULL];

    /// The name used in tables.
    pub fn name(self) -> &'static str {
        match (self.style, self.tree) {
            (Style::Paper, false) => "paper style, brute force",
            (Style::Paper, true) => "paper style, tree",
            (Style::Full, false) => "full style, brute force",
            (Style::Full, true) => "full style, tree",
        }
    }

    /// Settings for images of `size` x `size` pixels: one sample at the centre of each pixel, and 4 bounces in the full
    /// style.
    pub fn settings(self, size: u32) -> Settings {
        let Self { style, tree } = self;
        Settings { width: size, height: size, samples: 1, max_bounces: 4, style, tree, ..Settings::default() }
    }
}

/// The hardware on which a program runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExecutionTarget {
    /// One thread of the CPU.
    OneThread,
    /// All CPU threads that may be used.
    Threads,
    /// The selected device, usually a GPU.
    Device,
}

impl ExecutionTarget {
    /// All kinds of hardware.
    pub const ALL: [Self; 3] = [Self::OneThread, Self::Threads, Self::Device];

    /// The name used in tables; `threads` is the number of threads of [`ExecutionTarget::Threads`].
    pub fn name(self, threads: usize) -> String {
        match self {
            Self::OneThread => "CPU, 1 thread".to_owned(),
            Self::Threads => format!("CPU, {}", counted(threads as u64, "thread")),
            Self::Device => "device".to_owned(),
        }
    }
}
