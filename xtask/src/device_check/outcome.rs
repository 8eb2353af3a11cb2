//! The result of a suite, and the summary of all suites.

use std::fmt::Write as _;
use std::time::Duration;

use throng_testing::{Needs, REQUIRE};

/// Counts and messages of a suite.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Outcome {
    /// Number of tests, or of runs on the CPU and on devices, with the expected result.
    pub(super) passed: usize,
    /// Messages of the failures.
    pub(super) failed: Vec<String>,
    /// Skipped parts, each with the reason.
    pub(super) skipped: Vec<String>,
    /// Output that is always shown.
    pub(super) shown: String,
}

impl Outcome {
    /// Records a skip because of a missing requirement, or a failure if it is `required`.
    pub(super) fn skip(&mut self, needs: Needs, reason: &str, required: &[Needs]) {
        let text = format!("{needs}: {reason}");
        if required.contains(&needs) {
            self.failed.push(format!("{REQUIRE} asks for {text}"));
        } else {
            self.skipped.push(text);
        }
    }

    /// Returns the result of a suite that cannot run because there is no reference data.
    pub(super) fn without_data(required: &[Needs]) -> Self {
        let mut outcome = Self::default();
        outcome.skip(Needs::Data, "there is no reference data", required);
        outcome
    }

    pub(super) fn verdict(&self) -> &'static str {
        match (self.failed.is_empty(), self.passed) {
            (false, _) => "failed",
            (true, 0) => "skipped",
            (true, _) => "passed",
        }
    }

    /// Formats the result line of a suite.
    pub(super) fn line(&self, name: &str, time: Duration) -> String {
        let counts = [(self.passed, "passed"), (self.failed.len(), "failed"), (self.skipped.len(), "skipped")];
        let counts = counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
        let counts = counts.collect::<Vec<_>>().join(", ");
        format!("{:<8} {name:<46} {counts:<34} {:>7.1} s", self.verdict(), time.as_secs_f64())
    }
}

/// Formats the end of the report: messages of failures, reasons for skips, totals.
pub(super) fn summary(outcomes: &[(String, Outcome)]) -> String {
    let mut text = String::new();
    for (name, outcome) in outcomes {
        for failure in &outcome.failed {
            let _ = writeln!(text, "\n== {name}: failed\n{}", failure.trim_end());
        }
    }
    let mut reasons: Vec<(&str, usize)> = Vec::new();
    for reason in outcomes.iter().flat_map(|(_, outcome)| &outcome.skipped) {
        match reasons.iter_mut().find(|(known, _)| known == reason) {
            Some((_, count)) => *count += 1,
            None => reasons.push((reason.as_str(), 1)),
        }
    }
    text.push('\n');
    for (reason, count) in reasons {
        let _ = writeln!(text, "{count} skipped: {reason}");
    }
    let count = |verdict: &str| outcomes.iter().filter(|(_, outcome)| outcome.verdict() == verdict).count();
    let [passed, failed, skipped] = ["passed", "failed", "skipped"].map(count);
    let _ = write!(text, "{} suites: {passed} passed, {failed} failed, {skipped} skipped", outcomes.len());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_totals_are_formatted() {
        let passed = Outcome { passed: 3, skipped: vec!["cuda: no driver".into()], ..Outcome::default() };
        let failed = Outcome { passed: 1, failed: vec!["vulkan:0 differs\n".into()], ..Outcome::default() };
        let line = passed.line("check", Duration::from_millis(1260));
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words, ["passed", "check", "3", "passed,", "1", "skipped", "1.3", "s"]);
        let mut again = Outcome::default();
        again.skip(Needs::Cuda, "no driver", &[Needs::Data]);
        let all = [("check".to_owned(), passed), ("b".to_owned(), failed), ("c".to_owned(), again)];
        let expected = "\n== b: failed\nvulkan:0 differs\n\n2 skipped: cuda: no driver\n\
                        3 suites: 1 passed, 1 failed, 1 skipped";
        assert_eq!(summary(&all), expected);
        let required = Outcome::without_data(&[Needs::Data]);
        assert_eq!(required.failed, ["THRONG_REQUIRE asks for data: there is no reference data"]);
        assert_eq!((required.verdict(), Outcome::without_data(&[]).verdict()), ("failed", "skipped"));
    }
}
