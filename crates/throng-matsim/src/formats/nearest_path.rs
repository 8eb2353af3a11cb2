//! "Did you mean" for files and folders.

use std::fs;
use std::path::{Path, PathBuf};

use throng_core::nearest;

/// Shorter names are near to too many others.
const SHORTEST: usize = 3;

/// What is there under a name near to that of `path`, part by part: `examples/city` for `exmaples/ctiy`. `None` where some
/// part has no near name.
pub fn nearest_path(path: &Path) -> Option<PathBuf> {
    let mut found = PathBuf::new();
    for part in path.components() {
        let next = found.join(part);
        if next.exists() {
            found = next;
            continue;
        }
        let wanted = part.as_os_str().to_str().filter(|name| name.chars().count() >= SHORTEST)?;
        let folder = if found.as_os_str().is_empty() { Path::new(".") } else { &found };
        let entries = fs::read_dir(folder).ok()?.flatten();
        let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        // Of names that are equally near the first one is taken.
        names.sort_unstable();
        found.push(nearest(wanted, names.iter().map(String::as_str))?);
    }
    (found != path).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_may_be_misspelt() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        fs::create_dir_all(path("examples/city")).unwrap();
        fs::write(path("examples/city/config.xml"), "").unwrap();
        fs::write(path("examples/city/b"), "").unwrap();
        for (typed, expected) in [
            ("exmaples/city", Some("examples/city")),
            ("examples/ctiy/confg.xml", Some("examples/city/config.xml")),
            ("Examples", Some("examples")),
            ("examples/harbour", None),
            ("nowhere/city", None),
            ("examples/city/a", None),
            ("examples/city", None),
        ] {
            assert_eq!(nearest_path(&path(typed)), expected.map(path), "{typed}");
        }
    }
}
