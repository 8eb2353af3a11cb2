//! Observers of a run, and their results.

use std::fmt;

use throng_core::Warnings;
use throng_output::WrittenFile;
use throng_output::html::Page;

use crate::{Failure, Figure};

/// Observes the states of a run, and adds to its files, summary and report.
pub trait Observer<S> {
    /// Called for each state with a row in the table: the last one and, if `every` is positive, the initial one and
    /// that after every `every`-th step.
    ///
    /// # Errors
    /// When a file cannot be written.
    fn see(&mut self, step: u64, state: &S) -> Result<(), Failure> {
        let _ = (step, state);
        Ok(())
    }

    /// Whether [`Observer::see_step`] is called for the states of all steps. Reading every state takes time.
    fn sees_steps(&self) -> bool {
        false
    }

    /// Called for the state after each step, including the initial state, if [`Observer::sees_steps`] is true; before
    /// [`Observer::see`].
    ///
    /// # Errors
    /// When a file cannot be written.
    fn see_step(&mut self, step: u64, state: &S) -> Result<(), Failure> {
        let _ = (step, state);
        Ok(())
    }

    /// Completes the observer's files after the last step, and returns its results.
    ///
    /// # Errors
    /// When a file cannot be written.
    fn finish(self: Box<Self>, course: &CompletedSteps<'_, S>) -> Result<FurtherResults, Failure>;
}

/// The observer of models that have only a table and an animation.
pub(super) struct NoObserver;

impl<S> Observer<S> for NoObserver {
    fn finish(self: Box<Self>, _: &CompletedSteps<'_, S>) -> Result<FurtherResults, Failure> {
        Ok(FurtherResults::default())
    }
}

/// The completed steps of a run, with its last state.
#[derive(Debug, Clone, Copy)]
pub struct CompletedSteps<'a, S> {
    /// Number of steps.
    pub steps: u64,
    /// Wall-clock time of the steps and of reading states, in seconds, excluding measuring and drawing.
    pub stepping_s: f64,
    /// Rows of the table: steps and their measures.
    pub rows: &'a [(u64, Vec<f64>)],
    /// Last state.
    pub last: &'a S,
}

/// A model's additions to the files, the summary and the report.
#[derive(Default)]
pub struct FurtherResults {
    /// Files, complete.
    pub files: Vec<WrittenFile>,
    /// Lines of the summary: names and values.
    pub lines: Vec<(&'static str, String)>,
    /// Summary figures in addition to [`Observed::figures`](super::Observed::figures), which depend on more than the
    /// last state.
    pub figures: Vec<Figure>,
    /// Large figures at the top of the report, after the measures of the last state.
    pub cards: Vec<Figure>,
    /// Names of measures that are meaningless for this run; the summary and the top of the report omit them.
    pub left_out: Vec<&'static str>,
    /// Warnings about the outcome of the run, in addition to those about its scenario.
    pub warnings: Warnings,
    /// Writes further sections of the report.
    #[allow(clippy::type_complexity)]
    pub sections: Option<Box<dyn FnOnce(&mut Page) + Send>>,
}

impl fmt::Debug for FurtherResults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FurtherResults").field("files", &self.files).field("lines", &self.lines).finish_non_exhaustive()
    }
}
