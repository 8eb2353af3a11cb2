//! Goals that teams capture.

use crate::scenario::Scenario;

/// The owners of all goals, and the attempts to capture them.
#[derive(Debug)]
pub(super) struct Captures<'s> {
    scenario: &'s Scenario,
    owners: Vec<Option<usize>>,
    /// For each goal, the team that is capturing it, and for how long it has been there alone.
    attempts: Vec<Option<(usize, f64)>>,
}

impl<'s> Captures<'s> {
    pub(super) fn new(scenario: &'s Scenario) -> Self {
        let owners = scenario.goals.iter().map(|goal| goal.owner).collect();
        Self { scenario, owners, attempts: vec![None; scenario.goals.len()] }
    }

    /// The team that owns each goal.
    pub(super) fn owners(&self) -> &[Option<usize>] {
        &self.owners
    }

    /// Advances all attempts by a time; `agents` have the team and the cell of each agent on the map. A team that is in a
    /// goal alone for its capture time owns it. While several teams are in it nothing changes, and an attempt ends when its
    /// team has left.
    pub(super) fn advance(&mut self, agents: &[(usize, (u32, u32))], time: f64) {
        for (number, goal) in self.scenario.goals.iter().enumerate() {
            let Some(capture_time) = goal.capture_time else { continue };
            let mut teams: Vec<usize> = agents
                .iter()
                .filter(|(_, (column, row))| goal.area.allows(*column, *row))
                .map(|agent| agent.0)
                .collect();
            teams.sort_unstable();
            teams.dedup();
            let attempt = &mut self.attempts[number];
            match teams[..] {
                [] => *attempt = None,
                [team] if self.owners[number] == Some(team) => *attempt = None,
                [team] => {
                    let before = attempt.filter(|(by, _)| *by == team).map_or(0.0, |(_, time)| time);
                    // A thousandth of a step is rounding.
                    if before + time >= capture_time - 1e-3 * time {
                        (self.owners[number], *attempt) = (Some(team), None);
                    } else {
                        *attempt = Some((team, before + time));
                    }
                }
                _ => {}
            }
        }
    }
}
