//! The folder in which a check runs: programs, reference data, examples, and a working folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use throng_testing::{PROGRAM, REFERENCE_DATA, REPOSITORY};

use super::suites::Program;
use crate::{at, with_runtime_folder};

/// The check folder. It has the same layout beside the sources, where its entries are links, and unpacked elsewhere.
pub(super) struct Place {
    folder: PathBuf,
    /// Backends that are hidden from all programs.
    hidden: Vec<String>,
}

/// Subfolders of the check folder.
pub(super) const PROGRAMS: &str = "bin";
pub(super) const DATA: &str = "matsim";
/// Folder of the cases of public transport, beside it.
pub(super) const TRANSIT_DATA: &str = "matsim_transit";
/// Folders of the repository that tests read.
pub(super) const SOURCES: [&str; 2] = ["examples", "docs"];
/// Marker file that exists if the programs were built with full optimisation.
pub(super) const RELEASE: &str = "release";
const WORK: &str = "work";
/// File name of the program `throng` in the folder of programs.
pub(super) const THRONG: &str = "throng";

impl Place {
    /// Opens a check folder and empties its working folder.
    pub(super) fn new(folder: &Path, hidden: &[String]) -> Result<Self, String> {
        let folder = folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()))?;
        let place = Self { folder, hidden: hidden.to_vec() };
        empty(&place.work())?;
        Ok(place)
    }

    /// Folder for logs and results.
    pub(super) fn work(&self) -> PathBuf {
        self.folder.join(WORK)
    }

    /// Returns an empty folder for the results of a suite.
    pub(super) fn results(&self) -> Result<PathBuf, String> {
        let folder = self.work().join("results");
        empty(&folder)?;
        Ok(folder)
    }

    /// Returns the folder of the reference data, if it exists.
    pub(super) fn data(&self) -> Option<String> {
        let data = self.folder.join(DATA);
        data.is_dir().then(|| data.display().to_string())
    }

    /// Whether the programs were built with full optimisation.
    pub(super) fn is_release(&self) -> bool {
        self.folder.join(RELEASE).exists()
    }

    /// Returns a command that runs a test program.
    pub(super) fn test(&self, program: &Program) -> Command {
        self.command(&program.file())
    }

    /// Returns a command that runs `throng`.
    pub(super) fn throng(&self, arguments: &[String]) -> Command {
        let mut command = self.command(THRONG);
        command.args(arguments);
        command
    }

    fn command(&self, program: &str) -> Command {
        let programs = self.folder.join(PROGRAMS);
        let mut command = Command::new(programs.join(program));
        command.current_dir(&self.folder);
        command.env(PROGRAM, programs.join(THRONG)).env(REPOSITORY, &self.folder);
        command.env(REFERENCE_DATA, self.folder.join(DATA));
        with_runtime_folder(&mut command);
        for backend in &self.hidden {
            match backend.as_str() {
                "cuda" => command.env("CUDA_VISIBLE_DEVICES", ""),
                // Both names of the variable with the list of drivers, so that the loader finds none.
                _ => command.env("VK_DRIVER_FILES", "/dev/null").env("VK_ICD_FILENAMES", "/dev/null"),
            };
        }
        command
    }
}

/// Creates a folder, removing its previous content.
pub(super) fn empty(folder: &Path) -> Result<(), String> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(at(folder))?;
    }
    fs::create_dir_all(folder).map_err(at(folder))
}
