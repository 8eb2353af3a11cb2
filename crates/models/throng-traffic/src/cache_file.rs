//! A scenario cache, made from the files that settings name.

use std::path::Path;

use throng_core::{Progress, Warnings};
use throng_matsim::cache;
use throng_matsim::load::InputStamps;
use throng_output::{FileError, PendingFile, WrittenFile, check_target};
use throng_traffic_scenario::settings::Settings;

use crate::run::load_unchanged;

/// A scenario cache that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cached {
    /// The file.
    pub file: WrittenFile,
    /// Persons in it.
    pub persons: usize,
    /// Links in it.
    pub links: usize,
}

/// Loads the scenario that the settings name and stores it in `target`, for `throng.scenarioCache`.
///
/// # Errors
/// A fault of the files, or a failure to write the cache.
pub fn make_cache(
    settings: Settings,
    target: &Path,
    warnings: &mut Warnings,
    progress: &dyn Progress,
) -> Result<Cached, FileError> {
    check_target(target, settings.files.all())?;
    let inputs = InputStamps::of(&settings);
    let origin = cache::origin::Origin::of(&settings)?;
    let scenario = load_unchanged(settings, &inputs, warnings, progress)?;
    progress.begin(&format!("writing {}", target.display()), None, "");
    let file = cache::write_cache(&scenario, &origin, PendingFile::create(target)?)?;
    progress.end();
    Ok(Cached { file, persons: scenario.population.persons(), links: scenario.network.links() })
}
