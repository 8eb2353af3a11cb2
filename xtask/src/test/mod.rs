//! `cargo xtask test`: runs the quick tests, the skipped tests or all tests, and prints a summary of times and skips.

mod doc_tests;
mod environment;
mod programs;
mod skipped_tests;
mod summary;

use std::ffi::OsString;
use std::process::Command;
use std::time::{Duration, Instant};

use throng_testing::{Needs, Skip, has_cuda_driver, required};

use self::environment::Environment;
use self::programs::ProgramResult;
use self::skipped_tests::SkippedTests;
use crate::artifacts::{Built, Executable, Kind, built_by};
use crate::{OPTIONAL, cargo, chromium, pocl, python_tools};

pub(crate) use self::environment::reference_data;

/// Selection of tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All tests except those in modules named `exhaustive`, with fewer random cases and only the facade's doc tests.
    Quick,
    /// The tests that the last quick run skipped, wholly or in part.
    Rest,
    All,
}

/// Module name of tests that the quick run skips.
const EXHAUSTIVE: &str = "exhaustive::";
/// Crate whose doc tests are quick.
const FACADE: &str = "throng";

/// `cargo xtask test [--rest | --all] [ARGUMENTS]`; ARGUMENTS go to the test programs.
pub(crate) fn run(arguments: &[OsString]) -> Result<(), String> {
    match arguments {
        [first] if first == "--rest" => tests(Extent::Rest, &[]),
        [first, ..] if first == "--rest" => Err("--rest takes no arguments: it chooses the tests".to_owned()),
        [first, rest @ ..] if first == "--all" => tests(Extent::All, rest),
        _ => tests(Extent::Quick, arguments),
    }
}

pub(crate) fn tests(extent: Extent, arguments: &[OsString]) -> Result<(), String> {
    let mut environment = Environment::prepare(extent)?;
    let (built, build) = built(&[], &["--lib", "--bins", "--tests"])?;
    let programs = &built.executables;
    let is_whole_quick_run = extent == Extent::Quick && arguments.is_empty();
    if is_whole_quick_run {
        SkippedTests::forget(programs)?;
    }
    let runs = match extent {
        Extent::Quick => with_arguments(programs, &[arguments, &["--skip", EXHAUSTIVE].map(OsString::from)].concat()),
        Extent::Rest => SkippedTests::of_last_run(programs)?.runs(programs)?,
        Extent::All => with_arguments(programs, arguments),
    };
    if extent != Extent::Quick {
        environment.add(&[python_tools::install(), pocl::install(), chromium::install()]);
    }
    let mut ran = run_all(runs, &environment)?;
    let mut doc_tests = match extent {
        Extent::Quick => doc_tests::of(FACADE, &built.libraries, arguments)?,
        Extent::Rest | Extent::All => doc_tests::of_all(&profile_and_features(), arguments),
    };
    environment.set_variables(&mut doc_tests);
    ran.push(programs::run("doc tests".to_owned(), doc_tests)?);
    let skips = print_report(build, &ran, environment)?;
    if is_whole_quick_run {
        let left_out: usize = ran.iter().map(|one| one.left_out).sum();
        println!(
            "left to --rest or --all: {left_out} tests in modules `exhaustive`, doc tests of all crates but {FACADE}, \
             and the remainder of the tests that were done in part"
        );
    }
    summary::failures(&ran)?;
    if is_whole_quick_run { SkippedTests::keep(&skips, programs) } else { Ok(()) }
}

/// Crates whose code is used by the golden cases.
const GOLDEN: [&str; 6] =
    ["throng-core", "throng-device", "throng-matsim", "throng-output", "throng-queue", "throng-traffic-scenario"];
/// Profile settings of a release: optimised, without assertions and overflow checks.
const RELEASED: [&str; 3] = ["opt-level=3", "debug-assertions=false", "overflow-checks=false"];

/// Runs the golden cases with our code compiled as for a release. Dependencies keep the profile of the other tests, so
/// only six crates are recompiled; a full release build takes as long as all other builds together.
pub(crate) fn run_golden_as_released() -> Result<(), String> {
    // Kernels are compiled by the driver, independently of our profile. This takes minutes on software devices, so
    // these are included only if nothing may be skipped.
    let is_all_required = required().is_ok_and(|needs| needs.contains(&Needs::All));
    let extent = if is_all_required { Extent::All } else { Extent::Quick };
    let environment = Environment::prepare(extent)?;
    let settings: Vec<String> = GOLDEN
        .iter()
        .flat_map(|package| RELEASED.map(|setting| format!("--config=profile.suite.package.{package}.{setting}")))
        .collect();
    let (built, build) = built(&settings, &["--test", "queue"])?;
    let ran = run_all(with_arguments(&built.executables, &[OsString::from("golden::")]), &environment)?;
    print_report(build, &ran, environment)?;
    summary::failures(&ran)
}

/// Builds targets of the workspace, always with the same profile and features, so that nothing is compiled twice.
fn built(settings: &[String], targets: &[&str]) -> Result<(Built, Duration), String> {
    let began = Instant::now();
    let mut command = cargo(&["test", "--no-run", "--workspace"]);
    command.args(profile_and_features()).args(settings).args(targets);
    let mut built = built_by(command)?;
    built.executables.retain(|program| program.kind != Kind::Program);
    Ok((built, began.elapsed()))
}

/// Returns the test profile and features: the optional features, the kernel interpreter, Vulkan, and CUDA if this
/// machine has a driver for it. The lints check the other combinations.
fn profile_and_features() -> [String; 5] {
    let cuda = if has_cuda_driver() { ",throng-cli/cuda,flocking/cuda" } else { "" };
    let features = format!("throng-cli/vulkan,throng-cli/host,flocking/vulkan{cuda},{OPTIONAL}");
    ["--profile", "suite", "--no-default-features", "--features", &features].map(str::to_owned)
}

/// A test program and its arguments.
type Run<'p> = (&'p Executable, Vec<OsString>);

/// Pairs each program with the same arguments.
fn with_arguments<'p>(programs: &'p [Executable], arguments: &[OsString]) -> Vec<Run<'p>> {
    programs.iter().map(|program| (program, arguments.to_vec())).collect()
}

fn run_all(runs: Vec<Run<'_>>, environment: &Environment) -> Result<Vec<ProgramResult>, String> {
    let mut ran = Vec::new();
    for (program, arguments) in runs {
        let mut command = Command::new(&program.path);
        // As Cargo does.
        command.current_dir(&program.folder).env("CARGO_MANIFEST_DIR", &program.folder).args(arguments);
        environment.set_variables(&mut command);
        ran.push(programs::run(programs::name(program), command)?);
    }
    Ok(ran)
}

/// Prints the programs run, their times and the skipped tests, and returns the skips.
fn print_report(build: Duration, ran: &[ProgramResult], environment: Environment) -> Result<Vec<Skip>, String> {
    let (report, skips) = environment.report()?;
    println!("\n{}\n{report}", summary::table(build, ran));
    Ok(skips)
}
