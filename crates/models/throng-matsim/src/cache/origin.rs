//! The origin of a cache: the settings that affect loading, and the input files.
//!
//! Settings are compared as strings, files by name, size and a checksum of all bytes.

use std::fs::File;
use std::path::Path;

use throng_core::{InputError, Problems, checksum};

use crate::config;
use crate::formats::open::refuse_special;
use crate::load::InputStamps;
use throng_traffic_scenario::settings::{AccessEgress, RouteCost, Settings};

/// The parameters that affect loading, other than files and teleported modes.
const DECIDING: [&str; 14] = [
    "global.coordinateSystem",
    "network.inputCRS",
    "plans.inputCRS",
    "facilities.inputCRS",
    "transit.inputScheduleCRS",
    "network.timeVariantNetwork",
    "facilities.facilitiesSource",
    "facilities.idPrefix",
    "qsim.mainMode",
    "qsim.vehiclesSource",
    "qsim.usePersonIdForMissingVehicleId",
    "routing.networkModes",
    ACCESS_EGRESS,
    "throng.compat",
];

const ACCESS_EGRESS: &str = "routing.accessEgressType";

/// Settings and input files from which a scenario was loaded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// Parameters and their values.
    pub settings: Vec<(String, String)>,
    /// Input files with their sizes and checksums.
    pub files: Vec<SourceFile>,
}

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// Parameter that gives the file, as `group.name`.
    pub parameter: String,
    /// The file name without its folder: the folder may move.
    pub name: String,
    /// File size in bytes.
    pub bytes: u64,
    /// Checksum of its content.
    pub sum: u64,
}

impl Origin {
    /// Returns the origin of a scenario that is loaded with `settings`.
    ///
    /// # Errors
    /// If one of the files cannot be read.
    pub fn of(settings: &Settings) -> Result<Self, InputError> {
        let mut files = Vec::new();
        for (parameter, path) in named_files(settings) {
            files.push(SourceFile::of(parameter, path)?);
        }
        Ok(Self { settings: deciding(settings), files })
    }

    /// Checks that a run with `settings` would load the same content: the settings that affect loading must agree, and
    /// all files that the settings name must be unchanged. Files that they do not name are not checked.
    ///
    /// # Errors
    /// Returns all differences, or a file that cannot be read; `cache` is the name of the cache file.
    pub fn check(&self, cache: &str, settings: &Settings) -> Result<(), InputError> {
        let mut differences = Vec::new();
        let now = deciding(settings);
        for (name, value) in &now {
            let then = self.settings.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
            if then != Some(value.as_str()) {
                let then = then.map_or_else(|| format!("without {name}"), |then| format!("with {name}={then}"));
                differences.push(format!("the cache was created {then}, this run has {name}={value}"));
            }
        }
        for (name, then) in &self.settings {
            if now.iter().all(|(known, _)| known != name) {
                differences.push(format!("the cache was created with {name}={then}, which is not set in this run"));
            }
        }
        for (parameter, path) in named_files(settings) {
            let current = SourceFile::of(parameter, path)?;
            let message = match self.files.iter().find(|file| file.parameter == parameter) {
                Some(then) if *then == current => continue,
                Some(then) if (&then.name, then.bytes) == (&current.name, current.bytes) => {
                    format!("{} has changed since the cache was created", path.display())
                }
                Some(then) => format!(
                    "the cache was created from {} of {} bytes, but {parameter} is {} of {} bytes",
                    then.name,
                    then.bytes,
                    path.display(),
                    current.bytes
                ),
                None => format!("the cache was created without {parameter}, which is {}", path.display()),
            };
            differences.push(message);
        }
        let mut problems = Problems::new();
        let last = differences.len();
        for (i, message) in differences.into_iter().enumerate() {
            // The last problem carries the remedy for all of them.
            problems.push(cache, message, if i + 1 == last { remedy() } else { "" });
        }
        problems.into_result()
    }
}

fn remedy() -> &'static str {
    "Rebuild the cache (`throng convert CONFIG scenario.throng --overwrite`; for a run with `--set`, CONFIG is what \
     `throng config --effective` prints with the same `--set`), or run without it: `--set throng.scenarioCache=`."
}

impl SourceFile {
    fn of(parameter: &str, path: &Path) -> Result<Self, InputError> {
        refuse_special(path)?;
        let (bytes, sum) = File::open(path).and_then(checksum::of_reader).map_err(|error| {
            InputError::one(
                path.display().to_string(),
                format!("cannot be read: {error}"),
                format!("Check {parameter}."),
            )
        })?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { parameter: parameter.to_owned(), name, bytes, sum })
    }
}

/// Returns a name for a cache of a scenario that is loaded with `settings` from `inputs`. The files are identified by
/// path, size and time; [`Origin::check`] decides whether the cache is valid.
pub fn cache_name(settings: &Settings, inputs: &InputStamps) -> String {
    let text = format!("{:?}\n{}", deciding(settings), inputs.text());
    format!("{:016x}", checksum::of_bytes(text.as_bytes()))
}

/// Returns the files that are read with these settings, with the parameters that name them.
pub(crate) fn named_files(settings: &Settings) -> Vec<(&'static str, &Path)> {
    let files = &settings.files;
    let changes = files.change_events.as_ref().filter(|_| files.time_variant_network);
    let of_transit = |file| Option::filter(file, |_| settings.transit.drives());
    let all = [
        ("network.inputNetworkFile", files.network.as_ref()),
        ("plans.inputPlansFile", files.plans.as_ref()),
        ("vehicles.vehiclesFile", files.vehicles.as_ref()),
        ("facilities.inputFacilitiesFile", files.facilities.as_ref()),
        ("network.inputChangeEventsFile", changes),
        ("transit.transitScheduleFile", of_transit(files.transit_schedule.as_ref())),
        ("transit.vehiclesFile", of_transit(files.transit_vehicles.as_ref())),
    ];
    all.into_iter().filter_map(|(parameter, path)| Some((parameter, path?.as_path()))).collect()
}

/// Returns a parameter that decides about a warning, and its value: a file without its folder, which may move.
fn cost(RouteCost { mode: _, parameter, value }: &RouteCost) -> (String, String) {
    let name = Path::new(value).file_name().unwrap_or_default();
    (parameter.clone(), name.to_string_lossy().into_owned())
}

fn deciding(settings: &Settings) -> Vec<(String, String)> {
    let all = config::flat(settings);
    let mut list: Vec<_> = all.iter().filter(|(name, _)| DECIDING.contains(&name.as_str())).cloned().collect();
    // Caches that are older than a parameter do not have it.
    if settings.routing.access_egress == AccessEgress::None {
        list.retain(|(name, _)| name != ACCESS_EGRESS);
    }
    list.retain(|(name, value)| !(name.ends_with("CRS") && value == "null"));
    if settings.controller.routes_turns {
        list.push(("controller.enableLinkToLinkRouting".to_owned(), "true".to_owned()));
    }
    list.extend(settings.routing.other_costs.iter().map(cost));
    list.extend(
        settings
            .routing
            .teleported_modes
            .iter()
            .map(|rule| (format!("routing.teleportedModeParameters[{}]", rule.mode), config::mode_text(rule))),
    );
    if settings.transit.drives() {
        // Loading differs in the legs that are rides, and in the drivers.
        list.push(("transit.useTransit".to_owned(), "true".to_owned()));
        list.push(("transit.transitModes".to_owned(), settings.transit.modes.join(",")));
        // Parameters that decide about connections are compared where they are not the default.
        let router = |(name, _): &(String, String)| {
            config::is_of_transit_router(name) || name == "plans.activityDurationInterpretation"
        };
        let usual = config::flat(&Settings::default());
        list.extend(all.into_iter().filter(router).filter(|entry| !usual.contains(entry)));
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_deciding_parameter_exists() {
        let mut settings = Settings::default();
        settings.routing.access_egress = AccessEgress::ModeToLink;
        let files = &mut settings.files;
        for system in [
            &mut files.network_system,
            &mut files.plans_system,
            &mut files.facilities_system,
            &mut files.schedule_system,
        ] {
            *system = Some("EPSG:25832".to_owned());
        }
        let names: Vec<String> = deciding(&settings).into_iter().map(|(name, _)| name).collect();
        for name in DECIDING {
            assert!(names.iter().any(|known| known == name), "{name}");
        }
    }

    #[test]
    fn costs_of_routes_are_compared_by_parameter_and_file_name() {
        let with = |changes: &[&str]| {
            let changes: Vec<_> = changes.iter().map(|change| config::Change::typed(*change)).collect();
            config::from_changes(&changes).unwrap().settings
        };
        let priced = ["roadpricing.tollLinksFile=/a/t.xml", "scoring.monetaryDistanceRate_car=-1e-4"];
        let origin = Origin::of(&with(&priced)).unwrap();
        assert_eq!(origin.check("c", &with(&["roadpricing.tollLinksFile=/b/t.xml", priced[1]])), Ok(()));
        for other in [&[][..], &priced[..1], &["roadpricing.tollLinksFile=u.xml", priced[1]]] {
            assert!(origin.check("c", &with(other)).is_err(), "{other:?}");
        }
        let free = Origin::of(&with(&[])).unwrap();
        let error = free.check("c", &with(&priced[..1])).unwrap_err().to_string();
        assert!(error.contains("without roadpricing.tollLinksFile"), "{error}");
    }

    #[test]
    fn all_differences_are_reported_together() {
        let folder = tempfile::tempdir().unwrap();
        let plans = folder.path().join("plans.xml");
        std::fs::write(&plans, "<plans/>").unwrap();
        let mut settings = Settings::default();
        settings.files.plans = Some(plans.clone());
        let origin = Origin::of(&settings).unwrap();
        assert_eq!(origin.check("c", &settings), Ok(()));
        settings.qsim.stuck_time_s = 30.0;
        settings.files.plans = None;
        assert_eq!(origin.check("c", &settings), Ok(()), "only some settings matter, and files are optional");

        settings.files.plans = Some(plans.clone());
        std::fs::write(&plans, "<plaNs/>").unwrap();
        settings.qsim.main_modes.push("truck".into());
        settings.routing.teleported_modes.pop();
        settings.files.vehicles = Some(plans.clone());
        let error = origin.check("c", &settings).unwrap_err();
        let text = error.to_string();
        assert_eq!(error.0.total(), 4, "{text}");
        for part in [
            "c: the cache was created with qsim.mainMode=car, this run has qsim.mainMode=car,truck",
            "teleportedModeParameters[pt]=2.0 times the free-speed car time, beeline distance factor 1.3, which is not set",
            "plans.xml has changed since the cache was created",
            "the cache was created without vehicles.vehiclesFile",
        ] {
            assert!(text.contains(part), "{text}");
        }
        std::fs::remove_file(&plans).unwrap();
        assert!(origin.check("c", &settings).unwrap_err().to_string().contains("Check plans.inputPlansFile"));
    }
}
