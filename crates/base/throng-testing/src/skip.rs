//! Tests that cannot run here are counted, and fail where what they need was to be there.

use std::collections::BTreeSet;
use std::env;
use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::needs::parse_list;
use crate::places::{has_chromium, has_pedpy, has_pocl, has_reference_data, has_vulkan_driver, named};
use crate::{Needs, UnknownNeed};

/// The environment variable that names what has to be there: a list of [names](Needs::name) with commas.
pub const REQUIRE: &str = "THRONG_REQUIRE";
/// The environment variable that names the file to which each skip adds a line. Tests of many processes share it.
pub const SKIPS: &str = "THRONG_SKIPS";

/// Says that the test which calls it, or a part of that test, does not run, for want of what it needs. The caller
/// returns or goes on without that part; one need counts once for a test and a reason, however often it asks.
///
/// # Panics
///
/// When `THRONG_REQUIRE` names the need, or something that is no need.
pub fn skip(needs: Needs, reason: impl Display) {
    let test = test_name();
    let required = required().unwrap_or_else(|error| panic!("{REQUIRE}: {error}"));
    assert!(!required.contains(&needs), "{REQUIRE} asks for {needs}, and {test} cannot run: {reason}");
    let skip = Skip { needs, test, reason: reason.to_string() };
    if skip.tell_once() && !skip.count() {
        // Not `eprintln!`, which a test that passes keeps to itself.
        let _ = writeln!(io::stderr(), "skipped: {}: {}", skip.test, skip.reason);
    }
}

/// Counts the test that calls it among those that do more where [all](Needs::All) is tried, if skips are counted.
pub(crate) fn does_more_with_all(reason: &str) {
    let skip = Skip { needs: Needs::All, test: test_name(), reason: reason.to_owned() };
    if skip.tell_once() {
        skip.count();
    }
}

/// What must not be skipped, from what `THRONG_REQUIRE` says.
pub fn required() -> Result<Vec<Needs>, UnknownNeed> {
    let is_found = |needs| match needs {
        Needs::Data => has_reference_data(),
        Needs::Vulkan => has_vulkan_driver(),
        Needs::PedPy => has_pedpy(),
        Needs::Pocl => has_pocl(),
        Needs::Chromium => has_chromium(),
        _ => false,
    };
    parse_list(&env::var(REQUIRE).unwrap_or_default(), is_found)
}

/// [`skip`] for want of a device of a backend, which is given by its name.
///
/// # Panics
///
/// As [`skip`], and when there is no such backend.
pub fn skip_backend(backend: &str, reason: impl Display) {
    skip(backend.parse().unwrap_or_else(|error| panic!("{error}")), reason);
}

/// A test that did not run, wholly or in part.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skip {
    /// What it needs.
    pub needs: Needs,
    /// The test with the program that it is part of, such as `golden::equil_100`.
    pub test: String,
    /// Why it did not run.
    pub reason: String,
}

impl Skip {
    /// Whether it is the first skip of its test for this need and reason; later ones are the same.
    fn tell_once(&self) -> bool {
        static TOLD: Mutex<BTreeSet<Skip>> = Mutex::new(BTreeSet::new());
        // A set is whole after each insertion, so a test that panicked meanwhile does no harm.
        TOLD.lock().unwrap_or_else(PoisonError::into_inner).insert(self.clone())
    }

    /// Adds it to the file of skips. `false` if there is none.
    ///
    /// # Panics
    /// When the file cannot be written: a skip that is not counted would go unnoticed.
    fn count(&self) -> bool {
        let Some(file) = named(SKIPS) else { return false };
        let file = Path::new(&file);
        append(file, self).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        true
    }

    /// The skip as a line of the file of skips, with its end.
    fn line(&self) -> String {
        let reason = self.reason.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("{}\t{}\t{reason}\n", self.needs, self.test)
    }

    /// A line of the file of skips, or `None` when it is no such line.
    pub fn parse(line: &str) -> Option<Self> {
        let mut parts = line.splitn(3, '\t');
        let (needs, test, reason) = (parts.next()?, parts.next()?, parts.next()?);
        Some(Self { needs: needs.parse().ok()?, test: test.to_owned(), reason: reason.to_owned() })
    }
}

/// Adds a line in one piece, so that lines of processes which write at the same time do not mix.
fn append(file: &Path, skip: &Skip) -> io::Result<()> {
    OpenOptions::new().create(true).append(true).open(file)?.write_all(skip.line().as_bytes())
}

/// The name of the running test with that of its program. Test threads bear the names of their tests.
fn test_name() -> String {
    let program = program_name(&env::current_exe().unwrap_or_default());
    format!("{program}::{}", thread::current().name().unwrap_or("a thread of a test"))
}

/// The name of a test program as skips have it: without the hash that Cargo adds.
pub fn program_name(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let is_hash = |end: &str| end.len() == 16 && end.bytes().all(|byte| byte.is_ascii_hexdigit());
    stem.rsplit_once('-').filter(|(_, end)| is_hash(end)).map_or(&*stem, |(name, _)| name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_programs_have_no_hash() {
        let name = |path: &str| program_name(Path::new(path));
        assert_eq!(name("/t/debug/deps/throng_queue-0123456789abcdef"), "throng_queue");
        assert_eq!([name("/t/two-words"), name("/t/queue-0123.exe")], ["two-words", "queue-0123"]);
    }

    #[test]
    fn a_line_has_need_test_and_reason() {
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
