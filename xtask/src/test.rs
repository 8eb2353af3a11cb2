//! `cargo xtask test`: all tests, with the data they need and word of what is skipped.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{cargo, root, run as run_command};

/// Where tests look for MATSim's results.
const VARIABLE: &str = "THRONG_REFERENCE_DATA";
/// Where they lie beside the project.
const BESIDE: &str = "../shared/data/matsim";

pub(crate) fn run(arguments: &[OsString]) -> Result<(), String> {
    let about_devices = software_device();
    println!("{about_devices}");
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
    // Mesa complains to standard error where there is no such folder.
    if env::var_os("XDG_RUNTIME_DIR").is_none() {
        command.env("XDG_RUNTIME_DIR", env::temp_dir());
    }
    command.args(arguments);
    if let Some(data) = &data {
        command.env(VARIABLE, data);
    }
    let result = run_command(command);
    // Again at the end, where it is seen.
    println!("\n{about_data}\n{about_devices}");
    result
}

/// The packages of Debian and Ubuntu with a Vulkan device in software, on which kernels are tested.
const PACKAGES: [&str; 2] = ["libvulkan1", "mesa-vulkan-drivers"];
/// Where Vulkan's loader looks for drivers.
const DRIVERS: [&str; 3] = ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d"];

/// Sees to it that there is a Vulkan device, if need be one in software, and says what it found. Installs packages only
/// where that asks for no password; otherwise it names them.
fn software_device() -> String {
    if has_driver() {
        return "Vulkan: a driver is installed; kernels are tested on every device here".to_owned();
    }
    let command = format!("apt-get install -y --no-install-recommends {}", PACKAGES.join(" "));
    let as_root = ["", "sudo -n "].iter().any(|prefix| {
        let all = format!("{prefix}apt-get update -q && {prefix}{command}");
        println!("installing a Vulkan device in software: {all}");
        Command::new("sh")
            .args(["-c", &all])
            .env("DEBIAN_FRONTEND", "noninteractive")
            .status()
            .is_ok_and(|s| s.success())
    });
    if as_root && has_driver() {
        return format!("Vulkan: {} were installed; kernels are tested in software", PACKAGES.join(" and "));
    }
    format!("skipped: tests of kernels, there is no Vulkan driver; as root: {command}")
}

fn has_driver() -> bool {
    let named = env::var_os("VK_DRIVER_FILES").or_else(|| env::var_os("VK_ICD_FILENAMES"));
    named.is_some()
        || DRIVERS.iter().any(|folder| std::fs::read_dir(folder).is_ok_and(|mut files| files.next().is_some()))
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
