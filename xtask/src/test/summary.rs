//! Summary printed after all tests.

use std::fmt::Write as _;
use std::time::Duration;

use super::programs::ProgramResult;

/// Formats a table of times, longest first.
pub(super) fn table(build: Duration, ran: &[ProgramResult]) -> String {
    let all: Duration = ran.iter().map(|one| one.time).sum();
    let mut text = format!("{:>7}  {:>6}\n", "s", "tests");
    let mut row = |time: Duration, tests: Option<usize>, name: &str| {
        let tests = tests.map(|tests| tests.to_string()).unwrap_or_default();
        let _ = writeln!(text, "{:>7.1}  {tests:>6}  {name}", time.as_secs_f64());
    };
    row(build, None, "build");
    let mut sorted: Vec<&ProgramResult> = ran.iter().collect();
    sorted.sort_by_key(|one| std::cmp::Reverse(one.time));
    for one in sorted {
        row(one.time, Some(one.passed + one.failed), &one.name);
    }
    row(build + all, Some(ran.iter().map(|one| one.passed + one.failed).sum()), "in all");
    text
}

/// Returns an error that names the failed programs, if any.
pub(super) fn failures(ran: &[ProgramResult]) -> Result<(), String> {
    let failed: Vec<String> = ran
        .iter()
        .filter(|one| !one.succeeded)
        .map(|one| format!("{} ({} of {} tests)", one.name, one.failed, one.passed + one.failed))
        .collect();
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join("; "))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_sorted_by_decreasing_time() {
        let ran = |name: &str, seconds, failed| ProgramResult {
            name: name.to_owned(),
            time: Duration::from_secs(seconds),
            passed: 3,
            failed,
            left_out: 0,
            succeeded: failed == 0,
        };
        let all = [ran("short", 1, 0), ran("long", 20, 2)];
        let expected = "      s   tests\n  100.0          build\n   20.0       5  long\n    1.0       3  short\n  121.0       8  in all\n";
        assert_eq!(table(Duration::from_secs(100), &all), expected);
        assert_eq!(failures(&all), Err("failed: long (2 of 5 tests)".to_owned()));
        assert_eq!(failures(&all[..1]), Ok(()));
    }
}
