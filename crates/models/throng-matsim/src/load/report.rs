//! Collects the loader's messages about one file.

use throng_core::{Problems, Warnings};

/// Problems and warnings of one file, with their locations.
#[derive(Debug)]
pub(super) struct Report<'a> {
    /// Name of the file in messages.
    pub(super) file: String,
    pub(super) problems: Problems,
    pub(super) warnings: &'a mut Warnings,
}

impl<'a> Report<'a> {
    pub(super) fn new(file: String, warnings: &'a mut Warnings) -> Self {
        Self { file, problems: Problems::new(), warnings }
    }

    pub(super) fn problem(&mut self, line: u64, message: impl Into<String>, remedy: impl Into<String>) {
        self.problems.push(format!("{}:{line}", self.file), message, remedy);
    }

    /// Counts a case of `kind`; `detail` describes the first one.
    pub(super) fn warn(&mut self, kind: &str, line: u64, detail: impl FnOnce() -> String) {
        let file = &self.file;
        self.warnings.add(kind, || format!("{file}:{line}: {}", detail()));
    }
}
