//! Where the files lie that tests read.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::{Needs, skip};

/// The environment variable that names the folder of the reference data.
pub const REFERENCE_DATA: &str = "THRONG_REFERENCE_DATA";
/// The environment variable that names the folder with `examples`, for tests that run where they were not built.
pub const REPOSITORY: &str = "THRONG_REPOSITORY";
/// The environment variable that names the program `throng`, for tests that run where they were not built.
pub const PROGRAM: &str = "THRONG_PROGRAM";

/// The folder of the project's sources.
pub fn repository() -> PathBuf {
    named(REPOSITORY).map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."), PathBuf::from)
}

/// The program `throng`; a test gives what Cargo built for it, `env!("CARGO_BIN_EXE_throng")`.
pub fn program(built: &str) -> PathBuf {
    named(PROGRAM).map_or_else(|| PathBuf::from(built), PathBuf::from)
}

/// The file or folder `path` of the reference data, or `None`, with a [`skip`], when there is no reference data at
/// all.
///
/// # Panics
///
/// When there is reference data, but no `path` in it: its test would pass without a comparison.
pub fn reference_data(path: &str) -> Option<PathBuf> {
    let root = named(REFERENCE_DATA).map_or_else(|| repository().join("../shared/data/matsim"), PathBuf::from);
    if !root.is_dir() {
        skip(Needs::Data, format_args!("there is no reference data at {}", root.display()));
        return None;
    }
    let found = root.join(path);
    assert!(found.exists(), "the reference data at {} has no {path}", root.display());
    Some(found)
}

/// What a variable is set to; one that is empty is not set.
fn named(variable: &str) -> Option<OsString> {
    env::var_os(variable).filter(|value| !value.is_empty())
}
