//! The programs that are compared, and where they run.

use throng_render::{Settings, Style};

/// A way to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Program {
    /// Which light there is.
    pub style: Style,
    /// Whether rays are tested against a tree, and not against every shape.
    pub tree: bool,
}

impl Program {
    /// The paper's: its style by brute force.
    pub const PAPER: Self = Self { style: Style::Paper, tree: false };
    /// Throng's: all light, with a tree.
    pub const FULL: Self = Self { style: Style::Full, tree: true };
    /// All of them. Those of a style draw the same picture.
    pub const ALL: [Self; 4] =
        [Self::PAPER, Self { tree: true, ..Self::PAPER }, Self { tree: false, ..Self::FULL }, Self::FULL];

    /// What tables call it.
    pub fn name(self) -> &'static str {
        match (self.style, self.tree) {
            (Style::Paper, false) => "paper style, brute force",
            (Style::Paper, true) => "paper style, tree",
            (Style::Full, false) => "full style, brute force",
            (Style::Full, true) => "full style, tree",
        }
    }

    /// Its settings for pictures of this width and height: a sample at the center of each pixel, and 4 bounces in the full style.
    pub fn settings(self, size: u32) -> Settings {
        let Self { style, tree } = self;
        Settings { width: size, height: size, samples: 1, max_bounces: 4, style, tree, ..Settings::default() }
    }
}

/// Where a program runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// One thread of the CPU.
    OneThread,
    /// All threads of the CPU that may be used.
    Threads,
    /// The device.
    Device,
}

impl Place {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::OneThread, Self::Threads, Self::Device];

    /// What tables call it; `threads` are those of [`Place::Threads`].
    pub fn name(self, threads: usize) -> String {
        match self {
            Self::OneThread => "CPU, 1 thread".to_owned(),
            Self::Threads => format!("CPU, {threads} threads"),
            Self::Device => "device".to_owned(),
        }
    }
}
