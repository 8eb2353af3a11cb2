//! `cargo xtask test`: all tests, with the data they need, a seed that repeats them, and a count of what is skipped.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use throng_testing::{REFERENCE_DATA, REQUIRE, SKIPS, required};

use crate::{
    CONVERSIONS, cargo, chromium, pedpy, pocl, root, run as run_command, seed, skips, vulkan, with_runtime_folder,
};

/// Where the reference data lies beside the project.
const BESIDE: &str = "../shared/data/matsim";

pub(crate) fn run(arguments: &[OsString]) -> Result<(), String> {
    let mut command = cargo(&["test", "--workspace", "--features", CONVERSIONS, "--no-fail-fast"]);
    command.args(arguments);
    let about_others = [pedpy::install(), pocl::install(), chromium::install()].join("\n");
    println!("{about_others}");
    let result = run_tests(command);
    println!("{about_others}");
    result
}

/// The crates of which the golden cases run code.
const GOLDEN: [&str; 6] =
    ["throng-core", "throng-device", "throng-matsim", "throng-output", "throng-queue", "throng-traffic-scenario"];
/// What makes code of ours that of a release: optimised, with neither assertions nor checks for overflow.
const RELEASED: [&str; 3] = ["opt-level=3", "debug-assertions=false", "overflow-checks=false"];

/// The golden cases with our code as users run it. Dependencies stay as the other tests have built them, so that six
/// crates are compiled again; a whole release build takes as long as all other builds together.
pub(crate) fn run_golden_as_released(arguments: &[OsString]) -> Result<(), String> {
    // All packages, so that features of dependencies are those of the other tests.
    let mut command = cargo(&["test", "--workspace", "--features", CONVERSIONS, "--test", "golden", "--no-fail-fast"]);
    for package in GOLDEN {
        for setting in RELEASED {
            command.arg("--config").arg(format!("profile.dev.package.{package}.{setting}"));
        }
    }
    command.args(arguments);
    run_tests(command)
}

/// Runs tests with all that they need, and counts what they skip.
fn run_tests(mut command: Command) -> Result<(), String> {
    let about_devices = vulkan::software_device();
    println!("{about_devices}");
    let data = reference_data(env::var_os(REFERENCE_DATA), root())?;
    let about_data = match &data {
        Some(path) => format!("reference data: {}", path.display()),
        None => format!(
            "skipped: tests against MATSim's results, there is no {} (name another folder with {REFERENCE_DATA})",
            root().join(BESIDE).display()
        ),
    };
    println!("{about_data}");
    // Said now rather than by each test that wants to skip.
    required().map_err(|error| format!("{REQUIRE}: {error}"))?;
    let seed = seed::of_environment_or_random()?;
    let about_seed = format!("random cases: {}={seed} repeats them", seed::VARIABLE);
    println!("{about_seed}");

    let counted = env::temp_dir().join(format!("throng-skips-{}.txt", std::process::id()));
    skips::begin(&counted)?;
    with_runtime_folder(&mut command);
    command.env(seed::VARIABLE, seed.to_string()).env(SKIPS, &counted);
    if let Some(data) = &data {
        command.env(REFERENCE_DATA, data);
    }
    let result = run_command(command);
    // Again at the end, where it is seen.
    println!("\n{about_data}\n{about_devices}\n{about_seed}\n{}", skips::take(&counted)?);
    result
}

/// The folder named by the variable, else the one beside the project.
pub(crate) fn reference_data(named: Option<OsString>, root: &Path) -> Result<Option<PathBuf>, String> {
    match named.filter(|path| !path.is_empty()).map(PathBuf::from) {
        Some(path) if path.is_dir() => Ok(Some(path)),
        Some(path) => Err(format!("{REFERENCE_DATA} is {}, which is not a folder", path.display())),
        None => {
            let beside = root.join(BESIDE);
            // Absolute and without dots: tests run in the folders of their crates.
            Ok(beside.canonicalize().ok().filter(|path| path.is_dir()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_named_comes_first_and_has_to_be_there() {
        let here = root();
        assert_eq!(reference_data(Some(here.into()), here), Ok(Some(here.to_owned())));
        assert!(reference_data(Some("/nowhere/at/all".into()), here).unwrap_err().contains("is not a folder"));
        assert_eq!(reference_data(Some("".into()), Path::new("/nowhere/at/all")), Ok(None));
        assert_eq!(reference_data(None, Path::new("/nowhere/at/all")), Ok(None));
    }
}
