//! Runs test programs and measures their times.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::artifacts::{Executable, Kind};

/// Result of a test program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ProgramResult {
    pub(super) name: String,
    pub(super) time: Duration,
    pub(super) passed: usize,
    pub(super) failed: usize,
    /// Number of tests filtered out by the arguments.
    pub(super) left_out: usize,
    /// Whether it succeeded.
    pub(super) succeeded: bool,
}

/// Name of a test program in the summary.
pub(super) fn name(program: &Executable) -> String {
    let kind = if program.kind == Kind::Unit { "unit tests" } else { "tests" };
    format!("{}, {kind}", program.package)
}

/// Runs a program whose output has the format of test programs, such as Cargo for doc tests. Shows its output, except
/// for empty lines, starts of runs, and the names of passing and ignored tests.
pub(super) fn run(name: String, mut command: Command) -> Result<ProgramResult, String> {
    let began = Instant::now();
    println!("\n{name}");
    let mut child =
        command.stdout(Stdio::piped()).spawn().map_err(|error| format!("{name}: cannot be started: {error}"))?;
    let mut ran = ProgramResult { name, time: Duration::ZERO, passed: 0, failed: 0, left_out: 0, succeeded: false };
    let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut line = Vec::new();
    while output.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end();
        ran.take_in(text);
        if is_shown(text) {
            println!("  {text}");
        }
        line.clear();
    }
    let status = child.wait().map_err(|error| format!("{}: {error}", ran.name))?;
    ran.time = began.elapsed();
    ran.succeeded = status.success();
    if status.code().is_none() {
        println!("  {status}");
    }
    Ok(ran)
}

fn is_shown(line: &str) -> bool {
    let passes = line.starts_with("test ") && (line.ends_with(" ok") || line.contains(" ... ignored"));
    !(line.is_empty() || passes || line.starts_with("running "))
}

impl ProgramResult {
    /// Adds the counts of a result line; the doc tests of a crate have several such lines.
    fn take_in(&mut self, line: &str) {
        let Some(counts) = line.strip_prefix("test result: ") else { return };
        let count = |what: &str| {
            let number = counts.split_once(&format!(" {what};")).and_then(|(before, _)| before.rsplit(' ').next());
            number.and_then(|number| number.parse::<usize>().ok()).unwrap_or(0)
        };
        self.passed += count("passed");
        self.failed += count("failed");
        self.left_out += count("filtered out");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_summed() {
        let mut ran = ProgramResult {
            name: "a".into(),
            time: Duration::ZERO,
            passed: 0,
            failed: 0,
            left_out: 0,
            succeeded: true,
        };
        for line in [
            "test result: FAILED. 41 passed; 1 failed; 2 ignored; 0 measured; 3 filtered out; finished in 0.61s",
            "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 10 filtered out; finished in 0.61s",
            "test tests::a ... ok",
        ] {
            ran.take_in(line);
        }
        assert_eq!((ran.passed, ran.failed, ran.left_out), (43, 1, 13));
    }

    #[cfg(unix)]
    #[test]
    fn the_output_is_read_to_its_end() {
        let shell = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            run("a shell".into(), command).unwrap()
        };
        let ran = shell("echo 'test result: ok. 7 passed; 0 failed;'; exit 3");
        assert_eq!((ran.passed, ran.succeeded), (7, false));
        assert!(shell("printf '\\377'").succeeded);
        assert!(is_shown("thread 'a' panicked") && !is_shown("test a ... ok") && !is_shown(""));
    }
}
