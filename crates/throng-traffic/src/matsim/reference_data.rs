//! Where the reference data of MATSim lies, for tests.

use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The file or folder `path` of the reference data, or `None`, with a printed line, when there is no reference data at
/// all. A single file that is missing would make its test pass without a comparison, so it fails.
pub fn reference_data(path: &str) -> Option<PathBuf> {
    let root = std::env::var_os("THRONG_REFERENCE_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/matsim"), PathBuf::from);
    if !root.is_dir() {
        // Not `println!`: what a test that passes prints is not shown.
        let test = std::thread::current();
        let test = test.name().unwrap_or("a test");
        let _ = writeln!(std::io::stderr(), "skipped: {test}: no reference data at {}", root.display());
        return None;
    }
    let found = root.join(path);
    assert!(found.exists(), "the reference data at {} has no {path}", root.display());
    Some(found)
}
