//! What a run leaves behind: tables, pictures, a report.

mod history;
pub(crate) mod recorder;
pub(crate) mod report;
