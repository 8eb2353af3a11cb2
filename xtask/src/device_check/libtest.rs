//! Runs a test program and evaluates its output.

use std::fs;
use std::path::Path;
use std::time::Instant;

use throng_testing::{Needs, SKIPS, Skip};

use super::outcome::Outcome;
use super::place::Place;
use super::process;
use super::suites::Program;
use crate::seed;

/// Number of lines of output that are shown for a failed program.
const SHOWN: usize = 60;

/// Runs a test program.
pub(super) fn run(place: &Place, program: &Program, seed: u64, deadline: Instant) -> Result<Outcome, String> {
    let log = place.work().join(format!("{}-{}.log", program.package, program.part));
    let skips = place.work().join("skips.txt");
    // May be left over from the previous program.
    let _ = fs::remove_file(&skips);
    let mut command = place.test(program);
    command.args(program.filters()).env(seed::VARIABLE, seed.to_string()).env(SKIPS, &skips);
    let ended = process::run(command, &log, deadline)?;
    let mut outcome = Outcome { passed: passed(&ended.output), ..Outcome::default() };
    if !ended.succeeded {
        outcome.failed.push(format!("{}; {}\n{}", program.file(), ended.how, end_of(&ended.output, &log)));
    }
    let text = fs::read_to_string(&skips).unwrap_or_default();
    // Tests that `--rest` runs more extensively do not count as skips here.
    let skips = text.lines().filter_map(Skip::parse).filter(|skip| skip.needs != Needs::All);
    outcome.skipped = skips.map(|skip| format!("{}: {}", skip.needs, skip.reason)).collect();
    outcome.failed.extend(nothing_ran(&outcome, program));
    Ok(outcome)
}

/// Returns a message if a program ran no test, which would otherwise go unnoticed.
fn nothing_ran(outcome: &Outcome, program: &Program) -> Option<String> {
    let nothing = outcome.passed == 0 && outcome.failed.is_empty();
    nothing.then(|| match &program.filters()[..] {
        [] => format!("{} has no tests", program.file()),
        filters => format!("{} has no test whose name contains one of {}", program.file(), filters.join(", ")),
    })
}

/// Returns the number of passed tests, from the result lines; 0 if there are none.
fn passed(output: &str) -> usize {
    let results = output.lines().filter(|line| line.starts_with("test result: "));
    let count = |line: &str| line.split_once(" passed;")?.0.rsplit(' ').next()?.parse::<usize>().ok();
    results.filter_map(count).sum()
}

/// Returns the last lines of an output, and the location of the full log.
pub(super) fn end_of(output: &str, log: &Path) -> String {
    let lines: Vec<&str> = output.lines().collect();
    let left_out = lines.len().saturating_sub(SHOWN);
    let end = lines[left_out..].join("\n");
    if left_out == 0 { end } else { format!("({left_out} earlier lines: {})\n{end}", log.display()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_that_passed_are_counted() {
        let output = "running 3 tests\n...\ntest result: FAILED. 41 passed; 1 failed; 2 ignored; finished in 0.61s\n";
        assert_eq!(passed(output), 41);
        assert_eq!(passed("Segmentation fault"), 0);
    }

    #[test]
    fn a_program_that_runs_no_test_has_failed() {
        let program = Program { package: "throng-cli", part: "cli", only: &["device"] };
        let message = nothing_ran(&Outcome::default(), &program);
        assert_eq!(message.as_deref(), Some("throng-cli-tests has no test whose name contains one of device"));
        let failed = Outcome { failed: vec!["a signal".into()], ..Outcome::default() };
        for outcome in [Outcome { passed: 1, ..Outcome::default() }, failed] {
            assert_eq!(nothing_ran(&outcome, &program), None);
        }
    }

    #[test]
    fn only_the_last_lines_of_an_output_are_shown() {
        let output = (1..=62).map(|i| i.to_string()).collect::<Vec<_>>().join("\n");
        let shown = end_of(&output, Path::new("/l"));
        assert!(shown.starts_with("(2 earlier lines: /l)\n3\n4\n") && shown.ends_with("\n62"), "{shown}");
        assert_eq!(end_of("a\nb\n", Path::new("/l")), "a\nb");
    }
}
