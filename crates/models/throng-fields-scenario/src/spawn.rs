//! The times at which agents enter during a run: `spawn` in `[[agents]]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::Problems;
use throng_model::scenario_file::At;

use crate::agents::AgentsTable;

/// Agents that enter during the run.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "struct Spawn")]
pub struct SpawnTable {
    /// The time between entries, units of time.
    pub every: f64,
    /// Number of agents per entry.
    #[serde(default = "one_agent")]
    pub count: u32,
    /// The time of the first entry, units of time; by default the value of `every`.
    pub from: Option<f64>,
    /// The time after which no agents enter, units of time; by default the end of the run.
    pub until: Option<f64>,
}

fn one_agent() -> u32 {
    1
}

/// Agents that enter before a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The number of the step, from 1.
    pub step: u32,
    pub agents: u32,
}

/// The times of entries in a run.
struct Schedule<'w> {
    written: &'w SpawnTable,
    time_step: f64,
    steps: u32,
}

impl Schedule<'_> {
    /// The number of the step (from 1) before which the agents of an entry (from 0) enter; `None` after the end of the
    /// schedule or of the run. Non-decreasing.
    fn step(&self, entry: u64) -> Option<u32> {
        let SpawnTable { every, from, until, .. } = *self.written;
        // A multiple instead of a sum, so that errors do not accumulate.
        let time = from.unwrap_or_default() + entry as f64 * every;
        // The step that begins at that time or, if the time is within a step, the next one, with a tolerance of a
        // thousandth of a step for rounding.
        let step = (time / self.time_step - 1e-3).ceil().max(0.0) + 1.0;
        let is_over = time > until.unwrap_or(f64::INFINITY) + 1e-3 * self.time_step || step > f64::from(self.steps);
        (!is_over).then_some(step as u32)
    }

    /// The number of entries, up to 2^53.
    fn entries(&self) -> u64 {
        let (mut least, mut most) = (0, 1 << 53);
        while least < most {
            let middle = least + (most - least) / 2;
            match self.step(middle) {
                Some(_) => least = middle + 1,
                None => most = middle,
            }
        }
        least
    }
}

/// Returns the number of agents of a group that enter in a run with `steps` steps; `None` if the schedule or the time
/// step is rejected. Including the agents at the start, a group has at most `most` agents. Fills in the default time of
/// the first entry.
pub(crate) fn entering(
    written: &mut At<AgentsTable>,
    (time_step, steps): (f64, u32),
    most: u32,
    problems: &mut Problems,
) -> Option<u32> {
    let At { value: AgentsTable { spawn, count: at_first, .. }, place } = written;
    let Some(spawn) = spawn else { return Some(0) };
    let SpawnTable { every, count, from, until } = *spawn;
    let part = |key: &str| format!("{place}, spawn, {key}");
    let before = problems.total();
    if !(every.is_finite() && every > 0.0) {
        problems.push(part("every"), every.to_string(), "expected a finite time above 0");
    }
    if count == 0 {
        problems.push(part("count"), "0", "expected 1 or more");
    }
    for (key, time) in [("from", from), ("until", until)] {
        if let Some(time) = time.filter(|time| !(time.is_finite() && *time >= 0.0)) {
            problems.push(part(key), time.to_string(), "expected a finite time, 0 or more");
        }
    }
    let from = *spawn.from.get_or_insert(every);
    if let Some(until) = until.filter(|until| *until < from && problems.total() == before) {
        let remedy = format!("expected {from} or more, the time of the first entry");
        problems.push(part("until"), until.to_string(), remedy);
    }
    if problems.total() > before || !(time_step.is_finite() && time_step > 0.0) {
        return None;
    }
    let entries = Schedule { written: spawn, time_step, steps }.entries();
    let agents = entries.saturating_mul(count.into());
    if agents > u64::from(most.saturating_sub(*at_first)) {
        let remedy = format!("a group has at most {most} agents in a run: let fewer enter, or less often");
        problems.push(part("every"), format!("{every:?}, which lets {agents} agents enter"), remedy);
        return None;
    }
    Some(agents as u32)
}

/// Returns the entries of a group with a valid schedule.
pub(crate) fn entries(written: &At<AgentsTable>, (time_step, steps): (f64, u32)) -> Vec<Entry> {
    let Some(spawn) = &written.value.spawn else { return Vec::new() };
    let schedule = Schedule { written: spawn, time_step, steps };
    let mut entries: Vec<Entry> = Vec::new();
    for step in (0..schedule.entries()).filter_map(|entry| schedule.step(entry)) {
        match entries.last_mut().filter(|last| last.step == step) {
            Some(last) => last.agents += spawn.count,
            None => entries.push(Entry { step, agents: spawn.count }),
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(spawn: &str, run: (f64, u32)) -> (Vec<(u32, u32)>, u64) {
        let text = format!(
            "name = \"a\"\ncount = 0\nspeed = 1\nfollow = \"flow\"\n\
             start = {{ at = [0, 0], radius = 1 }}\nspawn = {spawn}"
        );
        let mut written = At { value: toml::from_str(&text).unwrap(), place: "agents".to_owned() };
        let mut problems = Problems::new();
        let entering = entering(&mut written, run, 1000, &mut problems);
        let entries = if entering.is_some() { entries(&written, run) } else { Vec::new() };
        assert_eq!(entering.is_some(), problems.is_empty(), "{spawn}");
        assert_eq!(entries.iter().map(|entry| entry.agents).sum::<u32>(), entering.unwrap_or(0), "{spawn}");
        (entries.iter().map(|entry| (entry.step, entry.agents)).collect(), problems.total() as u64)
    }

    #[test]
    fn agents_enter_at_the_first_step_after_their_time() {
        assert_eq!(found("{ every = 1, count = 3 }", (0.25, 13)), (vec![(5, 3), (9, 3), (13, 3)], 0));
        assert_eq!(found("{ every = 1, from = 0, until = 2 }", (0.1, 100)).0, [(1, 1), (11, 1), (21, 1)]);
        // Within a step, and several per step.
        assert_eq!(found("{ every = 10, from = 0.3 }", (0.25, 50)).0, [(3, 1), (43, 1)]);
        assert_eq!(found("{ every = 0.5, from = 0 }", (2.0, 2)).0, [(1, 1), (2, 4)]);
        assert_eq!(found("{ every = 5 }", (1.0, 4)), (vec![], 0));
    }

    #[test]
    fn out_of_range_schedules_are_refused() {
        for spawn in [
            "{ every = 0 }",
            "{ every = 1, count = 0 }",
            "{ every = 1, from = -1 }",
            "{ every = nan }",
            "{ every = 1e-9 }",
            "{ every = 0.1, count = 12 }",
            "{ every = 1, from = 15, until = 5 }",
            "{ every = 5, until = 4 }",
        ] {
            assert_eq!(found(spawn, (1.0, 10)), (vec![], 1), "{spawn}");
        }
    }
}
