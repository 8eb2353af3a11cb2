//! The score of a plan, from those of the days on which it was executed.

use throng_traffic_scenario::settings::Scoring;

/// How plans get their scores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Learning {
    rate: f64,
    /// The first iteration in which the score of a plan is that of the last day.
    forgets_from: Option<i64>,
}

impl Learning {
    /// The learning of a run from iteration `first` to iteration `last`.
    ///
    /// In MATSim 13, averaging (`fractionOfIterationsToStartScoreMSA`) forgets in each iteration how often a plan was
    /// scored before, so the average contains the last score only: from the first iteration of averaging on, it has the
    /// effect of a learning rate of 1.
    pub fn new(scoring: &Scoring, first: u32, last: u32) -> Self {
        let iterations = f64::from(last) - f64::from(first);
        let forgets_from = scoring.msa_from_fraction.map(|fraction| (iterations * fraction + f64::from(first)) as i64);
        Self { rate: scoring.learning_rate, forgets_from }
    }

    /// Returns the new score of a plan with the score `old`, utils, after a day with the score `executed`: a plan
    /// without score gets that of the day, others rate · executed + (1 - rate) · old. A copy of a plan has the score of
    /// its original, also if it is changed.
    pub fn plan_score(&self, iteration: u32, old: Option<f64>, executed: f64) -> f64 {
        let forgets = self.forgets_from.is_some_and(|from| i64::from(iteration) >= from);
        match old {
            Some(old) if !forgets => self.rate * executed + (1.0 - self.rate) * old,
            _ => executed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learning(learning_rate: f64, msa_from_fraction: Option<f64>) -> Learning {
        Learning::new(&Scoring { learning_rate, msa_from_fraction, ..Scoring::default() }, 10, 21)
    }

    #[test]
    fn a_plan_learns_from_the_day() {
        assert_eq!(learning(0.25, None).plan_score(10, None, 80.0), 80.0);
        // Also if the old score is that of the original of a copied plan.
        assert_eq!(learning(0.25, None).plan_score(10, Some(40.0), 80.0), 50.0);
        assert_eq!(learning(1.0, None).plan_score(10, Some(40.0), 80.0), 80.0);
    }

    /// Half of eleven iterations after iteration 10.
    #[test]
    fn averaging_has_the_effect_of_forgetting() {
        let learning = learning(0.25, Some(0.5));
        assert_eq!([14, 15, 21].map(|iteration| learning.plan_score(iteration, Some(40.0), 80.0)), [50.0, 80.0, 80.0]);
    }
}
