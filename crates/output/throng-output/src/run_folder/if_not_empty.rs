//! Whether a run may use a folder that is not empty.

use std::fs;
use std::path::{Path, PathBuf};

use super::absolute;
use crate::lock::{entries_of, has_left_complete, left_partial, source_left};
use crate::manifest::{scenario_in, source_in};
use crate::{MANIFEST_NAME, OutputError};

/// Behaviour for an output folder that is not empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IfNotEmpty {
    /// Fail with an error that names the flag that allows it.
    Refuse,
    /// Replace an earlier run of the same [scenario](super::RunFolder::of_scenario), in
    /// [`RunFolder::begin`](super::RunFolder::begin): only the files that its manifest or its record lists. Fail if
    /// the folder contains no such run, or if it also contains results of another scenario.
    #[default]
    ReplaceOwn,
    /// Replace the files of an earlier run of any scenario, in [`RunFolder::begin`](super::RunFolder::begin), and keep
    /// all other files.
    Overwrite,
    /// Delete all content, in [`RunFolder::begin`](super::RunFolder::begin).
    Delete,
}

impl IfNotEmpty {
    /// Returns the value for a flag `--overwrite`.
    pub fn of_flag(overwrite: bool) -> Self {
        if overwrite { Self::Overwrite } else { Self::ReplaceOwn }
    }

    /// Rejects a folder whose content the run must not touch. File names of the run start with `prefix`, and `source`
    /// identifies its scenario; `remedy` names the flag that allows the folder.
    pub(super) fn check(self, path: &Path, remedy: &str, source: &str, prefix: &str) -> Result<(), OutputError> {
        let mut entries = entries_of(path)?;
        // Incomplete files of a killed run do not count if its record lists them.
        let left = left_partial(path);
        entries.retain(|name| !left.iter().any(|left| name == left.as_str()));
        let Some(example) = entries.first() else { return Ok(()) };
        match self {
            Self::ReplaceOwn if holds_run_of(path, prefix, source) => Ok(()),
            Self::Refuse | Self::ReplaceOwn => Err(OutputError::NotEmpty {
                path: path.to_owned(),
                entries: entries.len(),
                example: example.to_string_lossy().into_owned(),
                run_of: scenario_in(&path.join(format!("{prefix}{MANIFEST_NAME}"))),
                remedy: remedy.to_owned(),
            }),
            Self::Overwrite => Ok(()),
            Self::Delete => refuse_to_delete_enclosing_folder(path),
        }
    }
}

/// Whether all results in a folder belong to a scenario: to its complete run, or to an unfinished one.
fn holds_run_of(path: &Path, prefix: &str, source: &str) -> bool {
    if source.is_empty() {
        return false;
    }
    let of_complete = source_in(&path.join(format!("{prefix}{MANIFEST_NAME}")));
    // Files of an unknown scenario belong to no other.
    let of_unfinished = source_left(path).or_else(|| has_left_complete(path).then(String::new));
    let mut sources = of_complete.iter().chain(&of_unfinished).peekable();
    sources.peek().is_some() && sources.all(|found| found == source)
}

fn refuse_to_delete_enclosing_folder(path: &Path) -> Result<(), OutputError> {
    let here = absolute(path)?;
    let inside = |other: Option<PathBuf>| {
        other.and_then(|other| fs::canonicalize(other).ok()).is_some_and(|other| other.starts_with(&here))
    };
    let reason = if here.parent().is_none() {
        "it is the root of the file system"
    } else if inside(std::env::current_dir().ok()) {
        "the current folder lies in it"
    } else if inside(std::env::home_dir()) {
        "the home folder lies in it"
    } else {
        return Ok(());
    };
    Err(OutputError::NotDeleted { path: path.to_owned(), reason: reason.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::super::tests::opened;
    use super::*;
    use crate::RunFolder;
    use crate::lock::LOCK;

    #[test]
    fn a_folder_with_content_is_refused_overwritten_or_deleted() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("old"), "1").unwrap();
        let text = RunFolder::create(dir.path(), IfNotEmpty::Refuse, "--overwrite").unwrap_err().to_string();
        assert!(text.contains("holds 1 entry, for example \"old\""), "{text}");
        assert!(text.ends_with("allow it with --overwrite"), "{text}");
        fs::write(dir.path().join(MANIFEST_NAME), "{}").unwrap();
        RunFolder::create(dir.path(), IfNotEmpty::Overwrite, "").unwrap().begin().unwrap();
        assert_eq!(entries_of(dir.path()).unwrap(), ["old"], "an overwritten run is not complete any more");
        fs::create_dir(dir.path().join("tables")).unwrap();
        let folder = RunFolder::create(dir.path(), IfNotEmpty::Delete, "").unwrap();
        assert_eq!(entries_of(dir.path()).unwrap(), ["old", "tables"], "nothing is deleted before the run begins");
        folder.begin().unwrap();
        assert_eq!(entries_of(dir.path()).unwrap(), [""; 0]);
    }

    #[test]
    fn a_run_replaces_only_earlier_files_of_its_scenario() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path();
        let own = |source: &str, prefix: &str| opened(path, IfNotEmpty::ReplaceOwn, source, prefix);
        let run = |source: &str, names: &[&str]| {
            let scenario = source.to_owned();
            let folder = own(source, "").and_then(|folder| folder.keeping([], &["a.csv", "b.csv"])).unwrap();
            folder.begin().unwrap();
            let files = names.iter().map(|name| folder.write(name, source.as_bytes()).unwrap()).collect();
            crate::Manifest { scenario, files, ..crate::Manifest::default() }.write(&folder).unwrap();
        };
        run("/x/a.toml", &["a.csv", "b.csv"]);
        fs::write(path.join("notes.txt"), "mine").unwrap();
        run("/x/a.toml", &["a.csv"]);
        assert_eq!(entries_of(path).unwrap(), ["a.csv", MANIFEST_NAME, "notes.txt"]);
        let before = fs::read(path.join(MANIFEST_NAME)).unwrap();
        for (source, prefix, holds) in
            [("/x/b.toml", "", "a run of /x/a.toml"), ("/x/a.toml", "r1", "3 entries"), ("", "", "a run of /x/a.toml")]
        {
            let text = own(source, prefix).unwrap_err().to_string();
            assert!(text.contains(&format!("it holds {holds}")) && text.ends_with("--overwrite"), "{text}");
        }
        assert!(opened(path, IfNotEmpty::Refuse, "/x/a.toml", "").is_err(), "`Refuse` has no exceptions");
        // A name that the run may use, but that the earlier run did not have.
        fs::write(path.join("b.csv.gz"), "mine").unwrap();
        let text = own("/x/a.toml", "").unwrap().keeping([], &["b.csv"]).unwrap_err().to_string();
        assert!(text.contains("b.csv.gz: not replaced: it is not a file of the earlier run"), "{text}");
        let folder = own("/x/a.toml", "").unwrap();
        assert!(matches!(folder.write("notes.txt", b""), Err(OutputError::NotReplaced { .. })));
        assert_eq!((fs::read(path.join(MANIFEST_NAME)).unwrap(), path.join("a.csv").exists()), (before, true));
    }

    #[test]
    fn files_of_unfinished_runs_are_replaced_by_the_same_scenario() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path();
        let own = |source: &str| opened(path, IfNotEmpty::ReplaceOwn, source, "");
        let folder = own("/x/a.toml").unwrap();
        folder.begin().unwrap();
        folder.write("a.csv", b"1").unwrap();
        drop(folder);
        assert!(path.join(LOCK).exists());
        assert!(matches!(own("/x/b.toml"), Err(OutputError::NotEmpty { .. })));
        assert!(matches!(own(""), Err(OutputError::NotEmpty { .. })), "a run without a scenario replaces no other run");
        let folder = own("/x/a.toml").unwrap();
        assert!(folder.removes().is_some());
        folder.begin().unwrap();
        assert_eq!(entries_of(path).unwrap(), [""; 0]);
    }

    #[test]
    fn an_unfinished_run_beside_other_files_is_repeated_by_the_same_scenario() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path();
        let own = |source: &str| opened(path, IfNotEmpty::ReplaceOwn, source, "");
        let folder = own("/x/a.toml").unwrap();
        let files = vec![folder.write("a.csv", b"1").unwrap()];
        crate::Manifest { files, ..crate::Manifest::default() }.write(&folder).unwrap();
        drop(folder);
        assert!(!path.join(LOCK).exists());
        fs::write(path.join("notes.txt"), "mine").unwrap();
        let folder = own("/x/a.toml").unwrap();
        folder.begin().unwrap();
        assert_eq!(entries_of(path).unwrap(), ["notes.txt"]);
        // It fails before its first file is complete.
        drop(folder);
        assert!(matches!(own("/x/b.toml"), Err(OutputError::NotEmpty { .. })));
        let folder = own("/x/a.toml").unwrap();
        folder.begin().unwrap();
        crate::Manifest::default().write(&folder).unwrap();
        drop(folder);
        assert!(!path.join(LOCK).exists());
        assert_eq!(fs::read(path.join("notes.txt")).unwrap(), b"mine");
    }

    #[test]
    fn the_current_folder_is_never_deleted() {
        for path in ["/", "."] {
            let error = RunFolder::create(Path::new(path), IfNotEmpty::Delete, "").unwrap_err();
            assert!(matches!(error, OutputError::NotDeleted { .. }), "{error}");
        }
    }

    #[test]
    fn a_file_at_the_path_of_the_folder_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        fs::write(&path, "").unwrap();
        let text = RunFolder::create(&path, IfNotEmpty::Overwrite, "").unwrap_err().to_string();
        assert!(text.contains(&path.display().to_string()) && text.contains("in the way"), "{text}");
    }
}
