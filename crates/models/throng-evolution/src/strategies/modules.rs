//! The modules of strategies that innovate.

use throng_core::JavaRandom;
use throng_traffic_scenario::settings::Strategy;

use crate::random::MatsimRandom;

/// A change to the copy of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Module {
    /// Times of activities change.
    MutateTimes,
    /// Each trip becomes one leg without a route.
    TripsToLegs,
    /// All legs get another mode.
    ChangeModeOfLegs,
    /// One leg gets another mode.
    ChangeModeOfOneLeg,
    /// The trips of a subtour get another mode.
    ChangeModeOfSubtour,
    /// Trips get new routes.
    ReRoute,
}

/// Returns the modules of a strategy in their order; none for strategies that only select a plan.
///
/// MATSim runs the first module of each strategy while it queues plans, and all others when all persons have their
/// strategy.
pub fn modules_of(strategy: Strategy) -> &'static [Module] {
    match strategy {
        Strategy::BestScore
        | Strategy::KeepLastSelected
        | Strategy::ChangeExpBeta
        | Strategy::SelectExpBeta
        | Strategy::SelectRandom
        | Strategy::SelectPathSizeLogit => &[],
        Strategy::ReRoute => &[Module::ReRoute],
        Strategy::TimeAllocationMutator => &[Module::MutateTimes],
        Strategy::TimeAllocationMutatorReRoute => &[Module::MutateTimes, Module::ReRoute],
        Strategy::SubtourModeChoice => &[Module::ChangeModeOfSubtour, Module::ReRoute],
        Strategy::ChangeTripMode => &[Module::TripsToLegs, Module::ChangeModeOfLegs, Module::ReRoute],
        Strategy::ChangeSingleTripMode => &[Module::TripsToLegs, Module::ChangeModeOfOneLeg, Module::ReRoute],
    }
}

impl Module {
    /// Returns the generators that MATSim creates for this module, thread by thread: `routers` for each thread of
    /// [`Module::ReRoute`] (one per network mode with random costs), none for [`Module::TripsToLegs`], else one. Plan
    /// `i` of the module belongs to thread `i % threads`.
    pub fn generators(self, random: &mut MatsimRandom, threads: u32, routers: u32) -> Vec<JavaRandom> {
        let per_thread = match self {
            Self::ReRoute => routers,
            Self::TripsToLegs => 0,
            Self::MutateTimes | Self::ChangeModeOfLegs | Self::ChangeModeOfOneLeg | Self::ChangeModeOfSubtour => 1,
        };
        (0..threads.max(1) * per_thread).map(|_| random.local()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strategies_with_modules_are_those_that_innovate() {
        for strategy in Strategy::ALL {
            assert_eq!(!modules_of(strategy).is_empty(), strategy.innovates(), "{}", strategy.name());
        }
    }

    /// Two threads: the routers take the generators 1 and 2, the mutator 3 and 4.
    #[test]
    fn generators_are_numbered_module_by_module() {
        let mut random = MatsimRandom::new(4711, 1);
        assert_eq!(Module::ReRoute.generators(&mut random, 2, 1).len(), 2);
        let drawn = Module::MutateTimes.generators(&mut random, 2, 1);
        let expected = [3, 4].map(|k| {
            let mut java = JavaRandom::new(4712 + 23 * k);
            (0..100).for_each(|_| _ = java.next_double());
            java
        });
        assert_eq!(drawn, expected);
    }
}
