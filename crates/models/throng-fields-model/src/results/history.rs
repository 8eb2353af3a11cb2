//! The history of a run for its charts, in bounded memory for any number of steps.

use crate::simulation::StepSummary;

/// Maximum number of states that are kept, which is the resolution of a chart.
const MAX_STATES: usize = 4096;

/// The first state, the last one, and states at equal intervals in between.
#[derive(Debug)]
pub(crate) struct History {
    states: Vec<StepSummary>,
    /// Steps between consecutive states, except before the last.
    every: u32,
}

impl History {
    pub(crate) fn new() -> Self {
        Self { states: Vec::new(), every: 1 }
    }

    /// Adds the next state.
    pub(crate) fn push(&mut self, now: StepSummary) {
        if self.last().is_some_and(|last| !last.step.is_multiple_of(self.every)) {
            // It was kept only because it was the last one.
            self.states.pop();
        }
        if self.states.len() == MAX_STATES {
            self.every *= 2;
            self.states.retain(|state| state.step.is_multiple_of(self.every));
        }
        self.states.push(now);
    }

    pub(crate) fn last(&self) -> Option<&StepSummary> {
        self.states.last()
    }

    pub(crate) fn into_states(self) -> Vec<StepSummary> {
        self.states
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_histories_are_thinned_out_and_keep_both_ends() {
        let steps_after = |last: u32| -> Vec<u32> {
            let mut history = History::new();
            for step in 0..=last {
                let now = StepSummary {
                    step,
                    time: 0.0,
                    groups: vec![],
                    pursuing: vec![],
                    owners: vec![],
                    held: vec![],
                    front: 0,
                    amounts: vec![],
                    hash: 0,
                };
                history.push(now);
                assert!(history.last().is_some_and(|now| now.step == step));
            }
            history.into_states().iter().map(|now| now.step).collect()
        };
        assert_eq!(steps_after(4095), (0..4096).collect::<Vec<_>>());
        assert_eq!(steps_after(4096), (0..=4096).step_by(2).collect::<Vec<_>>());
        assert_eq!(steps_after(4097), (0..=4096).step_by(2).chain([4097]).collect::<Vec<_>>());
        assert_eq!(steps_after(20_001), (0..=20_000).step_by(8).chain([20_001]).collect::<Vec<_>>());
    }
}
