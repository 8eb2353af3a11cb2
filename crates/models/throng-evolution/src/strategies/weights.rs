//! The choice of a strategy by its weight.

use throng_traffic_scenario::settings::{Replanning, StrategySettings};

/// The weights of a subpopulation's strategies in an iteration.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Weights {
    /// Strategies, by position in the settings, with their weights: 0 for those switched off.
    strategies: Vec<(u16, f64)>,
    /// Sum in MATSim's order, with its rounding.
    sum: f64,
}

impl Weights {
    /// Returns the weights in `iteration` of the given strategies, in this order; each with its position in the
    /// settings, its weight, and the last iteration in which it is used.
    pub fn new(strategies: &[(u16, f64, u32)], iteration: u32) -> Self {
        let mut sum = strategies.iter().fold(0.0, |sum, &(_, weight, _)| sum + weight);
        let mut ended: Vec<_> = strategies.iter().filter(|&&(_, _, last)| last < iteration).collect();
        ended.sort_by_key(|&&(_, _, last)| last);
        for &&(_, weight, _) in &ended {
            sum += 0.0 - weight;
        }
        let weight =
            |&(position, weight, last): &(u16, f64, u32)| (position, if last < iteration { 0.0 } else { weight });
        Self { strategies: strategies.iter().map(weight).collect(), sum }
    }

    /// Whether any strategy can be chosen.
    pub fn are_positive(&self) -> bool {
        self.strategies.iter().any(|&(_, weight)| weight > 0.0)
    }

    /// Returns the strategy for a number in `[0, 1)`: the first one at which the running sum of weights reaches this
    /// fraction of all weights. If rounding leaves none, the last one with a positive weight.
    pub fn choose(&self, unit: f64) -> u16 {
        let x = unit * self.sum;
        let mut cumulative = 0.0;
        for &(strategy, weight) in &self.strategies {
            cumulative += weight;
            if x <= cumulative {
                return strategy;
            }
        }
        let last = self.strategies.iter().rev().find(|&&(_, weight)| weight > 0.0);
        last.or(self.strategies.last()).map_or(0, |&(strategy, _)| strategy)
    }
}

/// Returns the last iteration in which a strategy is used; `u32::MAX` if it is never switched off.
///
/// The fraction applies to strategies that innovate only, and is rounded towards zero.
pub(super) fn last_iteration(settings: &StrategySettings, replanning: &Replanning, first: u32, last: u32) -> u32 {
    let own = settings.until_iteration.unwrap_or(u32::MAX);
    if !settings.strategy.innovates() || replanning.innovation_until_fraction == f64::INFINITY {
        return own;
    }
    let iterations = f64::from(last) - f64::from(first);
    let until = iterations * replanning.innovation_until_fraction + f64::from(first);
    if until >= f64::from(i32::MAX) { own } else { own.min(until as u32) }
}

#[cfg(test)]
mod tests {
    use throng_traffic_scenario::settings::Strategy;

    use super::*;

    const NEVER: u32 = u32::MAX;

    #[test]
    fn the_sum_keeps_its_rounding() {
        let settings = [(0, 0.1, NEVER), (1, 0.7, 5)];
        assert_eq!(Weights::new(&settings, 5).sum, 0.799_999_999_999_999_9, "0.1 + 0.7");
        // After the end of the second strategy, the sum differs from the weight of the first one.
        assert_eq!(Weights::new(&settings, 6).sum, 0.099_999_999_999_999_98, "0.1 + 0.7 - 0.7");
    }

    #[test]
    fn a_sum_above_the_last_step_gives_the_last_strategy_with_a_weight() {
        let weights = Weights { strategies: vec![(0, 0.5), (1, 0.25), (2, 0.0)], sum: 0.76 };
        assert_eq!(weights.choose(0.999), 1);
    }

    #[test]
    fn strategies_without_weight_are_chosen_at_equality_only() {
        let weights = Weights::new(&[(3, 0.0, NEVER), (4, 0.5, NEVER), (5, 0.0, NEVER), (6, 0.5, NEVER)], 1);
        assert_eq!([0.0, 1e-300, 0.5, 0.5 + 1e-15, 0.999].map(|unit| weights.choose(unit)), [3, 4, 4, 6, 6]);
        assert!(weights.are_positive());
        assert!(!Weights::new(&[(0, 1.0, 4)], 5).are_positive());
    }

    #[test]
    fn a_strategy_is_used_up_to_its_last_iteration() {
        let settings = [(0, 0.5, NEVER), (1, 0.5, 40)];
        assert_eq!(Weights::new(&settings, 40).choose(0.9), 1);
        assert_eq!(Weights::new(&settings, 41).choose(0.9), 0);
    }

    #[test]
    fn innovation_ends_at_the_fraction_or_before() {
        let of = |strategy, until_iteration, fraction, first, last| {
            let settings = StrategySettings { strategy, weight: 0.1, subpopulation: None, until_iteration };
            let replanning = Replanning { innovation_until_fraction: fraction, ..Replanning::default() };
            last_iteration(&settings, &replanning, first, last)
        };
        assert_eq!(of(Strategy::ReRoute, None, 0.8, 0, 50), 40);
        assert_eq!(of(Strategy::ReRoute, None, 0.79, 0, 50), 39);
        assert_eq!(of(Strategy::ReRoute, None, 0.8, 10, 20), 18);
        assert_eq!(of(Strategy::ReRoute, Some(7), 0.8, 0, 50), 7);
        assert_eq!(of(Strategy::ReRoute, Some(45), 0.8, 0, 50), 40);
        assert_eq!(of(Strategy::ReRoute, None, f64::INFINITY, 0, 50), NEVER);
        assert_eq!(of(Strategy::ReRoute, None, f64::INFINITY, 10, 10), NEVER, "a run of one iteration");
        assert_eq!(of(Strategy::BestScore, None, 0.8, 0, 50), NEVER);
        assert_eq!(of(Strategy::BestScore, Some(7), 0.8, 0, 50), 7);
    }
}
