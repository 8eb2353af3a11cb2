//! Builds the programs of a check and finds their paths.

use std::path::PathBuf;

use super::place::THRONG;
use super::suites::{BIN, LIB, PROGRAMS, Program};
use crate::artifacts::{Executable, Kind, built_by};
use crate::cargo;

/// Commands that are optional features, for the figures of papers.
const COMMANDS: &str = "throng-cli/papers,throng-cli/local-memory";

/// Builds the test programs and the command line; returns each with its name in the check folder.
pub(super) fn programs(release: bool) -> Result<Vec<(String, PathBuf)>, String> {
    let mut command =
        cargo(&["test", "--no-run", "--lib", "--bins", "--tests", "--package", "throng-cli", "--features", COMMANDS]);
    if release {
        command.arg("--release");
    }
    let mut packages: Vec<&str> = PROGRAMS.iter().map(|program| program.package).collect();
    packages.dedup();
    for package in packages {
        command.args(["--package", package]);
    }
    let built = built_by(command)?.executables;
    let mut found: Vec<(String, PathBuf)> = Vec::new();
    for program in &PROGRAMS {
        let file = program.file();
        if found.iter().all(|(name, _)| *name != file) {
            let test = built.iter().find(|one| is_test(one, program));
            let test = test.ok_or_else(|| format!("Cargo named no executable of {file}"))?;
            found.push((file, test.path.clone()));
        }
    }
    let throng = built.iter().find(|one| one.kind == Kind::Program && one.target == THRONG);
    found.push((THRONG.to_owned(), throng.ok_or("Cargo named no executable of throng")?.path.clone()));
    Ok(found)
}

/// Whether an executable is a test program.
fn is_test(executable: &Executable, program: &Program) -> bool {
    let is_unit = |target: &str| executable.kind == Kind::Unit && executable.target == target;
    executable.package == program.package
        && match program.part {
            LIB => is_unit(&program.package.replace('-', "_")),
            BIN => is_unit(program.package),
            _ => executable.kind == Kind::Integration,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_identified_by_package_and_kind() {
        let executable = |package: &str, kind, target: &str| Executable {
            package: package.to_owned(),
            folder: PathBuf::new(),
            kind,
            target: target.to_owned(),
            path: PathBuf::new(),
        };
        let is = |package, part, executable: &Executable| is_test(executable, &Program { package, part, only: &[] });
        let fields = executable("throng-fields", Kind::Integration, "fields");
        assert!(is("throng-fields", "devices", &fields) && is("throng-fields", "run", &fields));
        assert!(!is("throng-fields", LIB, &fields) && !is("throng-device", "devices", &fields));
        assert!(is("throng-traffic", LIB, &executable("throng-traffic", Kind::Unit, "throng_traffic")));
        assert!(!is("throng-cli", LIB, &executable("throng-cli", Kind::Unit, "throng")));
        assert!(is("flocking", BIN, &executable("flocking", Kind::Unit, "flocking")));
    }
}
