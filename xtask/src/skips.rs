//! The count of skipped tests, from the lines that all test processes wrote.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::ErrorKind;
use std::path::Path;

use throng_testing::{Needs, Skip};

/// Removes a file of skips that an earlier process of the same number has left.
pub(crate) fn begin(file: &Path) -> Result<(), String> {
    match std::fs::remove_file(file) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(format!("{}: cannot be removed: {error}", file.display()))
        }
        _ => Ok(()),
    }
}

/// Reads the file of skips, removes it, and says what was skipped.
pub(crate) fn take(file: &Path) -> Result<String, String> {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => return Err(format!("{}: cannot be read: {error}", file.display())),
    };
    // One that stays behind is in the folder for temporary files.
    let _ = std::fs::remove_file(file);
    Ok(report(&text))
}

/// What one need kept from running.
#[derive(Default)]
struct Skipped<'a> {
    reasons: BTreeSet<&'a str>,
    /// Names of tests by program.
    tests: BTreeMap<&'a str, BTreeSet<&'a str>>,
}

/// Totals by need, each with the reasons and the names of the tests.
pub(crate) fn report(lines: &str) -> String {
    let skips: Vec<Skip> = lines.lines().filter_map(Skip::parse).collect();
    let mut by_need: BTreeMap<Needs, Skipped<'_>> = BTreeMap::new();
    for skip in &skips {
        let (program, test) = skip.test.split_once("::").unwrap_or(("", &skip.test));
        let skipped = by_need.entry(skip.needs).or_default();
        skipped.reasons.insert(&skip.reason);
        skipped.tests.entry(program).or_default().insert(test);
    }
    if by_need.is_empty() {
        return "skipped: no test".to_owned();
    }
    let tests: BTreeSet<&str> = skips.iter().map(|skip| skip.test.as_str()).collect();
    let mut text = format!("skipped, wholly or in part: {}", count(tests.len()));
    for (needs, skipped) in &by_need {
        let tests = skipped.tests.values().map(BTreeSet::len).sum();
        let _ = write!(text, "\n  for want of {needs}: {}", count(tests));
        for reason in &skipped.reasons {
            let _ = write!(text, "\n    because {reason}");
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
    fn totals_by_need_with_names() {
        let lines = "cuda\tbackends::cuda::sums\tno driver\n\
                     data\tgolden::equil_100\tno folder\n\
                     cuda\tgolden::equil_100\tno driver\n\
                     cuda\tbackends::cuda::scan\tno driver\n\
                     cuda\tbackends::cuda::scan\tno card\n\
                     half a line";
        let expected = "skipped, wholly or in part: 3 tests\n  \
                        for want of data: 1 test\n    because no folder\n    golden: equil_100\n  \
                        for want of cuda: 3 tests\n    because no card\n    because no driver\n    \
                        backends: cuda::scan, cuda::sums\n    golden: equil_100";
        assert_eq!(report(lines), expected);
        assert_eq!(report(""), "skipped: no test");
    }

    #[test]
    fn a_file_is_read_once_and_may_be_missing() {
        let file = std::env::temp_dir().join(format!("throng-xtask-skips-{}", std::process::id()));
        std::fs::write(&file, "tmpfs\tcli::full\tno mount\n").unwrap();
        assert!(take(&file).unwrap().contains("for want of tmpfs: 1 test\n    because no mount\n    cli: full"));
        assert_eq!(take(&file).unwrap(), "skipped: no test");
        std::fs::write(&file, "tmpfs\tcli::full\tno mount\n").unwrap();
        begin(&file).unwrap();
        begin(&file).unwrap();
        assert_eq!(take(&file).unwrap(), "skipped: no test");
    }
}
