//! Determines the last step of a run from the end time and the step limit.

use super::clock::{Clock, NEVER};
use crate::prepare::step_clock::StepClock as _;
use crate::run_options::RunOptions;
use throng_traffic_scenario::Scenario;
use throng_traffic_scenario::settings::EndInterpretation;

/// The time and the step at which a run ends even if agents are still under way.
pub(crate) struct End {
    /// The last step is the first one at or after this time, seconds of the day. If `exclusive`, it is the first one
    /// after this time, and the run continues until that step even if no agent is under way.
    time_s: f64,
    pub exclusive: bool,
    last_step: i64,
}

impl End {
    pub fn of(scenario: &Scenario, options: &RunOptions<'_>) -> Self {
        let qsim = &scenario.settings.qsim;
        Self {
            time_s: qsim.end_time.filter(|&t| t != 0.0).unwrap_or(f64::INFINITY),
            // `OnlyUseEndtime` continues while now <= end.
            exclusive: qsim.end_interpretation == EndInterpretation::OnlyUseEndtime,
            last_step: options.max_steps.map_or(NEVER, |steps| i64::try_from(steps.max(1) - 1).unwrap_or(NEVER)),
        }
    }

    /// Makes `step` the last one, unless the run ends earlier.
    pub fn stop_at(&mut self, step: i64) {
        self.last_step = self.last_step.min(step);
    }

    pub fn is_reached(&self, step: i64, now: f64) -> bool {
        step >= self.last_step || now > self.time_s || (now == self.time_s && !self.exclusive)
    }

    /// Returns the first step that may be the last one.
    pub fn first_step(&self, clock: &Clock) -> i64 {
        let at = if self.exclusive { clock.first_step_after(self.time_s) } else { clock.step_at(self.time_s) };
        at.min(self.last_step)
    }
}
