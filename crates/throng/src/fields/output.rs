//! What a run writes, and how its pictures look.

use std::path::PathBuf;

use throng_fields::pictures::{Scale, ValueRange};

/// What is written.
#[derive(Debug, Clone)]
pub(super) struct Output {
    pub folder: PathBuf,
    pub overwrite: bool,
    /// Steps from one frame to the next; 0 for no animation.
    pub frame_every: u32,
    /// How long a frame is shown, milliseconds.
    pub frame_ms: u16,
    pub scale: Option<Scale>,
    /// The layer that is drawn; `None`: the combined field.
    pub layer: Option<usize>,
    pub range: Option<ValueRange>,
    pub unit: String,
    pub first_and_last: bool,
    pub npy: bool,
    /// Steps from one set of rows in the table of agents to the next; 0 for none.
    pub agents_every: u32,
}

impl Output {
    /// Whether a step has a frame. The first and the last one always have, if there is an animation.
    pub(super) fn has_frame(&self, step: u32, steps: u32) -> bool {
        self.frame_every > 0 && (step.is_multiple_of(self.frame_every) || step == steps)
    }

    /// How many frames a run of so many steps has.
    pub(super) fn frames(&self, steps: u32) -> u32 {
        if self.frame_every == 0 { 0 } else { 1 + steps.div_ceil(self.frame_every) }
    }

    /// Whether a step has rows in the table of agents.
    pub(super) fn has_agents(&self, step: u32, steps: u32) -> bool {
        self.agents_every > 0 && (step.is_multiple_of(self.agents_every) || step == steps)
    }
}
