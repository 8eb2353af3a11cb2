//! The results of a run: tables, pictures, a report.

mod history;
pub(crate) mod recorder;
pub(crate) mod report;
