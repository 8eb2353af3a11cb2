//! What a model reads off a run, state by state and when it is over.

use std::fmt;

use throng_core::Warnings;
use throng_output::WrittenFile;
use throng_output::html::Page;

use crate::{Failure, Figure};

/// Watches a run.
pub trait Observer<S> {
    /// Sees a state with a row in the table: the last one and, with `every` above zero, that after one step in so many.
    ///
    /// # Errors
    /// When a file cannot be written.
    fn see(&mut self, step: u64, state: &S) -> Result<(), Failure> {
        let _ = (step, state);
        Ok(())
    }

    /// Whether it sees the states of all steps with [`Observer::see_step`]. Reading each of them takes time.
    fn sees_steps(&self) -> bool {
        false
    }

    /// Sees the state after a step, if it [sees all](Observer::sees_steps): from the one before the first step to the last.
    /// [`Observer::see`] comes after it.
    ///
    /// # Errors
    /// When a file cannot be written.
    fn see_step(&mut self, step: u64, state: &S) -> Result<(), Failure> {
        let _ = (step, state);
        Ok(())
    }

    /// Completes the files of a run that is over, and returns what to say of it.
    ///
    /// # Errors
    /// When a file cannot be written.
    fn finish(self: Box<Self>, course: &Course<'_, S>) -> Result<FurtherResults, Failure>;
}

/// The observer of models that have only a table and an animation.
pub(super) struct AddsNothing;

impl<S> Observer<S> for AddsNothing {
    fn finish(self: Box<Self>, _: &Course<'_, S>) -> Result<FurtherResults, Failure> {
        Ok(FurtherResults::default())
    }
}

/// A run whose steps are all made.
#[derive(Debug, Clone, Copy)]
pub struct Course<'a, S> {
    /// Steps.
    pub steps: u64,
    /// Wall-clock seconds of the steps, with the time to read states, without measuring and drawing.
    pub stepping_s: f64,
    /// The rows of the table: steps and their measures.
    pub rows: &'a [(u64, Vec<f64>)],
    /// The last state.
    pub last: &'a S,
}

/// What a model adds to the files, the summary and the report.
#[derive(Default)]
pub struct FurtherResults {
    /// The files, complete.
    pub files: Vec<WrittenFile>,
    /// Lines of the summary: names and values.
    pub lines: Vec<(&'static str, String)>,
    /// Summary figures besides [`StepModel::figures`](super::StepModel::figures): those of more states than the last one.
    pub figures: Vec<Figure>,
    /// Large figures at the top of the report, after the measures of the last state.
    pub cards: Vec<Figure>,
    /// Names of measures that say nothing about this run: the summary and the top of the report leave them out.
    pub left_out: Vec<&'static str>,
    /// Warnings about the outcome of the run, beside those about its scenario.
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
