//! Parameters that count once iterations are simulated: sets, older single parameters, defaults, errors, output.

use std::path::Path;

use super::tests::{assert_has, read, read_with};
use super::*;
use crate::cache::origin::Origin;
use throng_testing::reference_data;
use throng_traffic_scenario::settings::{
    ActivityParameters, DEFAULT_SCORED_MODES, ModeParameters, RemovalSelector, Replanning, Scoring, ScoringParameters,
    Settings, Strategy, StrategySettings, TypicalDurationScore,
};

const HOUR: f64 = 3600.0;

fn param(name: &str, value: &str) -> String {
    format!("<param name=\"{name}\" value=\"{value}\"/>\n")
}

fn set(kind: &str, params: &[(&str, &str)], sets: &str) -> String {
    let params: String = params.iter().map(|(name, value)| param(name, value)).collect();
    format!("<parameterset type=\"{kind}\">\n{params}{sets}</parameterset>\n")
}

fn module(name: &str, content: &str) -> String {
    format!("<module name=\"{name}\">\n{content}</module>\n")
}

fn strategy(strategy: Strategy, weight: f64) -> StrategySettings {
    StrategySettings { strategy, weight, subpopulation: None, until_iteration: None }
}

/// Returns the settings that a written config is read as.
fn written_and_read(settings: &Settings) -> Settings {
    let text = effective(settings);
    from_reader(text.as_bytes(), Path::new("/w/config.xml"), &[])
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
        .settings
}

#[test]
fn the_defaults_are_those_of_matsim() {
    let found = read("").unwrap();
    assert_eq!((&found.settings.scoring, &found.settings.replanning), (&Scoring::default(), &Replanning::default()));
    let parameters = &Scoring::default().parameters[0];
    assert_eq!((parameters.performing_per_h, parameters.late_arrival_per_h), (6.0, -18.0));
    assert_eq!((parameters.utility_of_money, parameters.utility_of_line_switch), (1.0, -1.0));
    assert!(parameters.modes.iter().all(|mode| mode.traveling_per_h == -6.0 && mode.constant == 0.0));
    assert_eq!(Replanning::default().max_plans, 5);
    assert_eq!(Replanning::default().innovation_until_fraction, f64::INFINITY);
    assert_eq!(found.notices, [""; 0]);
}

#[test]
fn the_equil_config_has_two_activity_types_and_two_strategies() {
    let Some(data) = reference_data("") else { return };
    let settings = from_file(&data.join("equil100/config.xml")).unwrap().settings;
    let mut home = ActivityParameters::new("h", 12.0 * HOUR);
    home.minimal_duration_s = Some(8.0 * HOUR);
    let mut work = ActivityParameters::new("w", 8.0 * HOUR);
    work.minimal_duration_s = Some(6.0 * HOUR);
    work.opening_s = Some(7.0 * HOUR);
    work.latest_start_s = Some(9.0 * HOUR);
    work.closing_s = Some(18.0 * HOUR);
    let parameters = ScoringParameters {
        activities: vec![home, work],
        modes: ["car", "pt", "walk"].map(ModeParameters::new).into(),
        ..ScoringParameters::default()
    };
    let scoring = Scoring { brain_exp_beta: 2.0, parameters: vec![parameters], ..Scoring::default() };
    assert_eq!(settings.scoring, scoring);
    let strategies = vec![strategy(Strategy::BestScore, 0.9), strategy(Strategy::ReRoute, 0.1)];
    assert_eq!(settings.replanning, Replanning { strategies, ..Replanning::default() });
    assert_eq!(check_iterations(&settings), Ok(()));
    assert_eq!(written_and_read(&settings), settings);
}

#[test]
fn the_config_of_the_scoring_reference_has_two_subpopulations() {
    let Some(data) = reference_data("../matsim_loop/scoring") else { return };
    let settings = from_file(&data.join("config.xml")).unwrap().settings;
    let scoring = &settings.scoring;
    assert_eq!(scoring.learning_rate, 0.3);
    let [general, poor] = &scoring.parameters[..] else { panic!("{:?}", scoring.parameters) };
    assert_eq!((general.subpopulation.as_deref(), poor.subpopulation.as_deref()), (Some("default"), Some("poor")));
    assert_eq!((general.utility_of_money, poor.utility_of_money), (0.6, 1.4));
    assert_eq!((general.waiting_per_h, general.waiting_pt_per_h), (-0.8, Some(-2.0)));
    let modes: Vec<_> = general.modes.iter().map(|mode| mode.mode.as_str()).collect();
    assert_eq!(modes, ["car", "bike", "walk", "ride", "pt"]);
    let car = ModeParameters {
        constant: -0.5,
        monetary_distance_rate_per_m: -0.0002,
        daily_money: -3.7,
        ..ModeParameters::new("car")
    };
    assert_eq!(general.modes[0], car);
    assert_eq!((general.modes[1].daily_utility, poor.modes[1].traveling_per_h), (0.3, -6.050_000_000_000_001));
    assert_eq!(general.activities.len(), 8);
    let mut work = ActivityParameters::new("work", 8.0 * HOUR);
    work.opening_s = Some(7.0 * HOUR);
    work.latest_start_s = Some(9.0 * HOUR);
    work.earliest_end_s = Some(16.0 * HOUR);
    work.closing_s = Some(18.0 * HOUR);
    work.minimal_duration_s = Some(6.0 * HOUR);
    work.score_at_typical_duration = TypicalDurationScore::Uniform;
    assert_eq!(general.activities[1], work);
    assert!(!general.activities[6].is_scored && general.activities[4].priority == 0.5);
    assert_eq!(general.activities[7].closing_s, Some(30.0 * HOUR));
    let strategies = &settings.replanning.strategies;
    assert!(strategies.iter().all(|one| one.strategy == Strategy::BestScore && one.weight == 1.0), "{strategies:?}");
    assert_eq!(strategies[1].subpopulation.as_deref(), Some("poor"));
    assert_eq!(check_iterations(&settings), Ok(()));
    assert_eq!(written_and_read(&settings), settings);
}

#[test]
fn single_parameters_are_those_of_sets() {
    let scored: String = [
        ("learningRate", "0.5"),
        ("BrainExpBeta", "2"),
        ("PathSizeLogitBeta", "0.7"),
        ("lateArrival", "-10"),
        ("performing", "5"),
        ("waitingPt", "-1"),
        ("traveling", "-4"),
        ("travelingPt", "-3"),
        ("traveling_walk", "-2"),
        ("traveling_drt", "-1"),
        ("constantBike", "-0.5"),
        ("constant_drt", "0.5"),
        ("monetaryDistanceRateCar", "-0.001"),
        ("marginalUtlOfDistance_ride", "-0.002"),
        ("activityTypicalDuration_0", "12:00:00"),
        ("activityType_0", "home"),
        ("activityType_1", "work"),
        ("activityPriority_1", "2"),
        ("activityTypicalDuration_1", "28800"),
        ("activityMinimalDuration_1", ""),
        ("activityOpeningTime_1", "07:00:00"),
        ("activityClosingTime_1", "18:00:00"),
        ("activityLatestStartTime_1", "09:00:00"),
        ("activityEarliestEndTime_1", "undefined"),
        ("scoringThisActivityAtAll_1", "false"),
    ]
    .map(|(name, value)| param(name, value))
    .concat();
    let replanned = [
        ("maxAgentPlanMemorySize", "3"),
        ("ModuleProbability_1", "0.9"),
        ("Module_1", "BestScore"),
        ("ModuleProbability_2", "0.1"),
        ("Module_2", "ReRoute"),
        ("ModuleDisableAfterIteration_2", "70"),
        ("ModuleSubpopulation_2", "poor"),
    ]
    .map(|(name, value)| param(name, value))
    .concat();
    let settings = read(&(module("planCalcScore", &scored) + &module("strategy", &replanned))).unwrap().settings;
    let scoring = &settings.scoring;
    assert_eq!((scoring.learning_rate, scoring.brain_exp_beta, scoring.path_size_logit_beta), (0.5, 2.0, 0.7));
    let [all] = &scoring.parameters[..] else { panic!("{:?}", scoring.parameters) };
    assert_eq!((all.late_arrival_per_h, all.performing_per_h, all.waiting_pt_per_h), (-10.0, 5.0, Some(-1.0)));
    let modes: Vec<_> =
        all.modes.iter().map(|mode| (mode.mode.as_str(), mode.traveling_per_h, mode.constant)).collect();
    let expected = [
        ("car", -4.0, 0.0),
        ("pt", -3.0, 0.0),
        ("walk", -2.0, 0.0),
        ("bike", -6.0, -0.5),
        ("ride", -6.0, 0.0),
        ("other", -6.0, 0.0),
        ("drt", -1.0, 0.5),
    ];
    assert_eq!(modes, expected);
    assert_eq!((all.modes[0].monetary_distance_rate_per_m, all.modes[4].distance_per_m), (-0.001, -0.002));
    let mut work = ActivityParameters::new("work", 8.0 * HOUR);
    work.priority = 2.0;
    work.opening_s = Some(7.0 * HOUR);
    work.closing_s = Some(18.0 * HOUR);
    work.latest_start_s = Some(9.0 * HOUR);
    work.is_scored = false;
    assert_eq!(all.activities, [ActivityParameters::new("home", 12.0 * HOUR), work]);
    let routed = StrategySettings {
        subpopulation: Some("poor".into()),
        until_iteration: Some(70),
        ..strategy(Strategy::ReRoute, 0.1)
    };
    assert_eq!(settings.replanning.max_plans, 3);
    assert_eq!(settings.replanning.strategies, [strategy(Strategy::BestScore, 0.9), routed]);
    // Routers read some of them, too.
    assert_eq!(settings.transit.router.traveling_walk_per_h, -2.0);
    let costs: Vec<_> = settings.routing.other_costs.iter().map(|cost| cost.parameter.as_str()).collect();
    assert_eq!(costs, ["scoring.monetaryDistanceRate_car", "scoring.marginalUtlOfDistance_ride"]);
    assert_eq!(written_and_read(&settings), settings);
}

#[test]
fn sets_outside_of_others_add_to_the_defaults() {
    let sets = set("modeParams", &[("mode", "car"), ("constant", "-1")], "")
        + &set("activityParams", &[("activityType", "home"), ("typicalDuration", "3600")], "")
        + &set("activityParams", &[("activityType", "home"), ("typicalDuration", "7200"), ("priority", "3")], "");
    let scoring = read(&module("scoring", &sets)).unwrap().settings.scoring;
    let [all] = &scoring.parameters[..] else { panic!("{scoring:?}") };
    let modes: Vec<_> = all.modes.iter().map(|mode| mode.mode.as_str()).collect();
    assert_eq!(modes, ["pt", "walk", "bike", "ride", "other", "car"], "the set replaces that of cars");
    assert_eq!(all.modes[5].constant, -1.0);
    assert_eq!(all.activities.len(), 1);
    assert_eq!((all.activities[0].typical_duration_s, all.activities[0].priority), (7200.0, 3.0));
}

#[test]
fn sets_of_subpopulations_replace_the_general_one_as_in_matsim() {
    let of = |sets: &[Option<&str>]| {
        let sets: String = sets
            .iter()
            .map(|name| {
                let name = name.map(|name| ("subpopulation", name));
                set("scoringParameters", &name.into_iter().chain([("performing", "7")]).collect::<Vec<_>>(), "")
            })
            .collect();
        let settings = read(&module("scoring", &(param("lateArrival", "-1") + &sets))).unwrap().settings;
        assert_eq!(written_and_read(&settings), settings);
        settings
    };
    let names = |sets: &[Option<&str>]| {
        let found = of(sets).scoring.parameters.into_iter();
        found.map(|set| set.subpopulation.unwrap_or_default()).collect::<Vec<_>>()
    };
    assert_eq!(names(&[None]), [""]);
    assert_eq!(names(&[Some("null")]), [""]);
    assert_eq!(names(&[Some("freight")]), ["freight"], "it replaces the only set, that without a subpopulation");
    assert_eq!(names(&[None, Some("freight")]), ["freight"]);
    assert_eq!(names(&[Some("default"), Some("freight"), Some("default")]), ["freight", "default"]);
    let replaced = &of(&[None]).scoring.parameters[0];
    assert_eq!((replaced.late_arrival_per_h, replaced.performing_per_h), (-18.0, 7.0), "single parameters are lost");
    assert!(replaced.modes.is_empty(), "a set has the modes that it names");
    let error = check_iterations(&of(&[Some("rich"), Some("poor")])).unwrap_err().to_string();
    assert_has(&error, &["scoring.scoringParameters: there are several", "set subpopulation to default"]);
    let changed = read_with(
        &module("scoring", &set("scoringParameters", &[("subpopulation", "default")], "")),
        &["scoring.lateArrival=-3", "planCalcScore.performing=8"],
    );
    let changed = changed.unwrap().settings.scoring.parameters;
    assert_eq!(changed.len(), 1, "{changed:?}");
    assert_eq!((changed[0].late_arrival_per_h, changed[0].performing_per_h), (-3.0, 8.0));
}

#[test]
fn the_groups_of_strategies_are_read() {
    let modules = [
        ("TimeAllocationMutator", vec![("mutationRange", "7200.0"), ("mutationAffectsDuration", "false")]),
        (
            "subtourModeChoice",
            vec![
                ("modes", "car, walk"),
                ("chainBasedModes", "car"),
                ("considerCarAvailability", "true"),
                ("probaForRandomSingleTripMode", "0.5"),
            ],
        ),
        ("changeLegMode", vec![("modes", "car,pt,walk"), ("ignoreCarAvailability", "false")]),
        (
            "replanning",
            vec![
                ("planSelectorForRemoval", "SelectExpBetaForRemoval"),
                ("fractionOfIterationsToDisableInnovation", "0.8"),
                ("ExternalExeTimeOut", "3600"),
            ],
        ),
    ]
    .map(|(name, params)| module(name, &params.iter().map(|(name, value)| param(name, value)).collect::<String>()));
    let found = read(&modules.concat()).unwrap();
    let replanning = &found.settings.replanning;
    assert_eq!((replanning.time_mutation.range_s, replanning.time_mutation.affects_duration), (7200.0, false));
    let subtours = &replanning.subtour_mode_choice;
    assert_eq!(
        (&subtours.modes[..], &subtours.chain_based_modes[..]),
        (&["car", "walk"].map(str::to_owned)[..], &["car".to_owned()][..])
    );
    assert_eq!((subtours.considers_car_availability, subtours.single_trip_probability), (true, 0.5));
    assert_eq!(replanning.change_mode.modes, ["car", "pt", "walk"]);
    assert!(!replanning.change_mode.ignores_car_availability);
    assert_eq!((replanning.removal, replanning.innovation_until_fraction), (RemovalSelector::ExpBeta, 0.8));
    let note = "11 settings have no effect on the mobility simulation (modules changeMode, replanning, subtourModeChoice, \
                timeAllocationMutator)";
    assert_eq!(found.notices, [note]);
    assert_eq!(written_and_read(&found.settings), found.settings);
}

#[test]
fn parameters_for_iterations_are_reported_as_without_effect() {
    let sets = set("activityParams", &[("activityType", "home"), ("typicalDuration", "1")], "");
    let text = format!("<config>{}</config>", module("scoring", &(param("learningRate", "0.5") + &sets)));
    let changes = ["strategy.Module_1=ReRoute", "scoring.constantCar=1"].map(Change::typed);
    let found = explain_reader(text.as_bytes(), Path::new("c.xml"), &changes).unwrap();
    assert_eq!(found.used, []);
    let counts: Vec<_> = found.without_effect.iter().map(|one| (one.group, one.count, one.why.as_str())).collect();
    let why = "for iterations, which are not simulated yet";
    assert_eq!(counts, [("scoring", 4, why), ("replanning", 1, why)]);
    // Neither manifests nor caches of the mobility simulation depend on them.
    let settings = from_changes(&changes).unwrap().settings;
    assert_ne!(settings, Settings::default());
    assert_eq!(flat(&settings), flat(&Settings::default()));
    assert_eq!(Origin::of(&settings).unwrap(), Origin::of(&Settings::default()).unwrap());
}

#[test]
fn invalid_values_are_located() {
    let modules = module(
        "scoring",
        &(param("learningRate", "much")
            + &param("traveling_car", "slow")
            + &param("activityPriority_0", "0")
            + &set(
                "scoringParameters",
                &[("performing", "a"), ("waiting", "b")],
                &(set("modeParams", &[("constant", "1")], "")
                    + &set("activityParams", &[("activityType", "w"), ("typicalDuration", "long")], "")
                    + &set("activityParams", &[("activityType", "h"), ("typicalDurationScoreComputation", "x")], "")),
            )),
    ) + &module(
        "replanning",
        &(param("planSelectorForRemoval", "SelectExpBeta")
            + &set("strategysettings", &[("strategyName", "ReRoute"), ("weight", "-1")], "")
            + &set("strategysettings", &[("disableAfterIteration", "-2")], "")),
    );
    let error = read(&modules).unwrap_err();
    assert_has(
        &error,
        &[
            "config.xml:3: scoring.learningRate is \"much\"\n    expected a number",
            "config.xml:4: scoring.traveling_car is \"slow\"\n    expected a number",
            "config.xml:5: scoring.activityPriority_0 is \"0\"\n    expected a finite number above 0",
            "config.xml:7: scoring.performing is \"a\"",
            "config.xml:8: scoringParameters.waiting is \"b\"\n    expected a number",
            "config.xml:9: modeParams has no mode\n    add <param name=\"mode\"",
            "config.xml:14: activityParams.typicalDuration is \"long\"\n    expected a duration",
            "config.xml:18: activityParams.typicalDurationScoreComputation is \"x\"\n    expected one of: relative, uniform",
            "config.xml:23: replanning.planSelectorForRemoval is \"SelectExpBeta\"\n    expected one of: WorstPlanSelector",
            "config.xml:26: strategysettings.weight is \"-1\"",
            "config.xml:29: strategysettings.disableAfterIteration is \"-2\"\n    expected a whole number",
        ],
    );
    assert!(!error.contains("scoringParameters.performing"), "reported once: {error}");
}

#[test]
fn problems_of_iterations_stop_only_iterations() {
    let unknown = [("strategyName", "ReRout"), ("weight", "0.1"), ("subpopulation", "freight")];
    let modules = module(
        "scoring",
        &(set("activityParams", &[("activityType", "home"), ("typicalDuration", "0")], "")
            + &set("activityParams", &[("activityType", "work")], "")
            + &set("activityParams", &[("activityType", "pt"), ("scoringThisActivityAtAll", "false")], "")
            + &param("learningRate", "1.5")
            + &param("BrainExpBeta", "-1")),
    ) + &module(
        "replanning",
        &(set("strategysettings", &unknown, "")
            + &set("strategysettings", &[("weight", "1")], "")
            + &set("strategysettings", &[("strategyName", "ReRoute"), ("subpopulation", "a")], "")
            + &set("strategysettings", &[("strategyName", "BestScore"), ("weight", "0")], "")),
    );
    let settings = read(&modules).unwrap().settings;
    assert_eq!(settings.replanning.unknown_strategies[0].strategy, "ReRout");
    assert_eq!(written_and_read(&settings), settings);
    let error = check_iterations(&settings).unwrap_err();
    let text = error.to_string();
    assert_has(
        &text,
        &[
            "scoring.learningRate: the learning rate is 1.5\n",
            "scoring.BrainExpBeta: the scale of a logit model is -1\n",
            "scoring.activityParams: activities \"home\" have no typical duration, or one of 0",
            "scoring.activityParams: activities \"work\"",
            "replanning.strategysettings: strategy \"ReRout\" is unknown\n    did you mean \"ReRoute\"? known: BestScore, ",
            "ChangeSingleTripMode",
            "replanning.strategysettings: a strategy has no name",
            "replanning.strategysettings: strategy ReRoute has no weight",
            "replanning.strategysettings: all strategies have the weight 0",
        ],
    );
    assert_eq!(error.0.total(), 8, "{text}");
    let mut settings = Settings::default();
    assert_has(&check_iterations(&settings).unwrap_err().to_string(), &["there is no strategy"]);
    settings.replanning.strategies.push(strategy(Strategy::ChangeExpBeta, 1.0));
    assert_eq!(check_iterations(&settings), Ok(()));
    for (learning_rate, beta) in [(f64::NAN, 1.0), (1.0, f64::NAN), (-0.1, 1.0)] {
        settings.scoring.learning_rate = learning_rate;
        settings.scoring.brain_exp_beta = beta;
        assert!(check_iterations(&settings).is_err(), "{learning_rate} {beta}");
    }
}

#[test]
fn every_strategy_has_its_own_name() {
    for strategy in Strategy::ALL {
        assert_eq!(Strategy::named(strategy.name()), Some(strategy));
    }
    assert_eq!(ScoringParameters::default().modes.len(), DEFAULT_SCORED_MODES.len());
}
