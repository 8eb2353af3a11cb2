//! Interruption of a process while it writes output: incomplete files are removed, complete ones stay on record.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::lock::{LOCK, identifies_scenario, names_left, remove_empty_subfolders};
use crate::pending_file::PARTIAL;

/// Incomplete files and locked folders of this process.
static UNFINISHED: Mutex<UnfinishedOutput> =
    Mutex::new(UnfinishedOutput { partial: BTreeSet::new(), folders: BTreeMap::new() });

/// Incomplete files, and the folders of runs that have not ended.
#[derive(Debug)]
pub(crate) struct UnfinishedOutput {
    /// Temporary names of incomplete files.
    pub partial: BTreeSet<PathBuf>,
    /// Locked folders, and whether each was created for its run.
    pub folders: BTreeMap<PathBuf, bool>,
}

/// Locks the unfinished output. Files are created, completed and removed under this lock, so an interruption cannot
/// occur in between.
pub(crate) fn lock_unfinished() -> MutexGuard<'static, UnfinishedOutput> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The result of [`abandon_output`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AbandonedOutput {
    /// Incomplete files that were removed, by their intended final names.
    pub removed: Vec<PathBuf>,
    /// Complete files of unfinished runs. They stay on the record of their folder, and the next run of the same
    /// scenario replaces them.
    pub kept: Vec<PathBuf>,
}

/// Removes all incomplete files of this process, and the empty folders that were created for them.
///
/// Call it last, for example after Ctrl-C: every thread that subsequently creates or completes a file, or releases a
/// folder, blocks until the process ends.
///
/// ```no_run
/// let left = throng_output::abandon_output();
/// eprintln!("interrupted: {} unfinished files were removed", left.removed.len());
/// std::process::exit(130);
/// ```
pub fn abandon_output() -> AbandonedOutput {
    let unfinished = lock_unfinished();
    let abandoned = abandon(&unfinished);
    // Never released: nothing may be completed between the return and the end of the process.
    std::mem::forget(unfinished);
    abandoned
}

fn abandon(UnfinishedOutput { partial, folders }: &UnfinishedOutput) -> AbandonedOutput {
    let mut abandoned = AbandonedOutput::default();
    for path in partial {
        // A file that cannot be removed is marked as incomplete by its name, and is on record.
        if fs::remove_file(path).is_ok() {
            abandoned.removed.push(target_of(path));
            for (folder, name) in folders.keys().filter_map(|folder| Some((folder, path.strip_prefix(folder).ok()?))) {
                remove_empty_subfolders(folder, &name.to_string_lossy());
            }
        }
    }
    for (folder, &is_made) in folders {
        let left = names_left(folder);
        if left.is_empty() && !identifies_scenario(folder) {
            // Failures are ignored: a leftover lock file is harmless.
            let _ = fs::remove_file(folder.join(LOCK));
            if is_made {
                let _ = fs::remove_dir(folder);
            }
        }
        let complete = left.iter().filter(|name| !name.ends_with(PARTIAL));
        abandoned.kept.extend(complete.map(|name| folder.join(name)));
    }
    abandoned
}

/// Returns the final name for a temporary name such as `x.partial` or `x.2.partial`.
fn target_of(partial: &Path) -> PathBuf {
    let name = partial.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(PARTIAL).unwrap_or(&name);
    let is_number = |end: &str| !end.is_empty() && end.bytes().all(|byte| byte.is_ascii_digit());
    let name = name.rsplit_once('.').filter(|(_, end)| is_number(end)).map_or(name, |(name, _)| name);
    partial.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;
    use crate::{IfNotEmpty, PendingFile, RunFolder};

    /// Returns the unfinished output below a folder. Other tests of this process have some elsewhere.
    fn below(folder: &Path) -> UnfinishedOutput {
        let all = lock_unfinished();
        let is_below = |path: &&PathBuf| path.starts_with(folder);
        UnfinishedOutput {
            partial: all.partial.iter().filter(is_below).cloned().collect(),
            folders: all
                .folders
                .iter()
                .filter(|(path, _)| is_below(path))
                .map(|(p, made)| (p.clone(), *made))
                .collect(),
        }
    }

    #[test]
    fn incomplete_files_are_removed_and_complete_files_stay_recorded() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        let folder = RunFolder::create(&path("run"), IfNotEmpty::Refuse, "").unwrap();
        let only_begun = RunFolder::create(&path("begun"), IfNotEmpty::Refuse, "").unwrap();
        folder.begin().unwrap();
        folder.write("whole.csv", b"1").unwrap();
        let mut half = folder.file("half.csv").unwrap();
        half.write_all(b"1").unwrap();
        let _closed = folder.file("closed.csv").unwrap().close().unwrap();
        let _of_folder = only_begun.file("a.csv").unwrap();
        fs::write(path("picture.png"), "earlier").unwrap();
        fs::write(path("picture.png.partial"), "not ours").unwrap();
        let _picture = PendingFile::create(&path("picture.png")).unwrap();
        let abandoned = abandon(&below(dir.path()));
        let expected = ["begun/a.csv", "picture.png", "run/closed.csv", "run/half.csv"].map(path).to_vec();
        assert_eq!(abandoned, AbandonedOutput { removed: expected, kept: vec![path("run/whole.csv")] });
        assert_eq!(fs::read(path("picture.png")).unwrap(), b"earlier");
        assert!(path("picture.png.partial").exists() && path("run").join(LOCK).exists() && !path("begun").exists());
        drop(half);
    }

    #[test]
    fn finished_output_is_kept() {
        let dir = tempfile::tempdir().unwrap();
        let folder = RunFolder::create(&dir.path().join("run"), IfNotEmpty::Refuse, "").unwrap();
        folder.write("a.csv", b"1").unwrap();
        drop(folder.file("b.csv").unwrap());
        crate::Manifest::default().write(&folder).unwrap();
        assert!(below(dir.path()).partial.is_empty());
        // The record is already empty while the folder is locked.
        assert!(names_left(folder.path()).is_empty());
        assert_eq!(abandon(&below(dir.path())), AbandonedOutput::default());
        assert!(!folder.path().join(LOCK).exists() && folder.path().join("a.csv").exists());
        drop(folder);
        assert!(below(dir.path()).folders.is_empty());
    }
}
