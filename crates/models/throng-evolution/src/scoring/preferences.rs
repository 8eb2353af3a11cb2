//! Parameters of a subpopulation, prepared for the utility functions.

use throng_core::{IdTable, InputError, NONE, Problems};
use throng_traffic_scenario::settings::{ActivityParameters, ModeParameters, Scoring, ScoringParameters};
use throng_traffic_scenario::{ModeId, ModeTable, Scenario, is_interaction};

use super::Fault;
use super::utility::{self, ActivityUtility, LegUtility, Rates, zero_utility_duration_h};

/// A first activity of this type counts as one of the same type as the last activity.
const NOT_SPECIFIED: &str = "not specified";
const PT: &str = "pt";
/// Modes that share the parameters of `walk` by default.
const LIKE_WALK: [&str; 2] = ["transit_walk", "non_network_walk"];
const WALK: &str = "walk";

/// Returns the position in `sets` of the parameters for a person with this value of the attribute `subpopulation`:
/// those of the subpopulation, else those without one. `None` if there are neither.
pub fn parameter_set(sets: &[ScoringParameters], subpopulation: Option<&str>) -> Option<usize> {
    let position = |name: Option<&str>| sets.iter().position(|set| set.subpopulation.as_deref() == name);
    position(subpopulation).or_else(|| position(None))
}

/// The names behind the indices of activity types and modes.
#[derive(Debug, Clone, Copy)]
pub struct Names<'a> {
    /// Activity types.
    pub activity_types: &'a IdTable,
    /// Modes.
    pub modes: &'a ModeTable,
}

/// The preferences of the persons of a subpopulation: a parameter set with rates per second and with activity types and
/// modes by index.
#[derive(Debug, Clone, PartialEq)]
pub struct Preferences {
    pub(super) subpopulation: Option<String>,
    pub(super) rates: Rates,
    pub(super) utility_of_money: f64,
    pub(super) utility_of_line_switch: f64,
    /// Marginal utility of waiting at a stop minus that of travelling by `pt`, utils/s: waiting is a part of the
    /// travel time of a leg.
    pub(super) waiting_at_stops_per_s: f64,
    /// The constant of the mode `pt`.
    pub(super) pt_constant: f64,
    /// The utility of being aborted.
    pub(super) abort: f64,
    /// The end of a last activity without continuation, seconds of the day.
    pub(super) end_of_period_s: f64,
    /// The index of the type `not specified`, or [`NONE`].
    pub(super) not_specified: u32,
    activities: Vec<ActivityScore>,
    /// Whether a type is that of activities between two legs of a trip.
    pub(super) is_interaction: Vec<bool>,
    modes: Vec<Option<ModeScore>>,
}

/// How activities of a type are scored.
#[derive(Debug, Clone, Copy, PartialEq)]
enum ActivityScore {
    Unknown,
    None,
    Utility(ActivityUtility),
}

/// How legs with a mode are scored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ModeScore {
    pub utility: LegUtility,
    /// Whether it is one of the modes of public transport.
    pub is_transit: bool,
}

impl Preferences {
    /// Prepares all parameter sets of a scenario, in the order of the settings.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn of_scenario(scenario: &Scenario, period_days: u32) -> Result<Vec<Self>, InputError> {
        let settings = &scenario.settings;
        let names = Names { activity_types: &scenario.population.activity_types, modes: &scenario.modes };
        let sets = settings.scoring.parameters.iter();
        sets.map(|set| Self::new(&settings.scoring, set, names, &settings.transit.modes, period_days)).collect()
    }

    /// Prepares the parameters of `set`. `transit_modes` are the modes of public transport, and `period_days` is the
    /// length of the simulated period (`scenario.simulationPeriodInDays`).
    ///
    /// # Errors
    /// If a scored activity type has a typical duration or a priority that is not above 0: no duration has utility 0.
    pub fn new(
        scoring: &Scoring,
        set: &ScoringParameters,
        names: Names<'_>,
        transit_modes: &[String],
        period_days: u32,
    ) -> Result<Self, InputError> {
        check(set)?;
        let rates = Rates {
            performing: per_second(set.performing_per_h),
            waiting: per_second(set.waiting_per_h),
            late_arrival: per_second(set.late_arrival_per_h),
            early_departure: per_second(set.early_departure_per_h),
        };
        let mode = |name: &str| set.modes.iter().find(|mode| mode.mode == name);
        let pt = mode(PT).cloned().unwrap_or_else(|| ModeParameters::new(PT));
        let pt_per_s = per_second(pt.traveling_per_h);
        let activity = |kind: &str| match set.activities.iter().find(|activity| activity.kind == kind) {
            Some(activity) if activity.is_scored => {
                ActivityScore::Utility(activity_utility(activity, scoring.old_below_zero_utility_duration))
            }
            Some(_) => ActivityScore::None,
            None if is_interaction(kind) => ActivityScore::None,
            None => ActivityScore::Unknown,
        };
        let mode_score = |name: &str| {
            let like = if LIKE_WALK.contains(&name) { WALK } else { name };
            let parameters = mode(name).or_else(|| mode(like))?;
            let is_transit = transit_modes.iter().any(|mode| mode == name);
            Some(ModeScore { utility: leg_utility(parameters, set.utility_of_money), is_transit })
        };
        Ok(Self {
            subpopulation: set.subpopulation.clone(),
            rates,
            utility_of_money: set.utility_of_money,
            utility_of_line_switch: set.utility_of_line_switch,
            waiting_at_stops_per_s: set.waiting_pt_per_h.map_or(pt_per_s, per_second) - pt_per_s,
            pt_constant: pt.constant,
            abort: utility::of_abort(&rates, set.modes.iter().map(|mode| per_second(mode.traveling_per_h))),
            end_of_period_s: f64::from(period_days) * super::person::DAY_S,
            not_specified: names.activity_types.get(NOT_SPECIFIED).unwrap_or(NONE),
            activities: names.activity_types.iter().map(activity).collect(),
            is_interaction: names.activity_types.iter().map(is_interaction).collect(),
            modes: names.modes.names().map(mode_score).collect(),
        })
    }

    /// Returns the utility of an activity of the type with index `kind`, from `arrival_s` to `departure_s`, seconds of
    /// the day. Activities between two legs of a trip, and types that are not scored, have none.
    ///
    /// # Errors
    /// If the type has no parameters, or the utility is not a number.
    pub fn of_activity(&self, kind: u32, arrival_s: f64, departure_s: f64) -> Result<f64, Fault> {
        let Some(activity) = self.activity(kind)? else { return Ok(0.0) };
        let utility = utility::of_activity(&self.rates, activity, arrival_s, departure_s);
        if utility.is_nan() { Err(Fault::ActivityNotANumber { kind, arrival_s, departure_s }) } else { Ok(utility) }
    }

    /// Returns the parameters of an activity type; `None` if it is not scored.
    pub(super) fn activity(&self, kind: u32) -> Result<Option<&ActivityUtility>, Fault> {
        match self.activities.get(kind as usize) {
            None | Some(ActivityScore::Unknown) => Err(Fault::UnknownActivity(kind)),
            Some(ActivityScore::None) => Ok(None),
            Some(ActivityScore::Utility(activity)) => Ok(Some(activity)),
        }
    }

    /// Returns the parameters of a mode.
    pub(super) fn mode(&self, mode: ModeId) -> Result<&ModeScore, Fault> {
        self.modes.get(usize::from(mode.0)).and_then(Option::as_ref).ok_or(Fault::UnknownMode(mode))
    }
}

fn check(set: &ScoringParameters) -> Result<(), InputError> {
    let mut problems = Problems::new();
    for activity in set.activities.iter().filter(|activity| activity.is_scored) {
        let place = format!("scoring, activity type \"{}\"", activity.kind);
        let (typical, priority) = (activity.typical_duration_s, activity.priority);
        let mut are_valid = true;
        for (name, value) in [("typicalDuration", typical), ("priority", priority)] {
            if !(value > 0.0 && value.is_finite()) {
                are_valid = false;
                let remedy = "give a finite number above 0, or set scoringThisActivityAtAll to false";
                problems.push(format!("{place}, {name}"), value.to_string(), remedy);
            }
        }
        if are_valid && zero_utility_duration_h(typical, priority, activity.score_at_typical_duration) == 0.0 {
            let message =
                format!("with typicalDuration {typical} s and priority {priority}, no duration has utility 0");
            problems.push(place, message, "raise one of them, or set typicalDurationScoreComputation to relative");
        }
    }
    problems.into_result()
}

fn per_second(per_hour: f64) -> f64 {
    per_hour / 3600.0
}

fn activity_utility(activity: &ActivityParameters, old_below_zero: bool) -> ActivityUtility {
    let ActivityParameters { typical_duration_s, priority, score_at_typical_duration, .. } = *activity;
    ActivityUtility {
        typical_duration_s,
        zero_utility_duration_h: zero_utility_duration_h(typical_duration_s, priority, score_at_typical_duration),
        minimal_duration_s: activity.minimal_duration_s,
        opening_s: activity.opening_s,
        closing_s: activity.closing_s,
        latest_start_s: activity.latest_start_s,
        earliest_end_s: activity.earliest_end_s,
        old_below_zero,
    }
}

fn leg_utility(mode: &ModeParameters, utility_of_money: f64) -> LegUtility {
    LegUtility {
        traveling_per_s: per_second(mode.traveling_per_h),
        distance_per_m: mode.distance_per_m,
        money_per_m: mode.monetary_distance_rate_per_m,
        utility_of_money,
        constant: mode.constant,
        daily_utility: mode.daily_utility,
        daily_money: mode.daily_money,
    }
}
