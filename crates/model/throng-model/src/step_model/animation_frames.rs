//! The frames of the animation of a run of a step model.

use std::path::PathBuf;

use throng_output::html::grouped;
use throng_output::{PendingFile, film};

use super::{AnimationFile, Film, StepModel};
use crate::Failure;

/// The states shown by an animation: every `stride`-th step, and the last row whose step is a multiple of `every`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FrameSteps {
    /// Number of steps of the run.
    planned: u64,
    /// Number of steps per frame; a multiple of `every`.
    stride: u64,
    /// Number of steps per row of the table.
    every: u64,
}

impl FrameSteps {
    /// Selects at most `max_frames` rows of a run with a row every `every` steps, but at least the first and the last.
    /// `None` if there are no rows or frames.
    pub(super) fn new(planned: u64, every: u64, max_frames: u32) -> Option<Self> {
        if every == 0 || max_frames == 0 {
            return None;
        }
        let intervals = planned / every;
        let rows_per_frame = intervals.div_ceil(u64::from(max_frames - 1).max(1)).max(1);
        Some(Self { planned, stride: rows_per_frame * every, every })
    }

    /// Returns the number of frames of a run that executes all its steps.
    pub(super) fn count(self) -> u32 {
        let last = self.planned / self.every * self.every;
        let frames = last / self.stride + 1 + u64::from(!last.is_multiple_of(self.stride));
        frames.min(u32::MAX.into()) as u32
    }

    /// Whether a step with a row has a frame. The row after which the run ends is the last row.
    fn has(self, step: u64, is_last: bool) -> bool {
        is_last || step.is_multiple_of(self.stride) || step + self.every > self.planned
    }
}

/// An animation, and the steps shown so far.
pub(super) struct StepAnimation<'f, S> {
    film: Box<dyn Film<S> + 'f>,
    frames: FrameSteps,
    steps: Vec<u64>,
    /// Path of the file, for messages.
    path: PathBuf,
}

impl<'f, S> StepAnimation<'f, S> {
    pub(super) fn start<M: StepModel<State = S>>(
        animation: &AnimationFile<M>,
        scenario: &M::Scenario,
        frames: FrameSteps,
        file: &'f mut PendingFile,
        path: PathBuf,
    ) -> Result<Self, Failure> {
        let film = (animation.film)(scenario, frames.count(), file).map_err(|failure| failure.of_file(&path))?;
        Ok(Self { film, frames, steps: Vec::new(), path })
    }

    /// Draws the state of a row, if the animation shows it.
    pub(super) fn add(&mut self, step: u64, is_last: bool, state: &S, measures: &[f64]) -> Result<(), Failure> {
        if self.frames.has(step, is_last) {
            self.film.add(step, state, measures).map_err(|failure| failure.of_file(&self.path))?;
            self.steps.push(step);
        }
        Ok(())
    }

    /// Returns the animation with the model's file name, label and caption.
    pub(super) fn finish<M: StepModel>(self) -> Result<film::Film, Failure> {
        let film = self.film.finish().map_err(|failure| failure.of_file(&self.path))?;
        let Some(AnimationFile { name, title, caption, .. }) = M::PARTS.animation else { return Ok(film) };
        let of_step = |mut frame: film::FilmFrame| {
            let step = self.steps.get(frame.number as usize).copied().unwrap_or_default();
            frame.text = format!("{} {}", M::STEP, grouped(step as f64, 0));
            frame
        };
        let frames = film.frames.into_iter().map(of_step).collect();
        Ok(film::Film { file: name.to_owned(), label: title.to_owned(), caption: caption.to_owned(), frames, ..film })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(planned: u64, every: u64, most: u32) -> Vec<u64> {
        let Some(frames) = FrameSteps::new(planned, every, most) else { return Vec::new() };
        let steps = (0..=planned).step_by(every as usize);
        let shown: Vec<u64> = steps.filter(|&step| frames.has(step, step == planned)).collect();
        assert_eq!(shown.len(), frames.count() as usize, "{planned} {every} {most}");
        shown
    }

    #[test]
    fn frames_are_spread_evenly_and_end_with_the_last_row() {
        assert_eq!(shown(4, 1, 10), [0, 1, 2, 3, 4]);
        assert_eq!(shown(10, 1, 4), [0, 4, 8, 10]);
        assert_eq!(shown(10, 1, 6), [0, 2, 4, 6, 8, 10]);
        // Step 11 has a row, but no frame.
        assert_eq!(shown(11, 2, 4), [0, 4, 8, 10]);
        assert_eq!(shown(9, 3, 1), [0, 9]);
        assert_eq!(shown(0, 1, 1), [0]);
        assert_eq!((shown(10, 0, 5), shown(10, 1, 0)), (vec![], vec![]));
        for planned in 0..40 {
            for (every, most) in (1..6).flat_map(|every| (2..9).map(move |most| (every, most))) {
                assert!(shown(planned, every, most).len() <= most as usize, "{planned} {every} {most}");
            }
        }
    }

    #[test]
    fn a_run_that_ends_early_shows_its_last_row() {
        let frames = FrameSteps::new(100, 1, 11).unwrap();
        assert!(frames.has(20, false) && !frames.has(23, false) && frames.has(23, true));
    }
}
