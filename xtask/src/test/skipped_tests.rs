//! The tests that the quick run skipped, wholly or in part. Their list is stored beside the test programs; `cargo xtask
//! test --rest` runs these tests.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use throng_testing::{Needs, Skip, program_name};

use super::{EXHAUSTIVE, Run};
use crate::artifacts::Executable;
use crate::{at, name};

/// Remedy if there is no valid list.
const REMEDY: &str = "run `cargo xtask test` first, or everything with `cargo xtask test --all`";

/// Requirements that `--rest` provides and the quick run may lack: time, and programs that are installed on request.
const OF_REST: [Needs; 4] = [Needs::All, Needs::PythonTools, Needs::Pocl, Needs::Chromium];

/// Tests that the quick run did not run completely, by program.
pub(super) struct SkippedTests(BTreeMap<String, BTreeSet<String>>);

impl SkippedTests {
    /// Removes the list of an earlier run, so that a failed run leaves none.
    pub(super) fn forget(programs: &[Executable]) -> Result<(), String> {
        let file = file(programs)?;
        if file.exists() { std::fs::remove_file(&file).map_err(at(&file)) } else { Ok(()) }
    }

    /// Stores the list of a successful quick run, after the names of the programs.
    pub(super) fn keep(skips: &[Skip], programs: &[Executable]) -> Result<(), String> {
        let tests: BTreeSet<&str> =
            skips.iter().filter(|skip| OF_REST.contains(&skip.needs)).map(|skip| skip.test.as_str()).collect();
        let file = file(programs)?;
        let lines: String = tests.into_iter().flat_map(|test| [test, "\n"]).collect();
        std::fs::write(&file, format!("{}\n{lines}", names(programs))).map_err(at(&file))
    }

    /// Reads the list of the last quick run of these programs; an error if they were rebuilt since.
    pub(super) fn of_last_run(programs: &[Executable]) -> Result<Self, String> {
        let file = file(programs)?;
        let text = std::fs::read_to_string(&file)
            .map_err(|_| format!("the last quick run of the tests has not passed; {REMEDY}"))?;
        let kept = modified(&file)?;
        let (of, tests) = text.split_once('\n').unwrap_or_default();
        let built = programs.iter().map(|program| modified(&program.path)).collect::<Result<Vec<_>, _>>()?;
        if of != names(programs) || built.into_iter().any(|built| built > kept) {
            return Err(format!("the tests were built after their last quick run; {REMEDY}"));
        }
        let mut by_program: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (program, test) in tests.lines().filter_map(|line| line.split_once("::")) {
            by_program.entry(program.to_owned()).or_default().insert(test.to_owned());
        }
        Ok(Self(by_program))
    }

    /// Returns the programs with skipped tests, with the arguments that select these tests.
    pub(super) fn runs<'p>(&self, programs: &'p [Executable]) -> Result<Vec<Run<'p>>, String> {
        let mut runs = Vec::new();
        for program in programs {
            let tests = self.of(program)?;
            if !tests.is_empty() {
                let arguments = std::iter::once("--exact".to_owned()).chain(tests);
                runs.push((program, arguments.map(OsString::from).collect()));
            }
        }
        Ok(runs)
    }

    /// Returns the names of a program's skipped tests.
    fn of(&self, program: &Executable) -> Result<Vec<String>, String> {
        let mut command = Command::new(&program.path);
        command.current_dir(&program.folder).args(["--list", "--format", "terse"]);
        let called = name(&command);
        let output = command.output().map_err(|error| format!("{called} cannot be started: {error}"))?;
        if !output.status.success() {
            return Err(format!("`{called}` failed ({})", output.status));
        }
        Ok(self.among(&program_name(&program.path), &String::from_utf8_lossy(&output.stdout)))
    }

    /// Returns the skipped tests in a list of a program's tests.
    fn among(&self, program: &str, list: &str) -> Vec<String> {
        let tests: BTreeSet<&str> = list.lines().filter_map(|line| line.strip_suffix(": test")).collect();
        let none = BTreeSet::new();
        let recorded = self.0.get(program).unwrap_or(&none);
        // Test threads have the names of their tests, except threads started by a test, and the main thread, which runs
        // the tests on a machine with one core. In these cases any test may have been skipped.
        let is_any = recorded.iter().any(|name| !tests.contains(name.as_str()));
        let is_left_out = |test: &&str| is_any || test.contains(EXHAUSTIVE) || recorded.contains(*test);
        tests.into_iter().filter(is_left_out).map(str::to_owned).collect()
    }
}

/// Path of the list: beside the programs, so that it is removed with them.
fn file(programs: &[Executable]) -> Result<PathBuf, String> {
    let folder = programs.first().and_then(|program| program.path.parent()).ok_or("there are no test programs")?;
    Ok(folder.join("throng-tests-left-out.txt"))
}

/// File names of the programs, which change with features and profiles.
fn names(programs: &[Executable]) -> String {
    let names = programs.iter().filter_map(|program| program.path.file_name());
    names.map(|name| name.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

fn modified(path: &Path) -> Result<SystemTime, String> {
    path.metadata().and_then(|data| data.modified()).map_err(at(path))
}

#[cfg(test)]
mod tests {
    use std::fs::{File, create_dir_all, remove_dir_all, write};
    use std::time::Duration;

    use super::*;
    use crate::artifacts::Kind;

    fn program(folder: &Path, target: &str) -> Executable {
        Executable {
            package: format!("throng-{target}"),
            folder: folder.into(),
            kind: Kind::Integration,
            target: target.into(),
            path: folder.join(format!("{target}-0123456789abcdef")),
        }
    }

    #[test]
    fn lists_are_valid_until_a_program_is_rebuilt() {
        let folder = std::env::temp_dir().join(format!("throng-xtask-left-out-{}", std::process::id()));
        create_dir_all(&folder).unwrap();
        let programs = ["queue", "fields"].map(|target| program(&folder, target));
        for program in &programs {
            write(&program.path, "").unwrap();
        }
        let refused = || SkippedTests::of_last_run(&programs).err().unwrap();
        assert!(refused().starts_with("the last quick run of the tests has not passed"));

        let skip = |needs, test: &str| Skip { needs, test: test.into(), reason: "a reason".into() };
        let skips = [
            skip(Needs::All, "queue::b"),
            skip(Needs::Data, "queue::a"),
            skip(Needs::Chromium, "fields::a"),
            skip(Needs::All, "fields::main"),
        ];
        SkippedTests::keep(&skips, &programs).unwrap();
        let kept = SkippedTests::of_last_run(&programs).unwrap();
        let list = "a: test\nb: test\nexhaustive::c: test\nd: benchmark\n";
        assert_eq!(kept.among("queue", list), ["b", "exhaustive::c"]);
        // Recorded on the main thread: may be any test.
        assert_eq!(kept.among("fields", list), ["a", "b", "exhaustive::c"]);
        assert_eq!(kept.among("crowd", list), ["exhaustive::c"]);
        assert!(SkippedTests::of_last_run(&programs[..1]).is_err(), "other programs");

        let later = SystemTime::now() + Duration::from_secs(10);
        File::options().write(true).open(&programs[1].path).unwrap().set_modified(later).unwrap();
        assert!(refused().starts_with("the tests were built after their last quick run"));
        SkippedTests::forget(&programs).unwrap();
        SkippedTests::forget(&programs).unwrap();
        assert!(refused().starts_with("the last quick run of the tests has not passed"));
        remove_dir_all(&folder).unwrap();
    }
}
