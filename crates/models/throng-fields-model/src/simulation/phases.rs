//! Wall-clock times of the parts of steps.

use std::time::Instant;

/// A part of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Fields,
    Diffusion,
    Sight,
    Influence,
    Paths,
    Walking,
}

/// Names of the parts in timings and progress messages, in the order of `Phase`.
const NAMES: [&str; 6] = [
    "updating fields",
    "diffusing amounts",
    "finding lines of sight",
    "spreading influence",
    "finding paths",
    "walking",
];

/// Seconds per part, summed over all steps.
#[derive(Debug, Default)]
pub(crate) struct Phases {
    seconds: [f64; NAMES.len()],
    /// Start of the current part.
    began: Option<Instant>,
}

impl Phases {
    /// Starts the first part of a step.
    pub(super) fn begin(&mut self) {
        self.began = Some(Instant::now());
    }

    /// Ends a part and starts the next one.
    pub(super) fn end(&mut self, phase: Phase) {
        let now = Instant::now();
        if let Some(began) = self.began.replace(now) {
            self.seconds[phase as usize] += (now - began).as_secs_f64();
        }
    }

    /// Name and seconds of each part.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (&'static str, f64)> {
        NAMES.into_iter().zip(self.seconds)
    }

    /// Seconds of all steps.
    pub(crate) fn total(&self) -> f64 {
        self.seconds.iter().sum()
    }
}
