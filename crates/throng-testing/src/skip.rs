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
use crate::places::{has_chromium, has_pedpy, has_pocl, has_reference_data, has_vulkan_driver};
use crate::{Needs, UnknownNeed};

/// The environment variable that names what has to be there: a list of [names](Needs::name) with commas.
pub const REQUIRE: &str = "THRONG_REQUIRE";
/// The environment variable that names the file to which each skip adds a line. Tests of many processes share it.
pub const SKIPS: &str = "THRONG_SKIPS";

/// Says that the test which calls it, or a part of that test, does not run, for want of what it needs. The caller
/// returns or goes on without that part; one need counts once for a test, however often it asks.
///
/// # Panics
///
/// When `THRONG_REQUIRE` names the need, or something that is no need.
pub fn skip(needs: Needs, reason: impl Display) {
    static REPORTED: Mutex<BTreeSet<(String, Needs)>> = Mutex::new(BTreeSet::new());

    let test = test_name();
    let required = required().unwrap_or_else(|error| panic!("{REQUIRE}: {error}"));
    assert!(!required.contains(&needs), "{REQUIRE} asks for {needs}, and {test} cannot run: {reason}");
    // A set is whole after each insertion, so a test that panicked meanwhile does no harm.
    if REPORTED.lock().unwrap_or_else(PoisonError::into_inner).insert((test.clone(), needs)) {
        let skip = Skip { needs, test, reason: reason.to_string() };
        let counted = env::var_os(SKIPS).is_some_and(|file| append(Path::new(&file), &skip).is_ok());
        if !counted {
            // Not `eprintln!`, which a test that passes keeps to itself.
            let _ = writeln!(io::stderr(), "skipped: {}: {}", skip.test, skip.reason);
        }
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
    let program = env::current_exe().ok();
    let stem = program.as_deref().and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned());
    let stem = stem.unwrap_or_default();
    // Cargo adds a hash to the names of test programs.
    let is_hash = |end: &str| end.len() == 16 && end.bytes().all(|byte| byte.is_ascii_hexdigit());
    let program = stem.rsplit_once('-').filter(|(_, end)| is_hash(end)).map_or(stem.as_str(), |(name, _)| name);
    format!("{program}::{}", thread::current().name().unwrap_or("a thread of a test"))
}

#[cfg(test)]
mod tests {
    use super::*;

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
