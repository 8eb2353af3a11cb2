//! Remedies for files and folders that do not exist.

use std::fs;
use std::path::{Path, PathBuf};

use crate::nearest;

/// Returns the remedy for a file or folder that does not exist. The likeliest mistakes are a misspelt name, a wrong
/// compression suffix, and a path relative to another folder.
pub fn hint_for_missing(path: &Path) -> String {
    nearest_to_missing(path).unwrap_or_else(|| "check the spelling".to_owned())
}

/// Suggests the existing path nearest to a missing one: another compression, a similar name, or the remark that the
/// folder does not exist either. `None` if nothing is close.
pub fn nearest_to_missing(path: &Path) -> Option<String> {
    if let Some(other) = with_other_compression(path).into_iter().find(|other| other.is_file()) {
        return Some(format!("there is {}: use that path", other.display()));
    }
    if let Some(meant) = nearest_path(path) {
        return Some(format!("did you mean {}?", meant.display()));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir())?;
    Some(format!("the folder {} does not exist either", folder.display()))
}

fn with_other_compression(path: &Path) -> Vec<PathBuf> {
    let text = path.to_string_lossy();
    let suffixes = ["", ".gz", ".zst", ".bz2"];
    let bare = suffixes.iter().skip(1).find_map(|suffix| text.strip_suffix(suffix)).unwrap_or(&text);
    suffixes.iter().map(|suffix| PathBuf::from(format!("{bare}{suffix}"))).filter(|p| p != path).collect()
}

/// Minimum number of letters for a suggestion; shorter names are close to too many others.
const MIN_LETTERS: usize = 3;

/// Returns the existing path with a name close to `path`, component by component: `examples/city` for `exmaples/ctiy`.
/// `None` if some component has no similar name, or if `path` exists.
fn nearest_path(path: &Path) -> Option<PathBuf> {
    let mut found = PathBuf::new();
    for part in path.components() {
        let next = found.join(part);
        if next.exists() {
            found = next;
            continue;
        }
        let wanted = part.as_os_str().to_str().filter(|name| name.chars().count() >= MIN_LETTERS)?;
        let folder = if found.as_os_str().is_empty() { Path::new(".") } else { &found };
        let entries = fs::read_dir(folder).ok()?.flatten();
        let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        // Ties go to the first name.
        names.sort_unstable();
        found.push(nearest(wanted, names.iter().map(String::as_str))?);
    }
    (found != path).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_parts_of_paths_are_corrected() {
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
