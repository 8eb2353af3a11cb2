//! The choice of one plan of a person by scores.

use throng_traffic_scenario::settings::Strategy;

use crate::random::{Draws, Purpose};

/// Weight of a plan whose exponential is too small for a number.
const MIN_WEIGHT: f64 = f64::from_bits(1);
/// Factor of the probability with which a person changes to a plan of the same score.
const CHANGE_RATE: f64 = 0.01;

/// Returns the plan that a strategy selects. `scores` has at least one entry; `beta` is `BrainExpBeta`, 1/util.
///
/// A person with plans without a score tries one of these first, whichever the strategy.
pub(super) fn select(strategy: Strategy, scores: &[f64], selected: usize, beta: f64, draws: &mut impl Draws) -> usize {
    let unscored = scores.iter().filter(|score| score.is_nan()).count();
    if unscored > 0 {
        let nth = draws.below(unscored as u32, Purpose::Unscored, 0) as usize;
        let mut plans = scores.iter().enumerate().filter(|(_, score)| score.is_nan());
        return plans.nth(nth).map_or(0, |(plan, _)| plan);
    }
    match strategy {
        Strategy::BestScore => best(scores),
        Strategy::ChangeExpBeta => by_change(scores, selected, beta, draws, Purpose::Plan, 0),
        Strategy::SelectExpBeta => by_logit(scores, beta, draws, Purpose::Plan, 0),
        // `Strategies::new` refuses the latter.
        Strategy::KeepLastSelected | Strategy::SelectPathSizeLogit => selected,
        Strategy::SelectRandom
        | Strategy::ReRoute
        | Strategy::TimeAllocationMutator
        | Strategy::TimeAllocationMutatorReRoute
        | Strategy::SubtourModeChoice
        | Strategy::ChangeTripMode
        | Strategy::ChangeSingleTripMode => any(scores.len(), draws, Purpose::Plan, 0),
    }
}

/// The highest score, the first one of equal scores.
fn best(scores: &[f64]) -> usize {
    let better = |best: usize, plan: usize| if scores[plan] > scores[best] { plan } else { best };
    (1..scores.len()).fold(0, better)
}

/// Any of `plans` plans.
pub(super) fn any(plans: usize, draws: &mut impl Draws, purpose: Purpose, index: u32) -> usize {
    let unit = draws.unit(purpose, index);
    ((unit * plans as f64) as usize).min(plans - 1)
}

/// Compares the selected plan with any other, and changes to it with a probability that grows with its advantage. The
/// frequencies of plans become those of [`by_logit`]. A plan without a score is not compared. Takes the draws `index`
/// and `index + 1`.
pub(super) fn by_change(
    scores: &[f64],
    selected: usize,
    beta: f64,
    draws: &mut impl Draws,
    purpose: Purpose,
    index: u32,
) -> usize {
    let other = any(scores.len(), draws, purpose, index);
    if scores[selected].is_nan() || scores[other].is_nan() {
        return selected;
    }
    let advantage = 0.5 * beta * (scores[other] - scores[selected]);
    let changes = draws.unit(purpose, index + 1) < CHANGE_RATE * libm::exp(advantage);
    if changes { other } else { selected }
}

/// A multinomial logit model with the scale `beta`; any plan if one lacks a score.
pub(super) fn by_logit(scores: &[f64], beta: f64, draws: &mut impl Draws, purpose: Purpose, index: u32) -> usize {
    if scores.iter().any(|score| score.is_nan()) {
        return any(scores.len(), draws, purpose, index);
    }
    // The greatest weight is 1, so that the sum is finite.
    let reference = scores.iter().copied().fold(scores[0], if beta < 0.0 { f64::min } else { f64::max });
    let weight = |score: f64| libm::exp(beta * (score - reference)).max(MIN_WEIGHT);
    let sum: f64 = scores.iter().fold(0.0, |sum, &score| sum + weight(score));
    let mut rest = sum * draws.unit(purpose, index);
    for (plan, &score) in scores.iter().enumerate() {
        rest -= weight(score);
        if rest <= 0.0 {
            return plan;
        }
    }
    // Rounding may leave a rest.
    scores.len() - 1
}

#[cfg(test)]
#[path = "selectors_tests.rs"]
pub(super) mod tests;
