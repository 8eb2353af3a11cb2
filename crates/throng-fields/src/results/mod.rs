//! What a run leaves behind: tables, pictures, a report, a manifest.

mod history;
pub(crate) mod manifest;
pub(crate) mod recorder;
pub(crate) mod report;
