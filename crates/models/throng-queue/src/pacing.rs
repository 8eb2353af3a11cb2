//! Pauses of a run between two steps.

use crate::RunError;

/// A run that is paused between two steps.
pub(crate) trait Paused {
    /// Time of the next step, seconds of the day.
    fn next_time(&self) -> f64;

    /// Number of agents in a finite activity or on a leg.
    fn under_way(&self) -> u64;

    /// Hash of the current state.
    fn hash(&mut self) -> Result<u64, RunError>;

    /// Number of vehicles on each link, by link index of the scenario.
    fn vehicles(&mut self) -> Result<Vec<u32>, RunError>;
}

/// How a run continues after a pause.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Goal {
    /// The run executes all steps up to this time, seconds of the day, and pauses again.
    Until(f64),
    /// The run ends as if its last step were at this time, seconds of the day.
    StopAt(f64),
}

/// Sets the next goal of a run. The executor calls it before the first step and in each pause.
pub(crate) type SetGoal<'r> = dyn FnMut(&mut dyn Paused) -> Result<Goal, RunError> + 'r;

/// The current goal of a run. It outlives an attempt on a device, so a repeated attempt does not pause again where an
/// earlier one did.
pub(crate) struct Pacing<'r> {
    /// Time up to which steps are executed without a pause, seconds of the day.
    until: f64,
    set_goal: Option<&'r mut SetGoal<'r>>,
}

impl<'r> Pacing<'r> {
    /// Runs to the end without a pause.
    pub fn without_pauses() -> Self {
        Self { until: f64::INFINITY, set_goal: None }
    }

    /// Pauses before the first step and then at the goals that `set_goal` returns.
    pub fn new(set_goal: &'r mut SetGoal<'r>) -> Self {
        Self { until: f64::NEG_INFINITY, set_goal: Some(set_goal) }
    }

    /// Returns the time of the current goal, seconds of the day.
    pub fn until(&self) -> f64 {
        self.until
    }

    /// Whether the run pauses before a step at `time`.
    pub fn pauses_before(&self, time: f64) -> bool {
        time > self.until
    }

    /// Requests the next goal. Returns the time at which the run ends if the goal is to stop.
    pub fn pause(&mut self, paused: &mut dyn Paused) -> Result<Option<f64>, RunError> {
        let goal = match &mut self.set_goal {
            Some(set_goal) => set_goal(paused)?,
            None => Goal::Until(f64::INFINITY),
        };
        let (until, end) = match goal {
            Goal::Until(time) => (time, None),
            Goal::StopAt(time) => (f64::INFINITY, Some(time)),
        };
        self.until = until;
        Ok(end)
    }
}
