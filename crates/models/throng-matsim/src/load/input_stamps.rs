//! Sizes and modification times of the input files, so that a run detects when one of them changes.
//!
//! Some inputs are read twice, for example plans for `output_plans`, and all are listed in the manifest. Without this
//! check, results from two versions of a file would pass for results from one.

use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{fmt, fs, io};

use throng_core::{InputError, Problems};
use throng_output::utc_text;

use crate::cache::origin::named_files;
use throng_traffic_scenario::settings::Settings;

/// The input files of a run as they were at its start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputStamps {
    files: Vec<(PathBuf, Stamp)>,
}

/// Identifies the version of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    bytes: u64,
    /// Modification time; not every file system stores it.
    modified: Option<SystemTime>,
}

impl InputStamps {
    /// Records the files that are read with `settings`; call it before opening any of them. A missing file is reported
    /// when it is read.
    pub fn of(settings: &Settings) -> Self {
        let files = &settings.files;
        let others = [&files.counts, &files.scenario_cache].into_iter().filter_map(|file| file.as_deref());
        let named = named_files(settings).into_iter().map(|(_, path)| path).chain(others);
        Self { files: named.filter_map(|path| Some((path.to_owned(), Stamp::of(path).ok()?))).collect() }
    }

    /// Returns a text that is the same for equal files: their absolute paths, sizes and modification times.
    pub fn text(&self) -> String {
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let files: Vec<(PathBuf, Stamp)> = self.files.iter().map(|(path, stamp)| (absolute(path), *stamp)).collect();
        format!("{files:?}")
    }

    /// Checks that all files are unchanged.
    ///
    /// # Errors
    /// All files that were changed, replaced or removed.
    pub fn check(&self) -> Result<(), InputError> {
        let mut problems = Problems::new();
        for (path, then) in &self.files {
            let message = match Stamp::of(path) {
                Ok(now) if now == *then => continue,
                Ok(now) => format!("this file was changed while in use: it had {then}, now it has {now}"),
                Err(error) => format!("this file was removed while in use: {error}"),
            };
            problems.push(path.display().to_string(), message, REMEDY);
        }
        problems.into_result()
    }
}

const REMEDY: &str = "Results would mix two versions. Start again, and do not change the inputs during the run; if another \
                      program writes them, use copies.";

impl Stamp {
    fn of(path: &Path) -> io::Result<Self> {
        let metadata = fs::metadata(path)?;
        Ok(Self { bytes: metadata.len(), modified: metadata.modified().ok() })
    }
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.bytes)?;
        self.modified.map_or(Ok(()), |time| write!(f, " (modified {})", utc_text(time)))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn changed_and_missing_files_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        let mut settings = Settings::default();
        settings.files.network = Some(file("network.xml"));
        settings.files.plans = Some(file("plans.xml"));
        settings.files.vehicles = Some(file("vehicles.xml"));
        settings.files.scenario_cache = Some(file("scenario.throng"));
        // The file is named, but not read without `network.timeVariantNetwork`.
        settings.files.change_events = Some(file("changes.xml"));
        settings.files.facilities = Some(file("never there.xml"));
        for name in ["network.xml", "plans.xml", "vehicles.xml", "scenario.throng", "changes.xml"] {
            fs::write(file(name), "abc").unwrap();
        }
        let stamps = InputStamps::of(&settings);
        assert_eq!(stamps.check(), Ok(()));

        fs::write(file("changes.xml"), "longer").unwrap();
        assert_eq!(stamps.check(), Ok(()));
        fs::write(file("network.xml"), "longer").unwrap();
        let second = Duration::from_secs(1);
        let later = fs::metadata(file("plans.xml")).unwrap().modified().unwrap() + second;
        fs::File::options().write(true).open(file("plans.xml")).unwrap().set_modified(later).unwrap();
        fs::remove_file(file("vehicles.xml")).unwrap();
        fs::write(file("scenario.throng"), "").unwrap();
        let InputError(problems) = stamps.check().unwrap_err();
        let places: Vec<_> = problems.shown().iter().map(|problem| problem.place.as_str()).collect();
        let expected = ["network.xml", "plans.xml", "vehicles.xml", "scenario.throng"].map(file);
        assert_eq!(places, expected.each_ref().map(|path| path.to_str().unwrap()));
        let text = problems.to_string();
        for part in ["it had 3 bytes (modified ", "), now it has 6 bytes (modified ", "was removed while", "use copies"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
