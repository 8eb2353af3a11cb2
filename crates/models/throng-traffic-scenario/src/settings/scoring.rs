//! Group `scoring`: the utility of executed plans (Charypar and Nagel).

/// Group `scoring` (formerly `planCalcScore`).
#[derive(Debug, Clone, PartialEq)]
pub struct Scoring {
    /// `writeExperiencedPlans`: whether plans are also written as they took place.
    pub writes_experienced_plans: bool,
    /// `learningRate`: weight of the new score of a plan that has a score already.
    pub learning_rate: f64,
    /// `BrainExpBeta`: scale of the logit model of the strategies `ChangeExpBeta` and `SelectExpBeta`, 1/util.
    pub brain_exp_beta: f64,
    /// `pathSizeLogitBeta`: exponent of the path size.
    pub path_size_logit_beta: f64,
    /// `fractionOfIterationsToStartScoreMSA`: from this fraction of the iterations on, scores are averaged.
    pub msa_from_fraction: Option<f64>,
    /// `usingOldScoringBelowZeroUtilityDuration`: whether short activities are scored as in releases before 2010.
    pub old_below_zero_utility_duration: bool,
    /// The parameter sets `scoringParameters`; the one without a subpopulation is for all persons who have no other.
    /// If there are several in a config, one must be for the subpopulation `default`.
    pub parameters: Vec<ScoringParameters>,
}

impl Default for Scoring {
    fn default() -> Self {
        Self {
            writes_experienced_plans: false,
            learning_rate: 1.0,
            brain_exp_beta: 1.0,
            path_size_logit_beta: 1.0,
            msa_from_fraction: None,
            old_below_zero_utility_duration: false,
            parameters: vec![ScoringParameters::default()],
        }
    }
}

impl Scoring {
    /// Returns the parameters without a subpopulation, or else those of the subpopulation `default`, which single
    /// parameters of the group are about. If there are none, adds them.
    pub fn general_mut(&mut self) -> &mut ScoringParameters {
        let of = |name: Option<&str>| self.parameters.iter().position(|set| set.subpopulation.as_deref() == name);
        let at = of(None).or_else(|| of(Some("default"))).unwrap_or_else(|| {
            self.parameters.insert(0, ScoringParameters::default());
            0
        });
        &mut self.parameters[at]
    }
}

/// A parameter set `scoringParameters`: the preferences of a subpopulation.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoringParameters {
    /// `subpopulation`: the value of the attribute of this name that persons of the set have.
    pub subpopulation: Option<String>,
    /// `performing`: marginal utility of an activity at its typical duration, utils/h.
    pub performing_per_h: f64,
    /// `lateArrival`, utils/h.
    pub late_arrival_per_h: f64,
    /// `earlyDeparture`, utils/h.
    pub early_departure_per_h: f64,
    /// `waiting`: marginal utility of waiting for an activity to open, utils/h.
    pub waiting_per_h: f64,
    /// `waitingPt`: marginal utility of waiting at stops, utils/h; `None`: that of travelling by pt.
    pub waiting_pt_per_h: Option<f64>,
    /// `marginalUtilityOfMoney`, utils per unit of money.
    pub utility_of_money: f64,
    /// `utilityOfLineSwitch`, utils.
    pub utility_of_line_switch: f64,
    /// The parameter sets `activityParams`.
    pub activities: Vec<ActivityParameters>,
    /// The parameter sets `modeParams`. A set of a config has the modes that it names, and no others.
    pub modes: Vec<ModeParameters>,
}

/// Modes of the parameters that apply if a config has no set `scoringParameters`.
pub const DEFAULT_SCORED_MODES: [&str; 6] = ["car", "pt", "walk", "bike", "ride", "other"];

impl Default for ScoringParameters {
    fn default() -> Self {
        Self {
            subpopulation: None,
            performing_per_h: 6.0,
            late_arrival_per_h: -18.0,
            early_departure_per_h: 0.0,
            waiting_per_h: 0.0,
            waiting_pt_per_h: None,
            utility_of_money: 1.0,
            utility_of_line_switch: -1.0,
            activities: Vec::new(),
            modes: DEFAULT_SCORED_MODES.map(ModeParameters::new).into(),
        }
    }
}

/// A parameter set `activityParams`: the utility of an activity type.
#[derive(Debug, Clone, PartialEq)]
pub struct ActivityParameters {
    /// `activityType`.
    pub kind: String,
    /// `typicalDuration`, seconds; 0 if it is missing.
    pub typical_duration_s: f64,
    /// `priority`.
    pub priority: f64,
    /// `minimalDuration`, seconds.
    pub minimal_duration_s: Option<f64>,
    /// `openingTime`, seconds of the day.
    pub opening_s: Option<f64>,
    /// `closingTime`, seconds of the day.
    pub closing_s: Option<f64>,
    /// `latestStartTime`, seconds of the day.
    pub latest_start_s: Option<f64>,
    /// `earliestEndTime`, seconds of the day.
    pub earliest_end_s: Option<f64>,
    /// `scoringThisActivityAtAll`.
    pub is_scored: bool,
    /// `typicalDurationScoreComputation`.
    pub score_at_typical_duration: TypicalDurationScore,
}

impl ActivityParameters {
    /// An activity type with MATSim's defaults.
    pub fn new(kind: &str, typical_duration_s: f64) -> Self {
        Self {
            kind: kind.to_owned(),
            typical_duration_s,
            priority: 1.0,
            minimal_duration_s: None,
            opening_s: None,
            closing_s: None,
            latest_start_s: None,
            earliest_end_s: None,
            is_scored: true,
            score_at_typical_duration: TypicalDurationScore::Relative,
        }
    }
}

/// The utility of an activity that lasts its typical duration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TypicalDurationScore {
    /// `relative`: proportional to the typical duration.
    #[default]
    Relative,
    /// `uniform`: the same for all types.
    Uniform,
}

/// A parameter set `modeParams`: the utility of a mode.
#[derive(Debug, Clone, PartialEq)]
pub struct ModeParameters {
    /// `mode`.
    pub mode: String,
    /// `constant`, utils per leg.
    pub constant: f64,
    /// `marginalUtilityOfTraveling_util_hr`.
    pub traveling_per_h: f64,
    /// `marginalUtilityOfDistance_util_m`.
    pub distance_per_m: f64,
    /// `monetaryDistanceRate`, units of money per metre.
    pub monetary_distance_rate_per_m: f64,
    /// `dailyUtilityConstant`: utils for a day on which the mode is used.
    pub daily_utility: f64,
    /// `dailyMonetaryConstant`: units of money for a day on which the mode is used.
    pub daily_money: f64,
}

impl ModeParameters {
    /// A mode with MATSim's defaults.
    pub fn new(mode: &str) -> Self {
        Self {
            mode: mode.to_owned(),
            constant: 0.0,
            traveling_per_h: -6.0,
            distance_per_m: 0.0,
            monetary_distance_rate_per_m: 0.0,
            daily_utility: 0.0,
            daily_money: 0.0,
        }
    }
}
