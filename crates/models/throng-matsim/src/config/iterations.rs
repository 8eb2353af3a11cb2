//! Groups `scoring`, `replanning` and those of its strategies: parameters that count once iterations are simulated.
//!
//! Each parameter of a set is in one list, by which sets are read and written. The older single parameters, such as
//! `activityPriority_0`, refer to these lists.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use throng_traffic_scenario::settings::{
    ActivityParameters, ModeParameters, RemovalSelector, Replanning, Scoring, ScoringParameters, Settings, Strategy,
    StrategySettings, TypicalDurationScore,
};

use super::field::{Choice, Field, Rejection, choice};
use super::table::{Effect, Kind, ParameterSpec};
use super::write::push_param;
use super::xml::{Content, ParamSet};

/// A single parameter that counts once iterations are simulated.
pub(super) enum Iterated {
    /// A separate field.
    Field(Field),
    /// This parameter of the set `scoringParameters` for all persons.
    OfScoring(&'static str),
    /// This parameter of the set `modeParams` of the mode in its name.
    OfMode(&'static str),
    /// This parameter of the set `activityParams` with the number in its name.
    OfActivity(&'static str),
    /// This parameter of the set `strategysettings` with the number in its name.
    OfStrategy(&'static str),
}

/// The parameters of a parameter set: names and fields.
type SetFields<S> = &'static [(&'static str, Field<S>)];

const MODE_SET: &str = "modeParams";
const ACTIVITY_SET: &str = "activityParams";
const SCORING_SET: &str = "scoringParameters";
const STRATEGY_SET: &str = "strategysettings";
const TRAVELING: &str = "marginalUtilityOfTraveling_util_hr";

static MODE: SetFields<ModeParameters> = &[
    ("mode", Field::Text(|p| &mut p.mode)),
    ("constant", Field::Number(|p| &mut p.constant)),
    (TRAVELING, Field::Number(|p| &mut p.traveling_per_h)),
    ("marginalUtilityOfDistance_util_m", Field::Number(|p| &mut p.distance_per_m)),
    ("monetaryDistanceRate", Field::Number(|p| &mut p.monetary_distance_rate_per_m)),
    ("dailyUtilityConstant", Field::Number(|p| &mut p.daily_utility)),
    ("dailyMonetaryConstant", Field::Number(|p| &mut p.daily_money)),
];

static ACTIVITY: SetFields<ActivityParameters> = &[
    ("activityType", Field::Text(|p| &mut p.kind)),
    ("typicalDuration", Field::OptionalDuration(|p| &mut p.typical_duration_s)),
    ("priority", Field::Positive(|p| &mut p.priority)),
    ("minimalDuration", Field::TimeOfDay(|p| &mut p.minimal_duration_s)),
    ("openingTime", Field::TimeOfDay(|p| &mut p.opening_s)),
    ("closingTime", Field::TimeOfDay(|p| &mut p.closing_s)),
    ("latestStartTime", Field::TimeOfDay(|p| &mut p.latest_start_s)),
    ("earliestEndTime", Field::TimeOfDay(|p| &mut p.earliest_end_s)),
    ("scoringThisActivityAtAll", Field::Flag(|p| &mut p.is_scored)),
    (
        "typicalDurationScoreComputation",
        Field::Choice(Choice {
            names: &["relative", "uniform"],
            unsupported: &[],
            effect: Effect::Result,
            get: |p| match p.score_at_typical_duration {
                TypicalDurationScore::Relative => "relative",
                TypicalDurationScore::Uniform => "uniform",
            },
            set: |p, name| {
                p.score_at_typical_duration = match name {
                    "relative" => TypicalDurationScore::Relative,
                    "uniform" => TypicalDurationScore::Uniform,
                    _ => return false,
                };
                true
            },
        }),
    ),
];

static SCORING: SetFields<ScoringParameters> = &[
    ("subpopulation", Field::OptionalText(|p| &mut p.subpopulation)),
    ("performing", Field::Number(|p| &mut p.performing_per_h)),
    ("lateArrival", Field::Number(|p| &mut p.late_arrival_per_h)),
    ("earlyDeparture", Field::Number(|p| &mut p.early_departure_per_h)),
    ("waiting", Field::Number(|p| &mut p.waiting_per_h)),
    ("waitingPt", Field::OptionalNumber(|p| &mut p.waiting_pt_per_h)),
    ("marginalUtilityOfMoney", Field::Number(|p| &mut p.utility_of_money)),
    ("utilityOfLineSwitch", Field::Number(|p| &mut p.utility_of_line_switch)),
];

static STRATEGY: SetFields<StrategySettings<String>> = &[
    ("strategyName", Field::Text(|p| &mut p.strategy)),
    ("weight", Field::NotNegative(|p| &mut p.weight)),
    ("subpopulation", Field::OptionalText(|p| &mut p.subpopulation)),
    ("disableAfterIteration", Field::Iteration(|p| &mut p.until_iteration)),
];

const fn iterated(
    group: &'static str,
    name: &'static str,
    parameter: Iterated,
    unit: &'static str,
    meaning: &'static str,
) -> ParameterSpec {
    ParameterSpec { group, name, aliases: &[], kind: Kind::Iterated(parameter), unit, meaning }
}

const fn scoring(name: &'static str, parameter: Iterated, unit: &'static str, meaning: &'static str) -> ParameterSpec {
    iterated("scoring", name, parameter, unit, meaning)
}

const fn replanning(name: &'static str, parameter: Iterated, meaning: &'static str) -> ParameterSpec {
    iterated("replanning", name, parameter, "", meaning)
}

const fn also(aliases: &'static [&'static str], parameter: ParameterSpec) -> ParameterSpec {
    ParameterSpec { aliases, ..parameter }
}

const OF_ACTIVITY: &str = "the same in the parameter set activityParams with the number *";
const OF_STRATEGY: &str = "the same in the parameter set strategysettings with the number *";

pub(super) static ITERATED: &[ParameterSpec] = &[
    scoring(
        "learningRate",
        Iterated::Field(Field::Number(|s| &mut s.scoring.learning_rate)),
        "",
        "weight of the new score of a plan that has a score already",
    ),
    also(
        &["scoring.brainExpBeta"],
        scoring(
            "BrainExpBeta",
            Iterated::Field(Field::Number(|s| &mut s.scoring.brain_exp_beta)),
            "1/util",
            "scale of the logit model of ChangeExpBeta and SelectExpBeta",
        ),
    ),
    also(
        &["scoring.pathSizeLogitBeta"],
        scoring(
            "PathSizeLogitBeta",
            Iterated::Field(Field::Number(|s| &mut s.scoring.path_size_logit_beta)),
            "",
            "exponent of the path size in SelectPathSizeLogit",
        ),
    ),
    scoring(
        "fractionOfIterationsToStartScoreMSA",
        Iterated::Field(Field::OptionalNumber(|s| &mut s.scoring.msa_from_fraction)),
        "",
        "from this fraction of the iterations on, scores are averaged",
    ),
    scoring(
        "usingOldScoringBelowZeroUtilityDuration",
        Iterated::Field(Field::Flag(|s| &mut s.scoring.old_below_zero_utility_duration)),
        "",
        "whether short activities are scored as in old releases",
    ),
    scoring("lateArrival", Iterated::OfScoring("lateArrival"), "utils/h", "utility of arriving after the latest start"),
    scoring(
        "earlyDeparture",
        Iterated::OfScoring("earlyDeparture"),
        "utils/h",
        "utility of leaving before the earliest end",
    ),
    scoring("waiting", Iterated::OfScoring("waiting"), "utils/h", "utility of waiting for an activity to open"),
    scoring("marginalUtilityOfMoney", Iterated::OfScoring("marginalUtilityOfMoney"), "utils/money", "utility of money"),
    scoring(
        "traveling_*",
        Iterated::OfMode(TRAVELING),
        "utils/h",
        "utility of travelling by the mode *; also travelingBike, travelingOther, and traveling for car",
    ),
    scoring(
        "constant_*",
        Iterated::OfMode("constant"),
        "utils",
        "utility of each leg of the mode *; also constantCar, constantPt, constantWalk, constantBike and constantOther",
    ),
    scoring("activityType_*", Iterated::OfActivity("activityType"), "", OF_ACTIVITY),
    scoring("activityTypicalDuration_*", Iterated::OfActivity("typicalDuration"), "", OF_ACTIVITY),
    scoring("activityPriority_*", Iterated::OfActivity("priority"), "", OF_ACTIVITY),
    scoring("activityMinimalDuration_*", Iterated::OfActivity("minimalDuration"), "", OF_ACTIVITY),
    scoring("activityOpeningTime_*", Iterated::OfActivity("openingTime"), "", OF_ACTIVITY),
    scoring("activityClosingTime_*", Iterated::OfActivity("closingTime"), "", OF_ACTIVITY),
    scoring("activityLatestStartTime_*", Iterated::OfActivity("latestStartTime"), "", OF_ACTIVITY),
    scoring("activityEarliestEndTime_*", Iterated::OfActivity("earliestEndTime"), "", OF_ACTIVITY),
    scoring("scoringThisActivityAtAll_*", Iterated::OfActivity("scoringThisActivityAtAll"), "", OF_ACTIVITY),
    replanning(
        "maxAgentPlanMemorySize",
        Iterated::Field(Field::Count(|s| &mut s.replanning.max_plans)),
        "maximum number of plans of a person; 0 for any number",
    ),
    replanning(
        "fractionOfIterationsToDisableInnovation",
        Iterated::Field(Field::Number(|s| &mut s.replanning.innovation_until_fraction)),
        "from this fraction of the iterations on, strategies create no new plans",
    ),
    replanning(
        "planSelectorForRemoval",
        Iterated::Field(choice!(s.replanning.removal: RemovalSelector {
            WorstPlan = "WorstPlanSelector",
            Random = "SelectRandom",
            ExpBeta = "SelectExpBetaForRemoval",
            ChangeExpBeta = "ChangeExpBetaForRemoval",
            PathSizeLogit = "PathSizeLogitSelectorForRemoval",
        })),
        "the plan that a person with too many plans forgets",
    ),
    replanning("Module_*", Iterated::OfStrategy("strategyName"), OF_STRATEGY),
    replanning("ModuleProbability_*", Iterated::OfStrategy("weight"), OF_STRATEGY),
    replanning("ModuleSubpopulation_*", Iterated::OfStrategy("subpopulation"), OF_STRATEGY),
    replanning("ModuleDisableAfterIteration_*", Iterated::OfStrategy("disableAfterIteration"), OF_STRATEGY),
    iterated(
        "timeAllocationMutator",
        "mutationRange",
        Iterated::Field(Field::NotNegative(|s| &mut s.replanning.time_mutation.range_s)),
        "s",
        "maximum change of a time",
    ),
    iterated(
        "timeAllocationMutator",
        "mutationAffectsDuration",
        Iterated::Field(Field::Flag(|s| &mut s.replanning.time_mutation.affects_duration)),
        "",
        "whether maximum durations change, too",
    ),
    iterated(
        "changeMode",
        "modes",
        Iterated::Field(Field::Modes(|s| &mut s.replanning.change_mode.modes)),
        "",
        "modes among which trips change",
    ),
    iterated(
        "changeMode",
        "ignoreCarAvailability",
        Iterated::Field(Field::Flag(|s| &mut s.replanning.change_mode.ignores_car_availability)),
        "",
        "whether persons without a car may change to it",
    ),
    iterated(
        "subtourModeChoice",
        "modes",
        Iterated::Field(Field::Modes(|s| &mut s.replanning.subtour_mode_choice.modes)),
        "",
        "modes among which tours change",
    ),
    iterated(
        "subtourModeChoice",
        "chainBasedModes",
        Iterated::Field(Field::Modes(|s| &mut s.replanning.subtour_mode_choice.chain_based_modes)),
        "",
        "modes whose vehicle must be brought back",
    ),
    iterated(
        "subtourModeChoice",
        "considerCarAvailability",
        Iterated::Field(Field::Flag(|s| &mut s.replanning.subtour_mode_choice.considers_car_availability)),
        "",
        "whether persons without a car do not change to it",
    ),
    iterated(
        "subtourModeChoice",
        "probaForRandomSingleTripMode",
        Iterated::Field(Field::NotNegative(|s| &mut s.replanning.subtour_mode_choice.single_trip_probability)),
        "",
        "probability with which a single trip changes instead of a tour",
    ),
];

impl Iterated {
    /// Describes the valid values.
    pub(super) fn expected(&self) -> String {
        match self {
            Self::Field(field) => field.expected(),
            Self::OfScoring(name) => field_of(SCORING, name).expected(),
            Self::OfMode(name) => field_of(MODE, name).expected(),
            Self::OfActivity(name) => field_of(ACTIVITY, name).expected(),
            Self::OfStrategy(name) => field_of(STRATEGY, name).expected(),
        }
    }

    /// Returns the default; empty if there is none.
    #[cfg(test)]
    pub(super) fn default_text(&self, defaults: &mut Settings) -> String {
        match self {
            Self::Field(field) => field.text(defaults),
            Self::OfScoring(name) => field_of(SCORING, name).text(&mut ScoringParameters::default()),
            Self::OfMode(name) => field_of(MODE, name).text(&mut ModeParameters::new("")),
            Self::OfActivity("activityType") | Self::OfStrategy("strategyName" | "weight") => String::new(),
            Self::OfActivity(name) => field_of(ACTIVITY, name).text(&mut unnamed_activity()),
            Self::OfStrategy(name) => field_of(STRATEGY, name).text(&mut unnamed_strategy()),
        }
    }
}

/// Returns a field that is in the list.
fn field_of<S>(fields: SetFields<S>, name: &str) -> &'static Field<S> {
    let found = fields.iter().find(|(known, _)| *known == name);
    &found.expect("the table of parameters names fields of sets only").1
}

/// Returns the type names of the parameter sets of a group, and the names of their parameters.
pub(super) fn parameter_sets(group: &str) -> Vec<(&'static str, String)> {
    fn names<S>(fields: SetFields<S>) -> String {
        fields.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
    }
    match group {
        "scoring" => {
            let all = format!("{}, and sets {MODE_SET} and {ACTIVITY_SET}", names(SCORING));
            vec![(SCORING_SET, all), (MODE_SET, names(MODE)), (ACTIVITY_SET, names(ACTIVITY))]
        }
        "replanning" => vec![(STRATEGY_SET, names(STRATEGY))],
        _ => Vec::new(),
    }
}

/// The state of reading these groups: the sets that have numbers, and strategies in the order of the file.
#[derive(Default)]
pub(super) struct Iterations {
    /// Activity types by number.
    activities: BTreeMap<String, String>,
    /// Strategies, with their numbers if they have one.
    strategies: Vec<(Option<String>, StrategySettings<String>)>,
}

/// An invalid value in a parameter set.
pub(super) struct Invalid {
    /// The parameter, as `set.parameter`.
    pub name: String,
    /// The value in a sentence after the name.
    pub value: String,
    pub line: u64,
    pub remedy: String,
}

impl Iterations {
    /// Reads a single parameter. `of` is the part of its name that the table leaves open: a mode or a number.
    pub(super) fn set(
        &mut self,
        settings: &mut Settings,
        parameter: &Iterated,
        of: &str,
        text: &str,
    ) -> Result<(), Rejection> {
        let here = Path::new("");
        match parameter {
            Iterated::Field(field) => field.set(settings, text, here),
            Iterated::OfScoring(name) => field_of(SCORING, name).set(settings.scoring.general_mut(), text, here),
            Iterated::OfMode(name) => field_of(MODE, name).set(mode(&mut settings.scoring, of), text, here),
            Iterated::OfActivity(name) => {
                let kind = self.activities.entry(of.to_owned()).or_insert_with(|| of.to_owned());
                let activities = &mut settings.scoring.general_mut().activities;
                let old = activities.iter().position(|activity| activity.kind == *kind);
                let mut activity = match old {
                    Some(old) => activities.remove(old),
                    None => ActivityParameters::new(kind, 0.0),
                };
                let result = field_of(ACTIVITY, name).set(&mut activity, text, here);
                activity.kind.clone_into(kind);
                activities.retain(|other| other.kind != *kind);
                activities.insert(old.unwrap_or(activities.len()).min(activities.len()), activity);
                result
            }
            Iterated::OfStrategy(name) => {
                let is_it = |(number, _): &(Option<String>, _)| number.as_deref() == Some(of);
                let at = self.strategies.iter().position(is_it).unwrap_or_else(|| {
                    self.strategies.push((Some(of.to_owned()), unnamed_strategy()));
                    self.strategies.len() - 1
                });
                field_of(STRATEGY, name).set(&mut self.strategies[at].1, text, here)
            }
        }
    }

    /// Sets the parameter of scoring that a parameter of routers, which has been read, stands for as well.
    pub(super) fn set_as_of_router(&mut self, settings: &mut Settings, known: &ParameterSpec, of: &str, text: &str) {
        let (parameter, of) = match (known.group, known.name) {
            ("scoring", "performing" | "waitingPt" | "utilityOfLineSwitch") => (Iterated::OfScoring(known.name), of),
            ("scoring", "travelingWalk") => (Iterated::OfMode(TRAVELING), "walk"),
            ("scoring", "travelingPt") => (Iterated::OfMode(TRAVELING), "pt"),
            ("scoring", "monetaryDistanceRate_*") => (Iterated::OfMode("monetaryDistanceRate"), of),
            ("scoring", "marginalUtlOfDistance_*") => (Iterated::OfMode("marginalUtilityOfDistance_util_m"), of),
            _ => return,
        };
        // Costs of routes are 0 if they are not given.
        let is_cost = matches!(known.kind, Kind::RouteCost(_));
        let text = if is_cost && matches!(text.trim(), "" | "null") { "0" } else { text };
        let read = self.set(settings, &parameter, of, text);
        debug_assert_eq!(read, Ok(()), "the router has read the same value");
    }

    /// Reads the parameter sets of a group, and returns their invalid values.
    pub(super) fn sets(&mut self, settings: &mut Settings, group: &str, content: &Content) -> Vec<Invalid> {
        let mut invalid = Vec::new();
        for set in &content.sets {
            match (group, set.kind.as_str()) {
                ("scoring", SCORING_SET) => {
                    let empty = ScoringParameters { modes: Vec::new(), ..ScoringParameters::default() };
                    let mut parameters = read_set(empty, SCORING, set, &mut invalid);
                    for inner in &set.content.sets {
                        add_to(&mut parameters, inner, &mut invalid);
                    }
                    add_parameters(&mut settings.scoring, parameters);
                }
                ("scoring", _) => add_to(settings.scoring.general_mut(), set, &mut invalid),
                ("replanning", STRATEGY_SET) => {
                    self.strategies.push((None, read_set(unnamed_strategy(), STRATEGY, set, &mut invalid)));
                }
                _ => {}
            }
        }
        invalid
    }

    /// Adds the strategies to the settings.
    pub(super) fn finish(self, replanning: &mut Replanning) {
        for (_, found) in self.strategies {
            let StrategySettings { strategy, weight, subpopulation, until_iteration } = found;
            match Strategy::named(&strategy) {
                Some(strategy) => {
                    replanning.strategies.push(StrategySettings { strategy, weight, subpopulation, until_iteration });
                }
                None => replanning.unknown_strategies.push(StrategySettings {
                    strategy,
                    weight,
                    subpopulation,
                    until_iteration,
                }),
            }
        }
    }
}

fn unnamed_activity() -> ActivityParameters {
    ActivityParameters::new("", 0.0)
}

fn unnamed_strategy() -> StrategySettings<String> {
    StrategySettings { strategy: String::new(), weight: -1.0, subpopulation: None, until_iteration: None }
}

/// Returns the general parameters of a mode, which are added if there are none.
fn mode<'s>(scoring: &'s mut Scoring, name: &str) -> &'s mut ModeParameters {
    let modes = &mut scoring.general_mut().modes;
    let at = modes.iter().position(|mode| mode.mode == name).unwrap_or_else(|| {
        modes.push(ModeParameters::new(name));
        modes.len() - 1
    });
    &mut modes[at]
}

/// Adds parameters as MATSim does: they replace those of the same subpopulation, or else those without one.
fn add_parameters(scoring: &mut Scoring, parameters: ScoringParameters) {
    let of = |name: Option<&str>| scoring.parameters.iter().position(|set| set.subpopulation.as_deref() == name);
    if let Some(old) = of(parameters.subpopulation.as_deref()).or_else(|| of(None)) {
        scoring.parameters.remove(old);
    }
    scoring.parameters.push(parameters);
}

/// Reads a set of a mode or an activity type, which replaces an earlier one.
fn add_to(parameters: &mut ScoringParameters, set: &ParamSet, invalid: &mut Vec<Invalid>) {
    let without = |name: &str| Invalid {
        name: set.kind.clone(),
        value: format!("has no {name}"),
        line: set.line,
        remedy: format!("add <param name=\"{name}\" value=\"...\"/>"),
    };
    match set.kind.as_str() {
        MODE_SET => {
            let mode = read_set(ModeParameters::new(""), MODE, set, invalid);
            if mode.mode.is_empty() {
                return invalid.push(without("mode"));
            }
            parameters.modes.retain(|other| other.mode != mode.mode);
            parameters.modes.push(mode);
        }
        ACTIVITY_SET => {
            let activity = read_set(unnamed_activity(), ACTIVITY, set, invalid);
            if activity.kind.is_empty() {
                return invalid.push(without("activityType"));
            }
            parameters.activities.retain(|other| other.kind != activity.kind);
            parameters.activities.push(activity);
        }
        _ => {}
    }
}

/// Reads the known parameters of a set.
fn read_set<S>(mut into: S, fields: SetFields<S>, set: &ParamSet, invalid: &mut Vec<Invalid>) -> S {
    for param in &set.content.params {
        let Some((_, field)) = fields.iter().find(|(name, _)| *name == param.name) else { continue };
        if field.set(&mut into, &param.value, Path::new("")).is_err() {
            invalid.push(Invalid {
                name: format!("{}.{}", set.kind, param.name),
                value: format!("is \"{}\"", param.value),
                line: param.line,
                remedy: format!("expected {}", field.expected()),
            });
        }
    }
    into
}

/// Returns the parameters and parameter sets of a group that differ from the defaults, as in a config file.
pub(super) fn written(group: &str, settings: &Settings) -> String {
    let mut out = String::new();
    let (mut settings, mut defaults) = (settings.clone(), Settings::default());
    for known in ITERATED.iter().filter(|known| known.group == group) {
        if let Kind::Iterated(Iterated::Field(field)) = &known.kind {
            let text = field.text(&mut settings);
            if text != field.text(&mut defaults) {
                push_param(&mut out, "\t\t", known.name, &text);
            }
        }
    }
    if group == "scoring" && settings.scoring.parameters != defaults.scoring.parameters {
        for parameters in &settings.scoring.parameters {
            push_set(&mut out, 2, SCORING_SET, (SCORING, parameters, ScoringParameters::default()), |out| {
                for mode in &parameters.modes {
                    push_set(out, 3, MODE_SET, (MODE, mode, ModeParameters::new("")), |_| {});
                }
                for activity in &parameters.activities {
                    push_set(out, 3, ACTIVITY_SET, (ACTIVITY, activity, unnamed_activity()), |_| {});
                }
            });
        }
    }
    if group == "replanning" {
        let replanning = &settings.replanning;
        let known = replanning.strategies.iter().map(|one| StrategySettings {
            strategy: one.strategy.name().to_owned(),
            weight: one.weight,
            subpopulation: one.subpopulation.clone(),
            until_iteration: one.until_iteration,
        });
        for strategy in known.chain(replanning.unknown_strategies.iter().cloned()) {
            push_set(&mut out, 2, STRATEGY_SET, (STRATEGY, &strategy, unnamed_strategy()), |_| {});
        }
    }
    out
}

/// Writes a set: the values that differ from the defaults, then its own sets.
fn push_set<S: Clone>(
    out: &mut String,
    depth: usize,
    kind: &str,
    (fields, set, mut defaults): (SetFields<S>, &S, S),
    push_sets: impl FnOnce(&mut String),
) {
    let (indent, mut set) = ("\t".repeat(depth), set.clone());
    let _ = writeln!(out, "{indent}<parameterset type=\"{kind}\">");
    for (name, field) in fields {
        let text = field.text(&mut set);
        if text != field.text(&mut defaults) {
            push_param(out, &format!("{indent}\t"), name, &text);
        }
    }
    push_sets(out);
    let _ = writeln!(out, "{indent}</parameterset>");
}
