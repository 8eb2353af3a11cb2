//! Creates a scenario cache from the files that the settings name.

use std::path::Path;

use throng_core::{Progress, Warnings};
use throng_matsim::cache;
use throng_matsim::load::InputStamps;
use throng_output::{FileError, PendingFile, WrittenFile, check_target};
use throng_traffic_scenario::settings::Settings;

use crate::run::load_unchanged;

/// A scenario cache that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cached {
    /// Cache file that was written.
    pub file: WrittenFile,
    /// Number of persons in the cache.
    pub persons: usize,
    /// Number of links in the cache.
    pub links: usize,
}

/// Loads the scenario of the settings and stores it in `target`, for use as `throng.scenarioCache`.
///
/// # Errors
/// The files are invalid, or the cache cannot be written.
pub fn make_cache(
    settings: Settings,
    target: &Path,
    warnings: &mut Warnings,
    progress: &dyn Progress,
) -> Result<Cached, FileError> {
    check_target(target, settings.files.all())?;
    let inputs = InputStamps::of(&settings);
    let origin = cache::origin::Origin::of(&settings)?;
    let mut found = Warnings::new();
    let scenario = load_unchanged(settings, &inputs, &mut found, progress)?;
    progress.begin(&format!("writing {}", target.display()), None, "");
    let file = cache::write_cache(&scenario, &origin, &found, PendingFile::create(target)?)?;
    // The cache contains only the warnings about the files; a run that uses it adds those about its own config.
    warnings.append(found);
    progress.end();
    Ok(Cached { file, persons: scenario.population.persons(), links: scenario.network.links() })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use throng_matsim::{cache::origin::Origin, config};
    use throng_model::scenario_file::is_without_effect;
    use throng_traffic_scenario::settings::Settings;

    #[test]
    fn settings_without_effect_on_results_leave_a_cache_valid() {
        let mut usual = Settings::default();
        config::apply_set(&mut usual, "transit.useTransit=true", Path::new("")).unwrap();
        assert!(usual.transit.drives());
        let names: Vec<_> = config::flat(&usual).into_iter().filter(|(name, _)| is_without_effect(name)).collect();
        assert!(names.len() >= 9, "{names:?}");
        for (name, value) in names {
            let other = ["true", "false", "7", "x", "none", "failIfDirectoryExists"].into_iter().find_map(|text| {
                let mut settings = usual.clone();
                config::apply_set(&mut settings, &format!("{name}={text}"), Path::new("")).ok()?;
                (!config::flat(&settings).contains(&(name.clone(), value.clone()))).then_some(settings)
            });
            let other = other.unwrap_or_else(|| panic!("no other value of {name} than {value}"));
            assert_eq!(Origin::of(&other).unwrap(), Origin::of(&usual).unwrap(), "{name}");
        }
    }
}
