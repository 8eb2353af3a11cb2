//! Counts tests that cannot run here, and makes them fail if their requirements are mandatory.

use std::collections::BTreeSet;
use std::env;
use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::needs::parse_list;
use crate::places::{
    has_chromium, has_pocl, has_python, has_python_tools, has_reference_data, has_vulkan_driver, named,
};
use crate::{Needs, UnknownNeed};

/// Environment variable with the mandatory requirements: a comma-separated list of [names](Needs::name).
pub const REQUIRE: &str = "THRONG_REQUIRE";
/// Environment variable with the file to which each skip appends a line. It is shared by the tests of all processes.
pub const SKIPS: &str = "THRONG_SKIPS";

/// Reports that the calling test, or a part of it, does not run because a requirement is missing. The caller returns or
/// continues without that part. Repeated skips of a test for the same requirement and reason count once.
///
/// # Panics
///
/// If `THRONG_REQUIRE` contains this requirement or an unknown name, or if the file of [`SKIPS`] cannot be written.
pub fn skip(needs: Needs, reason: impl Display) {
    let test = test_name();
    let required = required().unwrap_or_else(|error| panic!("{REQUIRE}: {error}"));
    assert!(!required.contains(&needs), "{REQUIRE} asks for {needs}, and {test} cannot run: {reason}");
    let skip = Skip { needs, test, reason: reason.to_string() };
    if skip.is_first() && !skip.count() {
        // Not `eprintln!`, whose output is captured for passing tests.
        let _ = writeln!(io::stderr(), "skipped: {}: {}", skip.test, skip.reason);
    }
}

/// Records, if skips are counted, that the calling test does more when [all](Needs::All) cases are tried.
pub(crate) fn record_partial_run(reason: &str) {
    let skip = Skip { needs: Needs::All, test: test_name(), reason: reason.to_owned() };
    if skip.is_first() {
        skip.count();
    }
}

/// Returns the requirements that must not be skipped, according to `THRONG_REQUIRE`.
pub fn required() -> Result<Vec<Needs>, UnknownNeed> {
    let is_found = |needs| match needs {
        Needs::Data => has_reference_data(),
        Needs::Vulkan => has_vulkan_driver(),
        Needs::Python => has_python(),
        Needs::PythonTools => has_python_tools(),
        Needs::Pocl => has_pocl(),
        Needs::Chromium => has_chromium(),
        _ => false,
    };
    parse_list(&env::var(REQUIRE).unwrap_or_default(), is_found)
}

/// Calls [`skip`] for a missing device of a backend, given by its name.
///
/// # Panics
///
/// As [`skip`], and if there is no such backend.
pub fn skip_backend(backend: &str, reason: impl Display) {
    skip(backend.parse().unwrap_or_else(|error| panic!("{error}")), reason);
}

/// A test that did not run, wholly or in part.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skip {
    /// Requirement that this machine does not meet.
    pub needs: Needs,
    /// The test, including its program, such as `golden::equil_100`.
    pub test: String,
    /// Reason why it did not run.
    pub reason: String,
}

impl Skip {
    /// Whether this is the first skip of its test for this requirement and reason.
    fn is_first(&self) -> bool {
        static RECORDED: Mutex<BTreeSet<Skip>> = Mutex::new(BTreeSet::new());
        // A set is consistent after each insertion, so a poisoned lock is harmless.
        RECORDED.lock().unwrap_or_else(PoisonError::into_inner).insert(self.clone())
    }

    /// Appends it to the file of skips. Returns `false` if [`SKIPS`] names no file.
    ///
    /// # Panics
    /// If the file cannot be written: a skip that is not counted would go unnoticed.
    fn count(&self) -> bool {
        let Some(file) = named(SKIPS) else { return false };
        let file = Path::new(&file);
        append(file, self).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        true
    }

    /// Formats the skip as a line of the file of skips, including the line feed.
    fn line(&self) -> String {
        let reason = self.reason.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("{}\t{}\t{reason}\n", self.needs, self.test)
    }

    /// Parses a line of the file of skips; `None` if the line is malformed.
    pub fn parse(line: &str) -> Option<Self> {
        let mut parts = line.splitn(3, '\t');
        let (needs, test, reason) = (parts.next()?, parts.next()?, parts.next()?);
        Some(Self { needs: needs.parse().ok()?, test: test.to_owned(), reason: reason.to_owned() })
    }
}

/// Appends a line in a single write, so that lines of concurrent processes do not mix.
fn append(file: &Path, skip: &Skip) -> io::Result<()> {
    OpenOptions::new().create(true).append(true).open(file)?.write_all(skip.line().as_bytes())
}

/// Returns the name of the running test, including its program. Test threads have the names of their tests.
fn test_name() -> String {
    let program = program_name(&env::current_exe().unwrap_or_default());
    format!("{program}::{}", thread::current().name().unwrap_or("a thread of a test"))
}

/// Returns the name of a test program as used in skips: without the hash that Cargo adds.
pub fn program_name(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let is_hash = |end: &str| end.len() == 16 && end.bytes().all(|byte| byte.is_ascii_hexdigit());
    stem.rsplit_once('-').filter(|(_, end)| is_hash(end)).map_or(&*stem, |(name, _)| name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn program_names_have_no_hash() {
        let name = |path: &str| program_name(Path::new(path));
        assert_eq!(name("/t/debug/deps/throng_queue-0123456789abcdef"), "throng_queue");
        assert_eq!([name("/t/two-words"), name("/t/queue-0123.exe")], ["two-words", "queue-0123"]);
    }

    #[test]
    fn lines_contain_requirement_test_and_reason() {
        let skip = Skip { needs: Needs::Cuda, test: "backends::sums".into(), reason: "no\n\tdriver".into() };
        assert_eq!(skip.line(), "cuda\tbackends::sums\tno driver\n");
        let read = Skip::parse("cuda\tbackends::sums\tno driver").unwrap();
        assert_eq!(
            (read.needs, read.test.as_str(), read.reason.as_str()),
            (Needs::Cuda, "backends::sums", "no driver")
        );
        for bad in ["", "cuda", "cuda\tbackends::sums", "abacus\ta\tb"] {
            assert_eq!(Skip::parse(bad), None, "{bad}");
        }
    }
}
