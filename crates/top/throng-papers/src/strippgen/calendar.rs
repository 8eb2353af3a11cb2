//! Departures by second: the paper's proposal to avoid scanning all agents in every step.

use super::plans::Plans;
use super::rules::{ACTIVITY, NEVER_ENDS, is_activity};
use super::state::State;

/// Agents at activities, by the second in which the activity ends, and the due agents.
#[derive(Debug, Default)]
pub struct Calendar {
    seconds: Vec<Vec<u32>>,
    /// Agents that are due but not on the road yet.
    due: Vec<u32>,
}

impl Calendar {
    /// Collects the agents that are at activities in `state`.
    pub fn new(plans: &Plans, state: &State) -> Self {
        let mut calendar = Self::default();
        for (agent, &position) in state.position.iter().enumerate() {
            let entry = plans.entries[position as usize];
            if is_activity(entry) {
                calendar.settle(agent as u32, entry, state.now);
            }
        }
        calendar
    }

    /// Adds an agent that starts an activity in step `now`.
    pub fn settle(&mut self, agent: u32, entry: u32, now: u32) {
        if entry == NEVER_ENDS {
            return;
        }
        let end = (entry - ACTIVITY) as usize;
        if end <= now as usize {
            self.due.push(agent);
            return;
        }
        if self.seconds.len() <= end {
            self.seconds.resize(end + 1, Vec::new());
        }
        self.seconds[end].push(agent);
    }

    /// Returns the agents that want to depart in step `now`; `waits` is whether an agent that was due earlier is still
    /// waiting.
    pub fn due(&mut self, now: u32, waits: impl Fn(u32) -> bool) -> &[u32] {
        self.due.retain(|&agent| waits(agent));
        if let Some(ending) = self.seconds.get_mut(now as usize) {
            self.due.append(ending);
        }
        &self.due
    }
}
