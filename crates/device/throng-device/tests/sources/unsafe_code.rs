//! Outside this crate, unsafe code only launches kernels without index checks, and crates without such launches forbid
//! unsafe code. Checks those statements of ARCHITECTURE.md and CONTRIBUTING.md on unsafe code that can be verified in
//! the sources.

use super::{crates, read, sources};

/// Returns the first line of each `unsafe` block, with the next line; comments are ignored.
fn unsafe_blocks(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.starts_with("//")).collect();
    let begins = |line: &str| line.contains("unsafe {") || line.contains("unsafe fn") || line.contains("unsafe impl");
    let block = |(i, line): (usize, &&str)| begins(line).then(|| [line, *lines.get(i + 1).unwrap_or(&"")].concat());
    lines.iter().enumerate().filter_map(block).collect()
}

#[test]
fn only_launches_are_unsafe_outside_this_crate() {
    let mut checked = 0;
    for folder in crates().filter(|folder| !folder.ends_with("throng-device")) {
        let mut launches = 0;
        for file in &sources(&folder) {
            for block in unsafe_blocks(&read(file)) {
                assert!(block.contains("launch_unchecked"), "{}: {block}", file.display());
                launches += 1;
            }
        }
        let [library, program] = ["src/lib.rs", "src/main.rs"].map(|name| std::fs::read_to_string(folder.join(name)));
        let top = library.or(program).expect("a crate has one of the two");
        let forbids = top.contains("#![forbid(unsafe_code)]");
        assert_eq!(forbids, launches == 0, "{}: {launches} launches without checks", folder.display());
        checked += 1;
    }
    assert!(checked >= 7, "{checked} crates");
}
