//! Rules about the sources of all crates.

mod errors;
mod runtime;
mod unsafe_code;

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the folders of all crates of the workspace.
fn crates() -> impl Iterator<Item = PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let folders = |path: &Path| {
        let entries = fs::read_dir(path).expect("the workspace exists").flatten();
        entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect::<Vec<_>>()
    };
    let layers = folders(&root.join("crates"));
    layers.into_iter().flat_map(move |layer| folders(&layer)).chain([root.join("xtask")])
}

/// Returns the Rust files in `src` of a crate.
fn sources(folder: &Path) -> Vec<PathBuf> {
    fn find(folder: &Path, into: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                find(&path, into);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                into.push(path);
            }
        }
    }
    let mut files = Vec::new();
    find(&folder.join("src"), &mut files);
    files
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}
