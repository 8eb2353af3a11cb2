//! Wall-clock time of the phases of a run.

use std::time::Instant;

/// Seconds per phase, in order.
#[derive(Debug)]
pub struct Timings {
    /// Name and wall-clock seconds of each phase.
    pub list: Vec<(String, f64)>,
    since: Instant,
}

impl Default for Timings {
    fn default() -> Self {
        Self { list: Vec::new(), since: Instant::now() }
    }
}

impl Timings {
    /// Ends a phase that had already taken `before_s` seconds earlier.
    pub fn end_after(&mut self, phase: &str, before_s: f64) {
        self.end(phase);
        if let Some((_, seconds)) = self.list.last_mut() {
            *seconds += before_s;
        }
    }

    /// Ends a phase and returns its seconds.
    pub fn end(&mut self, phase: &str) -> f64 {
        self.end_in_parts(&[], phase)
    }

    /// Ends a phase whose `parts` took the given seconds; parts that took no time are omitted. Returns the seconds of
    /// the `rest`. Time of a phase that has ended before is added to it.
    pub fn end_in_parts(&mut self, parts: &[(&str, f64)], rest: &str) -> f64 {
        let all = self.since.elapsed().as_secs_f64();
        let taken: f64 = parts.iter().map(|part| part.1).sum();
        let seconds = (all - taken).max(0.0);
        for (phase, seconds) in parts.iter().filter(|part| part.1 > 0.0).copied().chain([(rest, seconds)]) {
            match self.list.iter_mut().find(|(name, _)| name == phase) {
                Some((_, total)) => *total += seconds,
                None => self.list.push((phase.to_owned(), seconds)),
            }
        }
        self.since = Instant::now();
        seconds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_phase_are_listed_before_its_rest() {
        let mut timings = Timings::default();
        timings.end_after("loading", 1.5);
        timings.end_in_parts(&[("a", 0.25), ("none", 0.0)], "rest");
        timings.end_in_parts(&[("a", 0.5)], "rest");
        let names: Vec<&str> = timings.list.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["loading", "a", "rest"]);
        assert!(timings.list[0].1 >= 1.5 && timings.list[1].1 == 0.75);
    }
}
