//! Temporary files for readers that take a path.

use std::path::PathBuf;

use tempfile::TempDir;

/// Returns a folder with one file per input, in order; the folder is removed when dropped.
pub fn files<const N: usize>(inputs: [&[u8]; N]) -> (TempDir, [PathBuf; N]) {
    let folder = tempfile::tempdir().expect("there is room for a small file");
    let paths = std::array::from_fn(|i| folder.path().join(format!("input{i}")));
    for (path, input) in paths.iter().zip(inputs) {
        std::fs::write(path, input).expect("there is room for a small file");
    }
    (folder, paths)
}
