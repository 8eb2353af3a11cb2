//! Where the reference data of MATSim lies, for tests.

use std::path::{Path, PathBuf};

/// The file or folder `path` of the reference data, or `None`, with a printed line, when the data is not there.
pub(crate) fn reference_data(path: &str) -> Option<PathBuf> {
    let root = std::env::var_os("THRONG_REFERENCE_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/matsim"), PathBuf::from);
    let found = root.join(path);
    if found.exists() {
        return Some(found);
    }
    println!("skipped: no reference data at {}", found.display());
    None
}
