//! Settings that are valid individually but contradict each other.

use std::collections::BTreeMap;

use throng_core::{InputError, Problems, did_you_mean};

use throng_traffic_scenario::settings::{Settings, Strategy, VehiclesSource};

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

/// Checks the settings that only iterations need.
///
/// # Errors
/// All problems in one report, each located by the name of the setting. Whether all activity types, modes and
/// subpopulations of the plans have settings is not known here.
pub fn check_iterations(settings: &Settings) -> Result<(), InputError> {
    let mut problems = Problems::new();
    check_scoring(settings, &mut problems);
    check_replanning(settings, &mut problems);
    problems.into_result()
}

fn check_scoring(settings: &Settings, problems: &mut Problems) {
    let scoring = &settings.scoring;
    if !(0.0..=1.0).contains(&scoring.learning_rate) {
        let message = format!("the learning rate is {}", scoring.learning_rate);
        problems.push("scoring.learningRate", message, "set it to a number from 0 to 1");
    }
    for (name, beta) in
        [("scoring.BrainExpBeta", scoring.brain_exp_beta), ("scoring.PathSizeLogitBeta", scoring.path_size_logit_beta)]
    {
        if beta.is_nan() || beta < 0.0 {
            problems.push(name, format!("the scale of a logit model is {beta}"), "set it to a number of 0 or more");
        }
    }
    let sets = &scoring.parameters;
    if sets.len() > 1 && sets.iter().all(|set| set.subpopulation.as_deref() != Some("default")) {
        problems.push(
            "scoring.scoringParameters",
            "there are several parameter sets, but none for the subpopulation \"default\"",
            "set subpopulation to default in the set for all other persons",
        );
    }
    for set in sets {
        let of = set.subpopulation.as_ref().map(|name| format!(" of the subpopulation \"{name}\"")).unwrap_or_default();
        for activity in set.activities.iter().filter(|activity| activity.is_scored) {
            if activity.typical_duration_s.is_nan() || activity.typical_duration_s <= 0.0 {
                problems.push(
                    "scoring.activityParams",
                    format!("activities \"{}\"{of} have no typical duration, or one of 0", activity.kind),
                    "set its typicalDuration, or scoringThisActivityAtAll=false",
                );
            }
        }
    }
}

fn check_replanning(settings: &Settings, problems: &mut Problems) {
    const PLACE: &str = "replanning.strategysettings";
    let replanning = &settings.replanning;
    let known = Strategy::ALL.map(Strategy::name);
    for strategy in &replanning.unknown_strategies {
        let name = &strategy.strategy;
        let message = if name.is_empty() {
            "a strategy has no name".to_owned()
        } else {
            format!("strategy \"{name}\" is unknown")
        };
        let hint = did_you_mean(name, known).map(|hint| format!("{hint} ")).unwrap_or_default();
        problems.push(PLACE, message, format!("{hint}known: {}", known.join(", ")));
    }
    let mut sums = BTreeMap::new();
    for strategy in &replanning.strategies {
        if strategy.weight.is_nan() || strategy.weight < 0.0 {
            let message = format!("strategy {} has no weight, or one below 0", strategy.strategy.name());
            problems.push(PLACE, message, "set its weight to a number of 0 or more");
        } else {
            *sums.entry(strategy.subpopulation.as_deref()).or_insert(0.0) += strategy.weight;
        }
    }
    for (subpopulation, _) in sums.iter().filter(|(_, sum)| **sum == 0.0) {
        let of = subpopulation.map(|name| format!(" of the subpopulation \"{name}\"")).unwrap_or_default();
        problems.push(PLACE, format!("all strategies{of} have the weight 0"), "set one of them to a weight above 0");
    }
    if replanning.strategies.is_empty() && replanning.unknown_strategies.is_empty() {
        problems.push(PLACE, "there is no strategy", "add one, for example ChangeExpBeta with the weight 1");
    }
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
