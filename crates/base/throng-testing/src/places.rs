//! Locations of the files that tests read.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::{Needs, skip};

/// Environment variable that names the folder of the reference data.
pub const REFERENCE_DATA: &str = "THRONG_REFERENCE_DATA";
/// Environment variable that names the folder with `examples`, for tests that run on a machine other than the build
/// machine.
pub const REPOSITORY: &str = "THRONG_REPOSITORY";
/// Environment variable that names the program `throng`, for tests that run on a machine other than the build machine.
pub const PROGRAM: &str = "THRONG_PROGRAM";

/// Python's program. Version 3.11, the first one with `tomllib`, or later.
const PYTHON: &str = "python3";

/// Folder of a virtual environment with [`PYTHON_PACKAGES`], relative to the project folder; created by `cargo xtask
/// test --rest`.
pub const PYTHON_TOOLS: &str = "target/python-tools";
/// The packages with which tests open output files. PyArrow reads Parquet for pandas, PyYAML dashboards.
pub const PYTHON_PACKAGES: [&str; 6] =
    ["geopandas==1.2.0", "matsim-tools==0.0.22", "pandas==3.1.1", "pedpy==1.5.1", "pyarrow==26.0.1", "pyyaml==6.0.4"];

/// Returns the folder of the project's sources.
pub fn repository() -> PathBuf {
    named(REPOSITORY).map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.."), PathBuf::from)
}

/// Returns the path of the program `throng`; the argument is Cargo's path, `env!("CARGO_BIN_EXE_throng")`.
pub fn program(built: &str) -> PathBuf {
    named(PROGRAM).map_or_else(|| PathBuf::from(built), PathBuf::from)
}

/// Returns the file or folder `path` of the reference data; `None`, with a [`skip`], if there is no reference data at
/// all.
///
/// # Panics
///
/// If there is reference data, but no `path` in it: its test would pass without a comparison.
pub fn reference_data(path: &str) -> Option<PathBuf> {
    data_in(&reference_root(), path)
}

/// Returns the file or folder `path` of a collection of `cases`, such as `"fields_cases"`: scenarios and files from
/// outside the project, in a folder next to the reference data. `None`, with a [`skip`], if there is none.
///
/// # Panics
///
/// If the collection exists, but has no `path`.
pub fn outside_cases(cases: &str, path: &str) -> Option<PathBuf> {
    data_in(&reference_root().join("..").join(cases), path)
}

fn data_in(root: &Path, path: &str) -> Option<PathBuf> {
    if !root.is_dir() {
        skip(Needs::Data, format_args!("there is no data at {}", root.display()));
        return None;
    }
    let found = root.join(path);
    assert!(found.exists(), "the data at {} has no {path}", root.display());
    Some(found)
}

pub(crate) fn has_reference_data() -> bool {
    reference_root().is_dir()
}

fn reference_root() -> PathBuf {
    named(REFERENCE_DATA).map_or_else(|| repository().join("../shared/data/matsim"), PathBuf::from)
}

/// Returns the program of Python 3.11 or later, with its standard library only; `None`, with a [`skip`], if there is
/// none.
pub fn python() -> Option<&'static Path> {
    if !has_python() {
        skip(Needs::Python, format_args!("there is no {PYTHON} of version 3.11 or later"));
        return None;
    }
    Some(Path::new(PYTHON))
}

pub(crate) fn has_python() -> bool {
    Command::new(PYTHON).args(["-c", "import tomllib"]).output().is_ok_and(|answer| answer.status.success())
}

/// Returns a Python interpreter that has [`PYTHON_PACKAGES`]; `None`, with a [`skip`], if there is none.
pub fn python_tools() -> Option<PathBuf> {
    if !has_python_tools() {
        let packages = PYTHON_PACKAGES.join(", ");
        let reason = format_args!("{PYTHON_TOOLS} lacks one of {packages} (cargo xtask test --rest installs them)");
        skip(Needs::PythonTools, reason);
        return None;
    }
    Some(python_of_tools())
}

/// Whether all [`PYTHON_PACKAGES`] are installed in their versions. Takes some tens of milliseconds.
pub fn has_python_tools() -> bool {
    // Much faster than importing them. Pip installs each package after all its dependencies.
    let versions = "import sys; from importlib.metadata import version\n\
                    for package in sys.argv[1:]: name, _, needed = package.partition('=='); \
                    assert version(name) == needed";
    let answer = Command::new(python_of_tools()).args(["-c", versions]).args(PYTHON_PACKAGES).output();
    answer.is_ok_and(|answer| answer.status.success())
}

fn python_of_tools() -> PathBuf {
    repository().join(PYTHON_TOOLS).join("bin/python")
}

/// Folder in which OpenCL's loader looks for drivers.
const OPENCL_DRIVERS: &str = "/etc/OpenCL/vendors";
/// System library folders; some systems have one more level for the architecture.
const LIBRARIES: [&str; 5] = ["/usr/lib", "/usr/lib64", "/usr/local/lib", "/opt/local/lib", "/usr/lib/wsl"];
/// OpenCL's loader.
const OPENCL: &str = "libOpenCL.so.1";
/// CUDA's driver library.
const CUDA: &str = "libcuda.so.1";

/// Returns the ICD file of pocl, an OpenCL driver for the CPU; `None`, with a [`skip`], if pocl is not installed. As
/// the value of `OCL_ICD_VENDORS`, this file makes pocl the only driver that a program finds.
pub fn pocl() -> Option<PathBuf> {
    let found = pocl_driver().filter(|_| has_library(OPENCL));
    if found.is_none() {
        let reason = "there is no pocl (cargo xtask test --rest installs it: pocl-opencl-icd and ocl-icd-libopencl1)";
        skip(Needs::Pocl, reason);
    }
    found
}

/// Whether pocl and OpenCL's loader are installed.
pub fn has_pocl() -> bool {
    has_library(OPENCL) && pocl_driver().is_some()
}

fn has_library(name: &str) -> bool {
    let inside = |folder: &str| fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    LIBRARIES
        .iter()
        .any(|folder| Path::new(folder).join(name).exists() || inside(folder).any(|inner| inner.join(name).exists()))
}

fn pocl_driver() -> Option<PathBuf> {
    let is_pocl = |name: &str| name.starts_with("pocl") && Path::new(name).extension().is_some_and(|end| end == "icd");
    let mut drivers = fs::read_dir(OPENCL_DRIVERS).ok()?.flatten();
    drivers.find(|entry| entry.file_name().to_str().is_some_and(is_pocl)).map(|entry| entry.path())
}

/// Names of Chromium and of compatible browsers.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Returns the path of Chromium; `None`, with a [`skip`], if it is not installed.
pub fn chromium() -> Option<PathBuf> {
    let found = chromium_program();
    if found.is_none() {
        skip(
            Needs::Chromium,
            format_args!("there is no {} (cargo xtask test --rest installs chromium)", BROWSERS.join(", ")),
        );
    }
    found
}

/// Whether Chromium is installed.
pub fn has_chromium() -> bool {
    chromium_program().is_some()
}

fn chromium_program() -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    BROWSERS.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).find(|file| file.is_file())
}

/// Whether a CUDA driver is installed.
pub fn has_cuda_driver() -> bool {
    has_library(CUDA)
}

/// Folders in which Vulkan's loader looks for drivers.
const DRIVERS: [&str; 3] = ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d"];

/// Whether a Vulkan driver is installed, including software drivers.
pub fn has_vulkan_driver() -> bool {
    match env::var_os("VK_DRIVER_FILES").or_else(|| env::var_os("VK_ICD_FILENAMES")) {
        Some(list) => env::split_paths(&list).any(|place| names_driver(&place)),
        None => DRIVERS.iter().any(|folder| names_driver(Path::new(folder))),
    }
}

/// Whether `place` describes a driver: a `.json` file, or a folder that contains one.
fn names_driver(place: &Path) -> bool {
    let is_json = |file: &Path| file.extension().is_some_and(|ending| ending == "json") && file.is_file();
    is_json(place) || fs::read_dir(place).is_ok_and(|files| files.flatten().any(|file| is_json(&file.path())))
}

/// Returns the value of an environment variable; `None` if it is unset or empty.
pub(crate) fn named(variable: &str) -> Option<OsString> {
    env::var_os(variable).filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_driver_is_an_existing_description() {
        let folder = env::temp_dir().join(format!("throng-testing-drivers-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("readme"), "").unwrap();
        assert!(!names_driver(&folder));
        let driver = folder.join("lvp.json");
        assert!(!names_driver(&driver));
        fs::write(&driver, "{}").unwrap();
        assert!(names_driver(&driver) && names_driver(&folder));
        for nothing in ["", "/dev/null", "/nowhere/at/all.json"] {
            assert!(!names_driver(Path::new(nothing)), "{nothing}");
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
