//! Group `replanning`, and the groups of its strategies.

/// Group `replanning` (formerly `strategy`).
#[derive(Debug, Clone, PartialEq)]
pub struct Replanning {
    /// `maxAgentPlanMemorySize`: maximum number of plans of a person before replanning; 0 for any number.
    pub max_plans: u32,
    /// `fractionOfIterationsToDisableInnovation`: from this fraction of the iterations on, strategies create no new
    /// plans; infinite: never.
    pub innovation_until_fraction: f64,
    /// `planSelectorForRemoval`.
    pub removal: RemovalSelector,
    /// The parameter sets `strategysettings`, in the order of the file.
    pub strategies: Vec<StrategySettings>,
    /// Those whose `strategyName` is not one of [`Strategy`]; empty if it is missing.
    pub unknown_strategies: Vec<StrategySettings<String>>,
    /// Group `timeAllocationMutator`.
    pub time_mutation: TimeMutation,
    /// Group `subtourModeChoice`.
    pub subtour_mode_choice: SubtourModeChoice,
    /// Group `changeMode`.
    pub change_mode: ChangeMode,
}

impl Default for Replanning {
    fn default() -> Self {
        Self {
            max_plans: 5,
            innovation_until_fraction: f64::INFINITY,
            removal: RemovalSelector::WorstPlan,
            strategies: Vec::new(),
            unknown_strategies: Vec::new(),
            time_mutation: TimeMutation::default(),
            subtour_mode_choice: SubtourModeChoice::default(),
            change_mode: ChangeMode::default(),
        }
    }
}

/// The choice of the plan that a person with too many plans forgets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RemovalSelector {
    /// `WorstPlanSelector`: the lowest score.
    #[default]
    WorstPlan,
    /// `SelectRandom`: any plan.
    Random,
    /// `SelectExpBetaForRemoval`: by a logit model with a negative scale.
    ExpBeta,
    /// `ChangeExpBetaForRemoval`: by pairwise comparison with a negative scale.
    ChangeExpBeta,
    /// `PathSizeLogitSelectorForRemoval`: as `SelectExpBetaForRemoval`, with the overlap of routes.
    PathSizeLogit,
}

/// A parameter set `strategysettings`.
#[derive(Debug, Clone, PartialEq)]
pub struct StrategySettings<S = Strategy> {
    /// `strategyName`.
    pub strategy: S,
    /// `weight`: the probability is the fraction of the sum of weights of the subpopulation. Negative if it is missing.
    pub weight: f64,
    /// `subpopulation`.
    pub subpopulation: Option<String>,
    /// `disableAfterIteration`: the last iteration in which it is used; `None` for all.
    pub until_iteration: Option<u32>,
}

/// A strategy: selects a plan, and may change a copy of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// `BestScore`.
    BestScore,
    /// `KeepLastSelected`.
    KeepLastSelected,
    /// `ChangeExpBeta`.
    ChangeExpBeta,
    /// `SelectExpBeta`.
    SelectExpBeta,
    /// `SelectRandom`.
    SelectRandom,
    /// `SelectPathSizeLogit`.
    SelectPathSizeLogit,
    /// `ReRoute`.
    ReRoute,
    /// `TimeAllocationMutator`.
    TimeAllocationMutator,
    /// `TimeAllocationMutator_ReRoute`.
    TimeAllocationMutatorReRoute,
    /// `SubtourModeChoice`.
    SubtourModeChoice,
    /// `ChangeTripMode`.
    ChangeTripMode,
    /// `ChangeSingleTripMode`.
    ChangeSingleTripMode,
}

impl Strategy {
    /// All strategies.
    pub const ALL: [Self; 12] = [
        Self::BestScore,
        Self::KeepLastSelected,
        Self::ChangeExpBeta,
        Self::SelectExpBeta,
        Self::SelectRandom,
        Self::SelectPathSizeLogit,
        Self::ReRoute,
        Self::TimeAllocationMutator,
        Self::TimeAllocationMutatorReRoute,
        Self::SubtourModeChoice,
        Self::ChangeTripMode,
        Self::ChangeSingleTripMode,
    ];

    /// Returns the strategy with this name of MATSim.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|strategy| strategy.name() == name)
    }

    /// MATSim's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::BestScore => "BestScore",
            Self::KeepLastSelected => "KeepLastSelected",
            Self::ChangeExpBeta => "ChangeExpBeta",
            Self::SelectExpBeta => "SelectExpBeta",
            Self::SelectRandom => "SelectRandom",
            Self::SelectPathSizeLogit => "SelectPathSizeLogit",
            Self::ReRoute => "ReRoute",
            Self::TimeAllocationMutator => "TimeAllocationMutator",
            Self::TimeAllocationMutatorReRoute => "TimeAllocationMutator_ReRoute",
            Self::SubtourModeChoice => "SubtourModeChoice",
            Self::ChangeTripMode => "ChangeTripMode",
            Self::ChangeSingleTripMode => "ChangeSingleTripMode",
        }
    }

    /// Whether it creates plans; the others only select one.
    pub fn innovates(self) -> bool {
        match self {
            Self::BestScore
            | Self::KeepLastSelected
            | Self::ChangeExpBeta
            | Self::SelectExpBeta
            | Self::SelectRandom
            | Self::SelectPathSizeLogit => false,
            Self::ReRoute
            | Self::TimeAllocationMutator
            | Self::TimeAllocationMutatorReRoute
            | Self::SubtourModeChoice
            | Self::ChangeTripMode
            | Self::ChangeSingleTripMode => true,
        }
    }
}

/// Group `timeAllocationMutator`.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeMutation {
    /// `mutationRange`: maximum change of a time, seconds.
    pub range_s: f64,
    /// `mutationAffectsDuration`: whether maximum durations change, too.
    pub affects_duration: bool,
}

impl Default for TimeMutation {
    fn default() -> Self {
        Self { range_s: 1800.0, affects_duration: true }
    }
}

/// Group `subtourModeChoice`.
#[derive(Debug, Clone, PartialEq)]
pub struct SubtourModeChoice {
    /// `modes`.
    pub modes: Vec<String>,
    /// `chainBasedModes`: modes whose vehicle must be brought back.
    pub chain_based_modes: Vec<String>,
    /// `considerCarAvailability`.
    pub considers_car_availability: bool,
    /// `probaForRandomSingleTripMode`.
    pub single_trip_probability: f64,
}

impl Default for SubtourModeChoice {
    fn default() -> Self {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        Self {
            modes: names(&["car", "pt", "bike", "walk"]),
            chain_based_modes: names(&["car", "bike"]),
            considers_car_availability: false,
            single_trip_probability: 0.0,
        }
    }
}

/// Group `changeMode`.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangeMode {
    /// `modes`.
    pub modes: Vec<String>,
    /// `ignoreCarAvailability`.
    pub ignores_car_availability: bool,
}

impl Default for ChangeMode {
    fn default() -> Self {
        Self { modes: ["car", "pt"].map(str::to_owned).into(), ignores_car_availability: true }
    }
}
