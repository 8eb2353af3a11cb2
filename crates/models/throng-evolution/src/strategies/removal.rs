//! The choice of the plan that a person with too many plans forgets.

use throng_traffic_scenario::settings::RemovalSelector;

use super::selectors::{any, by_change, by_logit};
use crate::memory::PersonPlans;
use crate::random::{Draws, Purpose};

/// Forgets plans until at most `max_plans` are left, and appends their contents to `removed`.
pub(super) fn remove_surplus(
    plans: &mut PersonPlans<'_>,
    max_plans: usize,
    selector: RemovalSelector,
    beta: f64,
    draws: &mut impl Draws,
    removed: &mut Vec<u32>,
) {
    let mut round = 0;
    while plans.scores().len() > max_plans {
        let plan = surplus_plan(plans, selector, beta, draws, 2 * round);
        let was_selected = plan == plans.selected();
        removed.push(plans.remove(plan));
        if was_selected {
            let next = any(plans.scores().len(), draws, Purpose::AfterRemoval, round);
            plans.select(next);
        }
        round += 1;
    }
}

/// Takes at most the draws `index` and `index + 1`.
fn surplus_plan(
    plans: &PersonPlans<'_>,
    selector: RemovalSelector,
    beta: f64,
    draws: &mut impl Draws,
    index: u32,
) -> usize {
    let scores = plans.scores();
    match selector {
        // `Strategies::new` refuses the latter.
        RemovalSelector::WorstPlan | RemovalSelector::PathSizeLogit => worst(plans),
        RemovalSelector::Random => any(scores.len(), draws, Purpose::Removal, index),
        RemovalSelector::ExpBeta => by_logit(scores, -beta, draws, Purpose::Removal, index),
        RemovalSelector::ChangeExpBeta => by_change(scores, plans.selected(), -beta, draws, Purpose::Removal, index),
    }
}

/// The lowest score, the first one of equal scores, among plans whose type occurs more than once; among all if no type
/// does. Plans without a score go before: the last one of the former, the first one of the latter.
fn worst(plans: &PersonPlans<'_>) -> usize {
    let (scores, kinds) = (plans.scores(), plans.kinds());
    let has_alternative = |plan: usize| kinds.iter().filter(|&&kind| kind == kinds[plan]).count() > 1;
    let lower = |worst: usize, plan: usize| if scores[plan] < scores[worst] { plan } else { worst };
    let is_unscored = |&plan: &usize| scores[plan].is_nan();
    let alternatives = || (0..scores.len()).filter(|&plan| has_alternative(plan));
    if alternatives().next().is_some() {
        alternatives().rfind(is_unscored).or_else(|| alternatives().reduce(lower)).unwrap_or(0)
    } else {
        (0..scores.len()).find(is_unscored).or_else(|| (0..scores.len()).reduce(lower)).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::selectors::tests::Script;
    use super::*;
    use crate::memory::PlanType;

    /// Returns the remaining scores and the selected plan.
    fn removed_with(
        selector: RemovalSelector,
        scores: &[f64],
        kinds: &[u16],
        selected: u32,
        units: &[f64],
    ) -> (Vec<f64>, usize) {
        let (mut len, mut selected, mut scores) = (scores.len() as u32, selected, scores.to_vec());
        let mut kinds: Vec<_> = kinds.iter().map(|&kind| PlanType(kind)).collect();
        let mut contents: Vec<u32> = (0..len).collect();
        let mut plans = PersonPlans::new(&mut len, &mut selected, &mut scores, &mut kinds, &mut contents);
        let max_plans = plans.scores().len() - 1;
        let (mut script, mut removed) = (Script(units.to_vec()), vec![]);
        remove_surplus(&mut plans, max_plans, selector, 2.0, &mut script, &mut removed);
        assert!(script.0.is_empty());
        assert_eq!(removed.len(), 1);
        (plans.scores().to_vec(), plans.selected())
    }

    #[test]
    fn the_first_of_the_worst_plans_goes() {
        let worst = RemovalSelector::WorstPlan;
        assert_eq!(removed_with(worst, &[3.0, 1.0, 1.5, 1.0], &[0; 4], 2, &[]), (vec![3.0, 1.5, 1.0], 1));
    }

    #[test]
    fn only_the_removal_of_the_selected_plan_takes_a_number() {
        let worst = RemovalSelector::WorstPlan;
        assert_eq!(removed_with(worst, &[3.0, 1.0, 2.0], &[0; 3], 1, &[0.6]), (vec![3.0, 2.0], 1));
        assert_eq!(removed_with(worst, &[3.0, 1.0, 2.0], &[0; 3], 1, &[0.4]), (vec![3.0, 2.0], 0));
    }

    #[test]
    fn the_only_plan_of_a_type_stays() {
        let worst = RemovalSelector::WorstPlan;
        assert_eq!(removed_with(worst, &[1.0, 3.0, 2.0], &[7, 0, 0], 0, &[]), (vec![1.0, 3.0], 0));
        assert_eq!(removed_with(worst, &[3.0, 1.0, 2.0], &[7, 1, 0], 0, &[]), (vec![3.0, 2.0], 0));
    }

    #[test]
    fn plans_without_a_score_go_before_others() {
        let worst = RemovalSelector::WorstPlan;
        let remaining = removed_with(worst, &[f64::NAN, 1.0, f64::NAN, 2.0], &[0; 4], 1, &[]).0;
        assert!(remaining[0].is_nan() && remaining[1..] == [1.0, 2.0], "the last one goes: {remaining:?}");
        let remaining = removed_with(worst, &[1.0, f64::NAN, f64::NAN], &[0, 1, 2], 0, &[]).0;
        assert!(remaining[0] == 1.0 && remaining.len() == 2);
    }

    #[test]
    fn other_selectors_draw() {
        assert_eq!(removed_with(RemovalSelector::Random, &[3.0, 1.0, 2.0], &[0; 3], 0, &[0.5]), (vec![3.0, 2.0], 0));
        // exp(-2 (S - 1)): 0.018, 1, 0.135.
        assert_eq!(removed_with(RemovalSelector::ExpBeta, &[3.0, 1.0, 2.0], &[0; 3], 0, &[0.5]).0, [3.0, 2.0]);
        // The other plan, if it is worse: 0.01 exp(2).
        let change = RemovalSelector::ChangeExpBeta;
        assert_eq!(removed_with(change, &[3.0, 1.0, 2.0], &[0; 3], 0, &[0.5, 0.0738]), (vec![3.0, 2.0], 0));
        assert_eq!(removed_with(change, &[3.0, 1.0, 2.0], &[0; 3], 0, &[0.5, 0.0740, 0.9]), (vec![1.0, 2.0], 1));
    }
}
