//! The environment of tests: data, devices, other programs, reproducible random cases, and counted skips.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use throng_testing::{ALL, REFERENCE_DATA, REQUIRE, SKIPS, Skip, required};

use super::Extent;
use crate::{root, seed, skips, vulkan, with_runtime_folder};

/// Default location of the reference data, relative to the project.
const BESIDE: &str = "../shared/data/matsim";

/// Data, seed and skip file that test programs get through environment variables.
pub(super) struct Environment {
    data: Option<PathBuf>,
    seed: u64,
    /// Path of the file of skips.
    counted: PathBuf,
    extent: Extent,
    /// Messages about found and installed programs, for the report.
    about: String,
}

impl Environment {
    /// Finds the data and devices for tests, and installs a Vulkan driver if there is none.
    pub(super) fn prepare(extent: Extent) -> Result<Self, String> {
        let mut about = vec![vulkan::software_device()];
        let data = reference_data(env::var_os(REFERENCE_DATA), root())?;
        about.push(match &data {
            Some(path) => format!("reference data: {}", path.display()),
            None => format!(
                "skipped: tests against MATSim's results: there is no {} (name another folder with {REFERENCE_DATA})",
                root().join(BESIDE).display()
            ),
        });
        // Reported once here instead of by each test that is skipped.
        required().map_err(|error| format!("{REQUIRE}: {error}"))?;
        let seed = seed::of_environment_or_random()?;
        about.push(format!("random cases: {}={seed} repeats them", seed::VARIABLE));
        let about = about.join("\n");
        println!("{about}");
        let counted = env::temp_dir().join(format!("throng-skips-{}.txt", std::process::id()));
        skips::begin(&counted)?;
        Ok(Self { data, seed, counted, extent, about })
    }

    /// Adds messages about found or installed programs, and prints them.
    pub(super) fn add(&mut self, programs: &[String]) {
        let programs = programs.join("\n");
        println!("{programs}");
        self.about = format!("{programs}\n{}", self.about);
    }

    /// Sets the environment variables of a test command.
    pub(super) fn set_variables(&self, command: &mut Command) {
        with_runtime_folder(command);
        command.env(seed::VARIABLE, self.seed.to_string()).env(SKIPS, &self.counted);
        if let Some(data) = &self.data {
            command.env(REFERENCE_DATA, data);
        }
        match self.extent {
            Extent::Rest | Extent::All => command.env(ALL, "1"),
            Extent::Quick => command.env_remove(ALL),
        };
    }

    /// Returns a text about the environment and the skipped tests, and the skips themselves.
    pub(super) fn report(self) -> Result<(String, Vec<Skip>), String> {
        let skips = skips::take(&self.counted)?;
        Ok((format!("{}\n{}", self.about, skips::report(&skips)), skips))
    }
}

/// Returns the folder named by the variable, else the default folder beside the project.
pub(crate) fn reference_data(named: Option<OsString>, root: &Path) -> Result<Option<PathBuf>, String> {
    match named.filter(|path| !path.is_empty()).map(PathBuf::from) {
        Some(path) if path.is_dir() => Ok(Some(path)),
        Some(path) => Err(format!("{REFERENCE_DATA} is {}, which is not a folder", path.display())),
        None => {
            let beside = root.join(BESIDE);
            // Absolute and normalised, because tests run in the folders of their crates.
            Ok(beside.canonicalize().ok().filter(|path| path.is_dir()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_named_folder_takes_precedence_and_must_exist() {
        let here = root();
        assert_eq!(reference_data(Some(here.into()), here), Ok(Some(here.to_owned())));
        assert!(reference_data(Some("/nowhere/at/all".into()), here).unwrap_err().contains("is not a folder"));
        assert_eq!(reference_data(Some("".into()), Path::new("/nowhere/at/all")), Ok(None));
        assert_eq!(reference_data(None, Path::new("/nowhere/at/all")), Ok(None));
    }
}
