//! The capture of goals by teams.

use throng_fields_scenario::Scenario;

/// The owners of all goals, and the attempts to capture them.
#[derive(Debug)]
pub(super) struct Captures<'s> {
    scenario: &'s Scenario,
    owners: Vec<Option<usize>>,
    /// For each goal, the team that is capturing it, and how long that team has been there alone.
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

    /// Advances all attempts by a duration; `agents` has the team and the cell of each agent on the map. A team owns a
    /// goal once it has been there alone for the goal's capture time. The presence of other teams pauses an attempt,
    /// and the attempt ends when its own team has left.
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
                    // Rounding errors of up to 1/1000 of a step are tolerated.
                    if before + time >= capture_time - 1e-3 * time {
                        (self.owners[number], *attempt) = (Some(team), None);
                    } else {
                        *attempt = Some((team, before + time));
                    }
                }
                // With several teams in the goal, no attempt advances; that of a team that has left ends.
                _ => *attempt = attempt.filter(|(by, _)| teams.binary_search(by).is_ok()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capture_attempts_end_with_the_departure_of_their_team() {
        let text = "model = \"fields\"\ngrid = { size = [4, 4], cell = 1 }\nrun = { steps = 1, time_step = 1 }\n\
                    goals = [{ at = [2, 2], radius = 1, capture_time = 5 }]\n";
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("scenario.toml");
        std::fs::write(&path, text).unwrap();
        let scenario = Scenario::read(&path, &[]).unwrap();
        let in_goal =
            |teams: &[usize]| -> Vec<(usize, (u32, u32))> { teams.iter().map(|&team| (team, (1, 1))).collect() };
        let mut captures = Captures::new(&scenario);
        let mut advance = |teams: &[usize]| {
            captures.advance(&in_goal(teams), 1.0);
            captures.owners()[0]
        };
        // After an interruption by another team, the first team resumes its attempt.
        assert_eq!(
            [&[0][..], &[0], &[0, 1], &[0, 2, 1], &[0], &[0], &[0]].map(&mut advance),
            [None, None, None, None, None, None, Some(0),]
        );
        // Team 1 has to start again, because it left while two other teams were in the goal.
        assert_eq!([&[1][..], &[1], &[1], &[1], &[2, 0], &[1]].map(&mut advance), [Some(0); 6]);
        assert_eq!([&[1][..], &[1], &[1], &[1]].map(&mut advance), [Some(0), Some(0), Some(0), Some(1)]);
    }
}
