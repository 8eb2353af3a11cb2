//! Counts skipped tests, from the lines written by all test processes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::ErrorKind;
use std::path::Path;

use throng_testing::{Needs, Skip};

/// Removes a file of skips left by an earlier process with the same id.
pub(crate) fn begin(file: &Path) -> Result<(), String> {
    match std::fs::remove_file(file) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(format!("{}: cannot be removed: {error}", file.display()))
        }
        _ => Ok(()),
    }
}

/// Reads and removes the file of skips.
pub(crate) fn take(file: &Path) -> Result<Vec<Skip>, String> {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => return Err(format!("{}: cannot be read: {error}", file.display())),
    };
    // If it cannot be removed, it stays in the folder for temporary files.
    let _ = std::fs::remove_file(file);
    Ok(text.lines().filter_map(Skip::parse).collect())
}

/// Tests skipped because of one missing requirement.
#[derive(Default)]
struct Skipped<'a> {
    reasons: BTreeSet<&'a str>,
    /// Test names by program.
    tests: BTreeMap<&'a str, BTreeSet<&'a str>>,
}

/// Formats totals by requirement, each with the reasons and, except for [`Needs::All`], the names of the tests.
pub(crate) fn report(skips: &[Skip]) -> String {
    let mut by_need: BTreeMap<Needs, Skipped<'_>> = BTreeMap::new();
    for skip in skips {
        let (program, test) = skip.test.split_once("::").unwrap_or(("", &skip.test));
        let skipped = by_need.entry(skip.needs).or_default();
        skipped.reasons.insert(&skip.reason);
        skipped.tests.entry(program).or_default().insert(test);
    }
    if by_need.is_empty() {
        return "skipped: no test".to_owned();
    }
    // Partially run tests are listed, but do not count as skips.
    let skipped = skips.iter().filter(|skip| skip.needs != Needs::All);
    let tests: BTreeSet<&str> = skipped.map(|skip| skip.test.as_str()).collect();
    let mut text = format!("skipped, wholly or in part: {}", count(tests.len()));
    for (needs, skipped) in &by_need {
        let tests = skipped.tests.values().map(BTreeSet::len).sum();
        let _ = match needs {
            Needs::All => write!(text, "\n  done in part, as quick tests: {}", count(tests)),
            _ => write!(text, "\n  missing {needs}: {}", count(tests)),
        };
        for reason in &skipped.reasons {
            let _ = write!(text, "\n    because {reason}");
        }
        if *needs == Needs::All {
            // Most tests on devices and all property tests have this requirement: their names would hide the others.
            continue;
        }
        for (program, names) in &skipped.tests {
            let names = names.iter().copied().collect::<Vec<_>>().join(", ");
            let _ = write!(text, "\n    {program}: {names}");
        }
    }
    text
}

fn count(tests: usize) -> String {
    format!("{tests} {}", if tests == 1 { "test" } else { "tests" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skips_are_listed_by_requirement() {
        let lines = "cuda\tbackends::cuda::sums\tno driver\n\
                     data\tgolden::equil_100\tno folder\n\
                     cuda\tgolden::equil_100\tno driver\n\
                     cuda\tbackends::cuda::scan\tno driver\n\
                     cuda\tbackends::cuda::scan\tno card\n\
                     all\tfields::devices::windows\tsoftware\n\
                     half a line";
        let expected = "skipped, wholly or in part: 3 tests\n  \
                        missing data: 1 test\n    because no folder\n    golden: equil_100\n  \
                        missing cuda: 3 tests\n    because no card\n    because no driver\n    \
                        backends: cuda::scan, cuda::sums\n    golden: equil_100\n  \
                        done in part, as quick tests: 1 test\n    because software";
        let skips: Vec<Skip> = lines.lines().filter_map(Skip::parse).collect();
        assert_eq!((skips.len(), report(&skips).as_str()), (6, expected));
        assert_eq!(report(&[]), "skipped: no test");
    }

    #[test]
    fn a_file_is_read_once_and_may_be_missing() {
        let file = std::env::temp_dir().join(format!("throng-xtask-skips-{}", std::process::id()));
        let lines = "tmpfs\tcli::full\tno mount\nhalf a line";
        std::fs::write(&file, lines).unwrap();
        let full = Skip { needs: Needs::Tmpfs, test: "cli::full".into(), reason: "no mount".into() };
        assert_eq!(take(&file), Ok(vec![full]));
        assert_eq!(take(&file), Ok(Vec::new()));
        std::fs::write(&file, lines).unwrap();
        begin(&file).unwrap();
        begin(&file).unwrap();
        assert_eq!(take(&file), Ok(Vec::new()));
    }
}
