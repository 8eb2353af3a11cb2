//! Outside this crate, unsafe code only launches kernels without index checks, and crates without such launches forbid
//! unsafe code. Checks those statements of ARCHITECTURE.md and CONTRIBUTING.md on unsafe code that can be verified in
//! the sources.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}

/// Returns the first line of each `unsafe` block, with the next line; comments are ignored.
fn unsafe_blocks(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.starts_with("//")).collect();
    let begins = |line: &str| line.contains("unsafe {") || line.contains("unsafe fn") || line.contains("unsafe impl");
    let block = |(i, line): (usize, &&str)| begins(line).then(|| [line, *lines.get(i + 1).unwrap_or(&"")].concat());
    lines.iter().enumerate().filter_map(block).collect()
}

#[test]
fn only_launches_are_unsafe_outside_this_crate() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let folders = |path: &Path| fs::read_dir(path).expect("the workspace is there").flatten().map(|entry| entry.path());
    let layers = folders(&root.join("crates")).filter(|path| path.is_dir());
    let crates = layers.flat_map(|layer| folders(&layer).collect::<Vec<_>>()).filter(|path| path.is_dir());
    let mut checked = 0;
    for folder in crates.chain([root.join("xtask")]).filter(|folder| !folder.ends_with("throng-device")) {
        let mut files = Vec::new();
        sources(&folder.join("src"), &mut files);
        let mut launches = 0;
        for file in &files {
            for block in unsafe_blocks(&fs::read_to_string(file).unwrap()) {
                assert!(block.contains("launch_unchecked"), "{}: {block}", file.display());
                launches += 1;
            }
        }
        let [library, program] = ["src/lib.rs", "src/main.rs"].map(|name| fs::read_to_string(folder.join(name)));
        let top = library.or(program).expect("a crate has one of the two");
        let forbids = top.contains("#![forbid(unsafe_code)]");
        assert_eq!(forbids, launches == 0, "{}: {launches} launches without checks", folder.display());
        checked += 1;
    }
    assert!(checked >= 7, "{checked} crates");
}
