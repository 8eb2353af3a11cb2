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
    /// Begins after a scenario was loaded in so many seconds.
    pub fn new(loading_s: f64) -> Self {
        Self { list: vec![("loading".to_owned(), loading_s)], ..Self::default() }
    }

    /// Ends a phase.
    pub fn end(&mut self, phase: &str) -> f64 {
        self.end_in_parts(&[], phase)
    }

    /// Ends a phase of which `parts` took so many seconds each; those that took none are left out. Returns the seconds of the
    /// `rest`.
    pub fn end_in_parts(&mut self, parts: &[(&str, f64)], rest: &str) -> f64 {
        let all = self.since.elapsed().as_secs_f64();
        let taken: f64 = parts.iter().map(|part| part.1).sum();
        let seconds = (all - taken).max(0.0);
        let parts = parts.iter().filter(|part| part.1 > 0.0).copied();
        self.list.extend(parts.chain([(rest, seconds)]).map(|(phase, seconds)| (phase.to_owned(), seconds)));
        self.since = Instant::now();
        seconds
    }

    /// The seconds of a phase; 0 where there was none of that name.
    pub fn seconds(&self, phase: &str) -> f64 {
        self.list.iter().filter(|(name, _)| name == phase).map(|(_, seconds)| seconds).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_phase_stand_beside_its_rest() {
        let mut timings = Timings::new(1.5);
        timings.end_in_parts(&[("a", 0.25), ("none", 0.0)], "rest");
        let names: Vec<&str> = timings.list.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["loading", "a", "rest"]);
        assert_eq!((timings.seconds("a"), timings.seconds("none")), (0.25, 0.0));
    }
}
