//! Checks for input files that do not exist.

use std::path::PathBuf;

use throng_core::{InputError, Problems, STORE_IT, nearest_to_missing, special_file};
use throng_traffic_scenario::settings::Settings;

const CHECK_SPELLING: &str = "check the spelling; relative paths in a config file start from its folder";

/// Checks that all input files exist. If the settings name a scenario cache, no file is required, but named files must
/// exist.
///
/// # Errors
/// All missing input files, in one report.
pub fn check_files(settings: &Settings) -> Result<(), InputError> {
    let files = &settings.files;
    let mut problems = Problems::new();
    let flag = |flag| if files.scenario_cache.is_some() { "" } else { flag };
    let mut check = |place: &str, file: &Option<PathBuf>, flag: &str| match file {
        None if flag.is_empty() => {}
        None => problems.push(
            place,
            "no file is given",
            format!("give {flag}{}FILE, or set it in the config file", if flag.ends_with('=') { "" } else { " " }),
        ),
        Some(path) if path.is_file() => {}
        Some(path) if path.is_dir() => problems.push(place, format!("{} is a folder", path.display()), "name a file"),
        Some(path) => {
            let (message, remedy) = special_file(path).map_or_else(
                || ("does not exist", nearest_to_missing(path).unwrap_or_else(|| CHECK_SPELLING.to_owned())),
                |special| (special, STORE_IT.to_owned()),
            );
            problems.push(place, format!("{} {message}", path.display()), remedy);
        }
    };
    check("network.inputNetworkFile", &files.network, flag("--network"));
    check("plans.inputPlansFile", &files.plans, flag("--plans"));
    check("throng.scenarioCache", &files.scenario_cache, "");
    check("vehicles.vehiclesFile", &files.vehicles, "");
    check("facilities.inputFacilitiesFile", &files.facilities, "");
    check("counts.inputCountsFile", &files.counts, "");
    if files.time_variant_network {
        check("network.inputChangeEventsFile", &files.change_events, "");
    }
    if settings.transit.drives() {
        check("transit.transitScheduleFile", &files.transit_schedule, flag("--set transit.transitScheduleFile="));
        check("transit.vehiclesFile", &files.transit_vehicles, flag("--set transit.vehiclesFile="));
    }
    problems.into_result()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_files_are_reported_together() {
        let mut settings = Settings::default();
        settings.files.plans = Some("/nowhere/plans.xml".into());
        settings.files.vehicles = Some("/nowhere/vehicles.xml".into());
        let error = check_files(&settings).unwrap_err();
        assert_eq!(error.0.total(), 3);
        assert!(
            error.to_string().contains("network.inputNetworkFile: no file is given\n    give --network FILE"),
            "{error}"
        );
        assert!(
            error.to_string().contains("plans.xml does not exist\n    the folder /nowhere does not exist either"),
            "{error}"
        );
        settings.files.scenario_cache = Some("/nowhere/scenario.throng".into());
        let error = check_files(&settings).unwrap_err();
        assert_eq!(error.0.total(), 3, "plans and vehicles are named, a network need not be: {error}");
        assert!(error.to_string().contains("throng.scenarioCache: /nowhere/scenario.throng does not exist"), "{error}");
    }
}
