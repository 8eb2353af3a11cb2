//! When agents enter during a run.

use throng_core::Problems;
use throng_model::At;

use crate::scenario::written;

/// Agents that enter before a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The number of the step, from 1 on.
    pub step: u32,
    pub agents: u32,
}

/// The entries of a group in a run of so many steps: none without a schedule, and at most `room` agents.
pub(crate) fn entries(
    written: &At<written::Agents>,
    (time_step, steps): (f64, u32),
    room: u32,
    problems: &mut Problems,
) -> Vec<Entry> {
    let Some(written::Spawn { every, count, from, until }) = written.value.spawn else { return Vec::new() };
    let part = |key: &str| written.part(&format!("spawn, {key}"));
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
    if problems.total() > before || !(time_step.is_finite() && time_step > 0.0) {
        return Vec::new();
    }
    let (from, until) = (from.unwrap_or(every), until.unwrap_or(f64::INFINITY));
    let mut entries: Vec<Entry> = Vec::new();
    let mut agents = 0u32;
    // Multiples and not sums, so that errors do not add up.
    for time in (0u32..).map(|entry| from + f64::from(entry) * every) {
        // The step that begins at that time or, if it is within a step, the next one; a thousandth of a step is rounding.
        let step = (time / time_step - 1e-3).ceil().max(0.0) + 1.0;
        if time > until + 1e-3 * time_step || step > f64::from(steps) {
            break;
        }
        agents = agents.saturating_add(count);
        if agents > room {
            let value = format!("{count} agents every {every} units of time");
            problems.push(part("count"), value, "there are too many agents in the run: let fewer enter, or less often");
            return Vec::new();
        }
        match entries.last_mut().filter(|last| last.step == step as u32) {
            Some(last) => last.agents += count,
            None => entries.push(Entry { step: step as u32, agents: count }),
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(spawn: &str, run: (f64, u32)) -> (Vec<(u32, u32)>, u64) {
        let text = format!(
            "name = \"a\"\ncount = 0\nspeed = 1\nfollow = \"flow\"\nstart = {{ at = [0, 0], radius = 1 }}\nspawn = {spawn}"
        );
        let written = At { value: toml::from_str(&text).unwrap(), place: "agents".to_owned() };
        let mut problems = Problems::new();
        let entries = entries(&written, run, 1000, &mut problems);
        (entries.iter().map(|entry| (entry.step, entry.agents)).collect(), problems.total() as u64)
    }

    #[test]
    fn agents_enter_before_the_step_that_begins_at_their_time() {
        assert_eq!(found("{ every = 1, count = 3 }", (0.25, 13)), (vec![(5, 3), (9, 3), (13, 3)], 0));
        assert_eq!(found("{ every = 1, from = 0, until = 2 }", (0.1, 100)).0, [(1, 1), (11, 1), (21, 1)]);
        // Within a step, and several in a step.
        assert_eq!(found("{ every = 10, from = 0.3 }", (0.25, 50)).0, [(3, 1), (43, 1)]);
        assert_eq!(found("{ every = 0.5, from = 0 }", (2.0, 2)).0, [(1, 1), (2, 4)]);
        assert_eq!(found("{ every = 5 }", (1.0, 4)), (vec![], 0));
    }

    #[test]
    fn schedules_out_of_range_are_refused() {
        for spawn in [
            "{ every = 0 }",
            "{ every = 1, count = 0 }",
            "{ every = 1, from = -1 }",
            "{ every = nan }",
            "{ every = 1e-9 }",
        ] {
            assert_eq!(found(spawn, (1.0, 10)), (vec![], 1), "{spawn}");
        }
    }
}
