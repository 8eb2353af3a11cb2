//! `cargo xtask test`: all tests, with the data they need and word of what is skipped.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::{cargo, root, run as run_command};

/// Where tests look for MATSim's results.
const VARIABLE: &str = "THRONG_REFERENCE_DATA";
/// Where they lie beside the project.
const BESIDE: &str = "../shared/data/matsim";

pub(crate) fn run(arguments: &[OsString]) -> Result<(), String> {
    println!("system packages: none besides a C compiler");
    let data = reference_data(env::var_os(VARIABLE), root())?;
    let about_data = match &data {
        Some(path) => format!("reference data: {}", path.display()),
        None => format!(
            "skipped: tests against MATSim's results, there is no {} (name another folder with {VARIABLE})",
            root().join(BESIDE).display()
        ),
    };
    println!("{about_data}");
    let mut command = cargo(&["test", "--workspace", "--no-fail-fast"]);
    command.args(arguments);
    if let Some(data) = &data {
        command.env(VARIABLE, data);
    }
    let result = run_command(command);
    // Again at the end, where it is seen.
    println!("\n{about_data}");
    result
}

/// The folder named by the variable, else the one beside the project.
fn reference_data(named: Option<OsString>, root: &Path) -> Result<Option<PathBuf>, String> {
    match named.filter(|path| !path.is_empty()).map(PathBuf::from) {
        Some(path) if path.is_dir() => Ok(Some(path)),
        Some(path) => Err(format!("{VARIABLE} is {}, which is not a folder", path.display())),
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
