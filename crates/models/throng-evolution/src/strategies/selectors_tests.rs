use throng_core::{JavaRandom, Philox};

use super::*;
use crate::random::PersonDraws;

/// Given numbers, one after the other; fails if there are too few, or some are left.
pub(in super::super) struct Script(pub Vec<f64>);

impl Draws for Script {
    fn unit(&mut self, _: Purpose, _: u32) -> f64 {
        self.0.remove(0)
    }

    fn below(&mut self, bound: u32, _: Purpose, _: u32) -> u32 {
        (self.0.remove(0) * f64::from(bound)) as u32
    }
}

fn selected_with(strategy: Strategy, scores: &[f64], selected: usize, units: &[f64]) -> usize {
    let mut script = Script(units.to_vec());
    let plan = select(strategy, scores, selected, 2.0, &mut script);
    assert!(script.0.is_empty(), "{} takes {} numbers", strategy.name(), units.len());
    plan
}

#[test]
fn the_best_of_equal_plans_is_the_first() {
    assert_eq!(selected_with(Strategy::BestScore, &[1.0, 5.0, 5.0], 0, &[]), 1);
    assert_eq!(selected_with(Strategy::KeepLastSelected, &[1.0, 5.0, 5.0], 2, &[]), 2);
}

#[test]
fn innovation_starts_from_any_plan() {
    for strategy in Strategy::ALL.into_iter().filter(|strategy| strategy.innovates()) {
        assert_eq!(selected_with(strategy, &[1.0, 5.0, 5.0], 0, &[0.999]), 2);
        assert_eq!(selected_with(strategy, &[1.0, 5.0, 5.0], 0, &[0.333]), 0);
    }
}

#[test]
fn plans_without_a_score_come_first() {
    for strategy in Strategy::ALL {
        assert_eq!(selected_with(strategy, &[f64::NAN, 5.0, f64::NAN], 1, &[0.4]), 0);
        assert_eq!(selected_with(strategy, &[f64::NAN, 5.0, f64::NAN], 1, &[0.6]), 2);
    }
}

#[test]
fn changes_need_an_advantage_or_luck() {
    // 0.01 exp(0.5 * 2 * 1) = 0.02718...
    let scores = [4.0, 5.0];
    assert_eq!(selected_with(Strategy::ChangeExpBeta, &scores, 0, &[0.9, 0.0271]), 1);
    assert_eq!(selected_with(Strategy::ChangeExpBeta, &scores, 0, &[0.9, 0.0272]), 0);
    assert_eq!(selected_with(Strategy::ChangeExpBeta, &scores, 0, &[0.1, 0.0]), 0);
    // 0.01, without equality.
    assert_eq!(selected_with(Strategy::ChangeExpBeta, &[5.0, 5.0], 0, &[0.9, 0.01]), 0);
}

#[test]
fn logit_weights_are_exponentials() {
    // Weights exp(-2) = 0.1353... and 1.
    let scores = [4.0, 5.0];
    assert_eq!(selected_with(Strategy::SelectExpBeta, &scores, 0, &[0.119]), 0);
    assert_eq!(selected_with(Strategy::SelectExpBeta, &scores, 0, &[0.1193]), 1);
    // A plan far below the best one keeps the smallest weight.
    assert_eq!(selected_with(Strategy::SelectExpBeta, &[-1e9, 5.0], 0, &[0.0]), 0);
    assert_eq!(selected_with(Strategy::SelectExpBeta, &[-1e9, 5.0], 0, &[1e-300]), 1);
}

#[test]
fn a_negative_scale_prefers_low_scores() {
    let mut script = Script(vec![0.5, 0.99]);
    assert_eq!(by_logit(&[4.0, 1e9], -2.0, &mut script, Purpose::Removal, 0), 0);
    assert_eq!(by_logit(&[1e9, 4.0], -2.0, &mut script, Purpose::Removal, 0), 1);
}

#[test]
fn long_run_frequencies_of_changes_are_those_of_the_logit_model() {
    let scores = [1.0, 1.3, 2.0];
    let (mut selected, mut counts) = (0, [0.0; 3]);
    let iterations = 400_000;
    for iteration in 0..iterations {
        let mut draws = PersonDraws { random: Philox::new(5), person: 0, iteration };
        selected = by_change(&scores, selected, 1.0, &mut draws, Purpose::Plan, 0);
        counts[selected] += 1.0 / f64::from(iterations);
    }
    let weights = scores.map(libm::exp);
    for (count, weight) in counts.iter().zip(weights) {
        let expected = weight / weights.iter().sum::<f64>();
        assert!((count - expected).abs() < 0.03, "{counts:?} {expected}");
    }
}

#[test]
fn java_numbers_come_in_the_order_of_calls() {
    let mut java = JavaRandom::new(42);
    let (first, second) = (0.727_563_680_032_868_1, 0.683_223_471_759_845_4);
    assert_eq!(java.unit(Purpose::Plan, 0), first);
    assert_eq!(java.unit(Purpose::Strategy, 7), second);
}
