//! Settings that are valid individually but contradict each other.

use throng_core::{InputError, Problems};

use throng_traffic_scenario::settings::{Settings, VehiclesSource};

/// Checks that the settings are consistent.
///
/// # Errors
/// All contradictions in one report, each located by the name of the setting.
pub fn check(settings: &Settings) -> Result<(), InputError> {
    let mut problems = Problems::new();
    let qsim = &settings.qsim;
    if qsim.vehicles_source != VehiclesSource::DefaultVehicle && settings.files.vehicles.is_none() {
        problems.push(
            "qsim.vehiclesSource",
            "vehicles are to come from the vehicles file, but no such file is given",
            "set vehicles.vehiclesFile, or qsim.vehiclesSource=defaultVehicle",
        );
    }
    if let (Some(start), Some(end)) = (qsim.start_time, qsim.end_time) {
        // An end of 0 means no limit.
        if end > 0.0 && end < start {
            problems.push(
                "qsim.endTime",
                format!("the simulation ends at {end} s, before it starts at {start} s"),
                "set a later end, or undefined for no limit",
            );
        }
    }
    if qsim.main_modes.is_empty() {
        problems.push("qsim.mainMode", "no mode drives on the network", "name at least one, for example car");
    }
    for mode in &settings.routing.teleported_modes {
        if settings.routing.network_modes.contains(&mode.mode) {
            problems.push(
                "routing.networkModes",
                format!("mode \"{}\" is routed on the network and teleported as well", mode.mode),
                "remove it from networkModes, or give the teleported modes without it \
                 (clearDefaultTeleportedModeParams=true drops the default ones)",
            );
        }
    }
    problems.into_result()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contradictions_are_found_together() {
        assert_eq!(check(&Settings::default()), Ok(()));
        let mut settings = Settings::default();
        settings.qsim.vehicles_source = VehiclesSource::FromVehiclesData;
        settings.qsim.start_time = Some(3600.0);
        settings.qsim.end_time = Some(60.0);
        settings.qsim.main_modes.clear();
        settings.routing.network_modes.push("walk".into());
        let error = check(&settings).unwrap_err();
        let places: Vec<_> = error.0.shown().iter().map(|p| p.place.as_str()).collect();
        assert_eq!(places, ["qsim.vehiclesSource", "qsim.endTime", "qsim.mainMode", "routing.networkModes"]);
        settings.qsim.end_time = Some(0.0);
        assert_eq!(check(&settings).unwrap_err().0.total(), 3);
    }
}
