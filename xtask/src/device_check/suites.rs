//! What is checked on a machine with a GPU. This is the only list of it.

use super::cases::{REFERENCES, SCENARIOS};
use super::figures::FIGURES;

/// One line of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Suite {
    /// A test program of the workspace. Its tests look for devices themselves.
    Tests(Program),
    /// `throng check` on each device.
    Check,
    /// A scenario on the CPU and on each device: the same events and states.
    Scenario(&'static super::cases::Scenario),
    /// A case that MATSim has run, on the CPU and on each device: MATSim's events.
    Reference(&'static super::cases::Reference),
    /// Figures of `docs/src/performance.md`.
    Figures(&'static super::figures::Figures),
}

/// A test program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Program {
    /// Its package.
    pub(super) package: &'static str,
    /// The module of its integration tests, or `lib` or `bin` for the unit tests.
    pub(super) part: &'static str,
    /// Parts of the names of the tests that are run; with none, all are.
    pub(super) only: &'static [&'static str],
}

/// The unit tests of a library.
pub(super) const LIB: &str = "lib";
/// The unit tests of a program with the name of its package.
pub(super) const BIN: &str = "bin";
/// Tests of simulated faults, which only builds with debug assertions have.
const FAULTS: &str = "faults";
/// The tests that `same_on_devices!` makes.
const RULES: &str = "is_the_same_on_devices";

/// The test programs with tests on devices.
pub(super) const PROGRAMS: [Program; 31] = [
    Program { package: "throng-device", part: "backends", only: &[] },
    Program { package: "throng-device", part: "rules", only: &[] },
    Program { package: "throng-device", part: "checks", only: &[] },
    Program { package: "throng-device", part: "book", only: &[] },
    Program { package: "throng-device", part: LIB, only: &["loops"] },
    Program { package: "throng-economy", part: "societies", only: &[] },
    Program { package: "throng-economy", part: "sweeps", only: &[] },
    Program { package: "throng-games", part: LIB, only: &["unpruned"] },
    Program { package: "throng-render", part: "devices", only: &[] },
    Program { package: "throng-render", part: "moving", only: &[] },
    Program { package: "throng-collision", part: "rules", only: &[] },
    Program { package: "throng-collision", part: LIB, only: &["tests"] },
    Program { package: "throng-pedestrians", part: "rules", only: &[] },
    Program { package: "throng-pedestrians", part: LIB, only: &["tests"] },
    Program { package: "throng-fields-core", part: LIB, only: &[RULES] },
    Program { package: "throng-fields", part: LIB, only: &[RULES] },
    Program { package: "throng-fields", part: "devices", only: &[] },
    Program { package: "throng-fields-model", part: "devices", only: &[] },
    Program { package: "throng-fields-model", part: "run", only: &[] },
    Program { package: "throng-queue", part: "rules", only: &[] },
    Program { package: "throng-queue", part: "pitfalls", only: &[] },
    Program { package: "throng-queue", part: "invariants", only: &[] },
    Program { package: "throng-queue", part: "golden", only: &[] },
    Program { package: "throng-queue", part: LIB, only: &["prepare::checked"] },
    Program { package: "throng-papers", part: LIB, only: &["strippgen", "vigueras", "yu", "kloosterman"] },
    Program { package: "throng-papers", part: "elmir", only: &[] },
    Program { package: "throng-papers", part: "vigueras", only: &[] },
    Program { package: "throng-papers", part: "yu", only: &[] },
    Program {
        package: "throng-cli",
        part: "cli",
        only: &[
            "cli::errors::a_missing_device",
            "cli::errors::what_only_the_cpu_can_do",
            "cli::papers::the_paper_of_strippgen",
        ],
    },
    Program { package: "throng-cli", part: FAULTS, only: &[] },
    Program { package: "flocking", part: BIN, only: &[] },
];

impl Program {
    /// The file of the program in the folder of the check. All modules of integration tests are one program.
    pub(super) fn file(&self) -> String {
        let part = if self.is_module() { "tests" } else { self.part };
        format!("{}-{part}", self.package)
    }

    /// The names of the tests that are run, or parts of names.
    pub(super) fn filters(&self) -> Vec<String> {
        match self.only {
            [] if self.is_module() => vec![format!("{}::", self.part)],
            only => only.iter().map(|&part| part.to_owned()).collect(),
        }
    }

    fn is_module(&self) -> bool {
        self.part != LIB && self.part != BIN
    }
}

impl Suite {
    /// The suites in the order in which they run: what is quick and general first. Released programs cannot simulate
    /// faults of devices.
    pub(super) fn all(with_figures: bool, is_release: bool) -> Vec<Self> {
        let mut all = vec![Self::Check];
        all.extend(SCENARIOS.iter().map(Self::Scenario));
        all.extend(REFERENCES.iter().map(Self::Reference));
        all.extend(PROGRAMS.into_iter().filter(|program| !(is_release && program.part == FAULTS)).map(Self::Tests));
        if with_figures {
            all.extend(FIGURES.iter().map(Self::Figures));
        }
        all
    }

    /// The name in the result and for `--only`.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Tests(program) => format!("tests/{}/{}", program.package, program.part),
            Self::Check => "check".to_owned(),
            Self::Scenario(scenario) => format!("scenario/{}", scenario.name),
            Self::Reference(reference) => format!("reference/{}", reference.name),
            Self::Figures(figures) => format!("figures/{}", figures.name),
        }
    }

    /// Whether it is quick enough for a device in software, where each run of traffic first compiles for a minute.
    pub(super) fn suits_software(&self) -> bool {
        match self {
            Self::Tests(_) | Self::Check => true,
            Self::Scenario(scenario) => scenario.suits_software,
            Self::Reference(reference) => reference.suits_software,
            Self::Figures(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;
    use crate::{layers, root};

    #[test]
    fn names_differ_and_programs_are_there() {
        let all = Suite::all(true, false);
        let names: BTreeSet<String> = all.iter().map(Suite::name).collect();
        assert_eq!(names.len(), all.len());
        assert_eq!(Suite::all(true, true).len(), all.len() - 1);
        assert!(Suite::all(false, false).iter().all(|suite| !suite.name().starts_with("figures/")));
        for program in PROGRAMS {
            let of_throng = layers::folder_of(program.package);
            let package = of_throng.unwrap_or_else(|| root().join("examples").join(program.package));
            let sources = match program.part {
                LIB => vec![package.join("src/lib.rs")],
                BIN => vec![package.join("src/main.rs")],
                module => vec![package.join(format!("tests/{module}.rs")), package.join("tests").join(module)],
            };
            assert!(sources.iter().any(|source| source.exists()), "{}", program.file());
        }
    }

    /// Whether a test opens devices, by its source.
    fn opens_devices(code: &str) -> bool {
        ["inventory()", "throng_testing_devices::", "devices::devices", "same_on_devices!"]
            .iter()
            .any(|call| code.contains(call))
    }

    /// Appends the modules of unit tests below `folder` that open devices, such as `prepare::checked_tests`.
    fn unit_tests(folder: &Path, prefix: &str, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                unit_tests(&path, &format!("{prefix}{name}::"), found);
                continue;
            }
            let code = std::fs::read_to_string(&path).unwrap();
            if code.contains("same_on_devices!") {
                found.push(format!("{prefix}{name}::{RULES}"));
            }
            if name.ends_with("tests") && opens_devices(&code) {
                found.push(format!("{prefix}{name}"));
            }
        }
    }

    #[test]
    fn every_unit_test_that_opens_devices_is_in_the_list() {
        let mut all = 0;
        for package in layers::all_crates() {
            let name = package.file_name().unwrap().to_string_lossy().into_owned();
            if name.starts_with("throng-testing") {
                continue;
            }
            let mut modules = Vec::new();
            unit_tests(&package.join("src"), "", &mut modules);
            let only = PROGRAMS.iter().find(|program| program.package == name && program.part == LIB);
            let only = only.map_or(&[][..], |program| program.only);
            for module in &modules {
                assert!(only.iter().any(|part| module.contains(part)), "{name}, {module}: not in the list");
            }
            all += modules.len();
        }
        assert!(all >= 2, "{all}");
    }

    #[test]
    fn every_module_of_tests_that_opens_devices_is_in_the_list() {
        for package in layers::all_crates() {
            let Ok(tests) = std::fs::read_dir(package.join("tests")) else { continue };
            for test in tests {
                let path = test.unwrap().path();
                let module = path.file_stem().unwrap().to_string_lossy().into_owned();
                let mut code = String::new();
                if path.is_dir() {
                    crate::tests::rust_files(&path, &mut code);
                } else {
                    code = std::fs::read_to_string(&path).unwrap();
                }
                let has_tests = code.contains("#[test]") || code.contains("same_on_devices!");
                let opens = has_tests && opens_devices(&code);
                let name = package.file_name().unwrap().to_string_lossy().into_owned();
                let listed = PROGRAMS.iter().any(|program| program.package == name && program.part == module);
                assert!(listed || !opens, "{name}, {module}: not in the list of device-check");
            }
        }
    }
}
