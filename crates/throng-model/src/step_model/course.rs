//! What a model reads off a run that is over.

use std::fmt;

use throng_output::html::Page;

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

/// What a model adds to the summary and to the report.
#[derive(Default)]
pub struct FurtherResults {
    /// Lines of the summary: a name of up to eleven letters and a value each.
    pub lines: Vec<(&'static str, String)>,
    /// Writes further sections of the report.
    #[allow(clippy::type_complexity)]
    pub sections: Option<Box<dyn FnOnce(&mut Page) + Send>>,
}

impl fmt::Debug for FurtherResults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FurtherResults").field("lines", &self.lines).finish_non_exhaustive()
    }
}
