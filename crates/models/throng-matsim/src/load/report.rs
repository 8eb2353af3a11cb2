//! Collects the loader's messages about one file.

use throng_core::{InputError, Problems, Warnings};
use throng_traffic_scenario::settings::Settings;

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

    /// Refuses a setting that asks for other routes; warns of it if `settings` ignore unsupported ones.
    pub(super) fn refuse_routing(
        &mut self,
        settings: &Settings,
        place: &str,
        trips: &str,
        line: u64,
    ) -> Result<(), InputError> {
        if settings.extensions.ignore_unsupported {
            self.warnings.add("settings of routers are not supported; ignored", || place.to_owned());
            return Ok(());
        }
        let message = format!("true is not supported, and plans have {trips} without routes");
        let remedy = format!(
            "Set it to false, or give plans with routes (the first without: {}:{line}); \
             or --set throng.ignoreUnsupported=true.",
            self.file
        );
        Err(InputError::one(place, message, remedy))
    }

    /// Counts a case of `kind`; `detail` describes the first one.
    pub(super) fn warn(&mut self, kind: &str, line: u64, detail: impl FnOnce() -> String) {
        let file = &self.file;
        self.warnings.add(kind, || format!("{file}:{line}: {}", detail()));
    }
}
