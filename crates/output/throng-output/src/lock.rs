//! One run at a time in a folder, and a record of the files that belong to the run.
//!
//! The lock file has one line per file name that the run has used: the temporary name when the file is created, the
//! final name when it is complete. A line that starts with a minus sign retracts a name. A line with an object,
//! `{"source":"..."}`, identifies the scenario of the run; an empty one retracts it. A finished run retracts its
//! names and its scenario, and the lock file is removed when the folder is released. If a run is killed, or fails
//! when it has completed a file or other files are in the folder, the lock file stays: it lists the files that the
//! next run may remove, and the next run of the same scenario is accepted. Throng never removes anything else in the
//! folder, whatever its name.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use throng_core::read_input;

use crate::OutputError;
use crate::interruption::lock_unfinished;
use crate::pending_file::PARTIAL;
use crate::target::{check_target, leads_to};

/// Name of the lock file, which exists in the folder while a run writes to it.
pub const LOCK: &str = ".throng.lock";

/// Maximum number of bytes read from a record; names beyond it are not removed.
const MAX_LOCK_BYTES: u64 = 64 << 20;

/// Prefix of a line that retracts a name.
const RETRACTED: &str = "-";

/// Key of the line that identifies the scenario.
const SOURCE: &str = "source";

/// A locked file in the folder. The operating system releases the lock when the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct Lock {
    folder: PathBuf,
    /// Whether the folder was created for this run.
    made: bool,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    file: File,
    /// Recorded names of earlier runs, until their files are removed.
    earlier: Vec<String>,
    /// Recorded complete files of this run, until the run is finished.
    complete: Vec<String>,
}

impl Lock {
    pub(crate) fn take(folder: &Path, made: bool) -> Result<Self, OutputError> {
        let path = folder.join(LOCK);
        let file = loop {
            check_target(&path, [])?;
            let file = OpenOptions::new().read(true).append(true).create(true).open(&path);
            let file = file.map_err(|e| OutputError::io("create", &path, e))?;
            // File systems without locks do not prevent two simultaneous runs.
            if let Err(TryLockError::WouldBlock) = file.try_lock() {
                return Err(OutputError::InUse { path: folder.to_owned() });
            }
            // A run that ended in the meantime may have removed the file locked here; the next run would not see that
            // lock.
            if leads_to(&path, &file) {
                break file;
            }
        };
        let mut text = Vec::new();
        (&file).take(MAX_LOCK_BYTES).read_to_end(&mut text).map_err(|e| OutputError::io("read", &path, e))?;
        lock_unfinished().folders.insert(folder.to_owned(), made);
        let earlier = names_in(&text);
        let state = Mutex::new(State { file, earlier, complete: Vec::new() });
        Ok(Self { folder: folder.to_owned(), made, state })
    }

    /// Returns the name of a file relative to the folder, with `/` after subfolders.
    pub(crate) fn name_of(&self, path: &Path) -> String {
        let parts = path.strip_prefix(&self.folder).unwrap_or(path).components();
        parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
    }

    /// Removes the subfolders in a name, unless they contain anything.
    pub(crate) fn remove_empty_subfolders(&self, name: &str) {
        remove_empty_subfolders(&self.folder, name);
    }

    /// Records a name as owned by the run.
    pub(crate) fn note(&self, name: &str) -> Result<(), OutputError> {
        let mut state = self.state();
        self.write(&mut state, "", name)?;
        if !name.ends_with(PARTIAL) {
            state.complete.push(name.to_owned());
        }
        Ok(())
    }

    /// Records the identity of the scenario, so that a later run of it may remove the files.
    pub(crate) fn note_source(&self, source: &str) -> Result<(), OutputError> {
        let mut state = self.state();
        self.write_line(&mut state, &source_line(source))
    }

    /// Retracts a name that no longer belongs, or never belonged, to the run.
    pub(crate) fn retract(&self, name: &str) -> Result<(), OutputError> {
        self.write(&mut self.state(), RETRACTED, name)
    }

    /// Records the names of files of an earlier run before they are removed. If the removal fails, the next run repeats
    /// it.
    pub(crate) fn note_earlier(&self, names: &[String]) -> Result<(), OutputError> {
        let mut state = self.state();
        for name in names {
            if !state.earlier.contains(name) {
                self.write(&mut state, "", name)?;
                state.earlier.push(name.clone());
            }
        }
        Ok(())
    }

    /// Returns the recorded names of complete files of earlier runs.
    pub(crate) fn left_complete(&self) -> Vec<String> {
        complete(self.state().earlier.clone())
    }

    /// Removes the recorded files of earlier runs, and clears the record.
    pub(crate) fn remove_earlier(&self) -> Result<(), OutputError> {
        let mut state = self.state();
        for name in &state.earlier {
            remove_regular(&self.folder, name)?;
        }
        if !state.earlier.is_empty() {
            state.file.set_len(0).map_err(|e| OutputError::io("write", &self.folder.join(LOCK), e))?;
            state.earlier.clear();
            state.complete.clear();
        }
        Ok(())
    }

    /// Retracts the complete files of the run: they are now the results of a finished run. Call it right after writing
    /// the manifest, not when the folder is released: until then, a later run would treat the results as unfinished.
    pub(crate) fn finish(&self) {
        // An interruption cannot occur in between.
        let _unfinished = lock_unfinished();
        let mut state = self.state();
        let names = std::mem::take(&mut state.complete);
        let retracted = names.iter().map(|name| line(RETRACTED, name));
        let lines: Vec<String> = retracted.chain([source_line("")]).collect();
        // After a failure the record stays, and the next run replaces the results.
        if self.write_line(&mut state, &lines.join("\n")).is_err() {
            state.complete = names;
        }
    }

    fn write(&self, state: &mut State, sign: &str, name: &str) -> Result<(), OutputError> {
        self.write_line(state, &line(sign, name))
    }

    fn write_line(&self, state: &mut State, line: &str) -> Result<(), OutputError> {
        let written = state.file.write_all(format!("{line}\n").as_bytes());
        written.map_err(|e| OutputError::io("write", &self.folder.join(LOCK), e))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let mut unfinished = lock_unfinished();
        unfinished.folders.remove(&self.folder);
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        if state.earlier.is_empty() && state.complete.is_empty() && !identifies_scenario(&self.folder) {
            // Failures are ignored: a leftover lock file is harmless.
            let _ = fs::remove_file(self.folder.join(LOCK));
        }
        if self.made {
            // Fails if the folder contains files, which is the usual end of a run.
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

/// Whether the lock file must stay in a folder without files of its run: other files are there, and without the record
/// of the scenario its next run would be refused.
pub(crate) fn identifies_scenario(folder: &Path) -> bool {
    source_left(folder).is_some() && entries_of(folder).is_ok_and(|others| !others.is_empty())
}

/// Returns the names of all entries except the lock, sorted; empty if the folder does not exist.
pub(crate) fn entries_of(path: &Path) -> Result<Vec<OsString>, OutputError> {
    let listing = match fs::read_dir(path) {
        Ok(listing) => listing,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(OutputError::io("read output folder", path, e)),
    };
    let mut names = Vec::new();
    for entry in listing {
        let entry = entry.map_err(|e| OutputError::io("read output folder", path, e))?;
        names.push(entry.file_name());
    }
    names.retain(|name| name != LOCK);
    names.sort_unstable();
    Ok(names)
}

fn source_line(source: &str) -> String {
    serde_json::json!({ SOURCE: source }).to_string()
}

fn line(sign: &str, name: &str) -> String {
    format!("{sign}{}", serde_json::Value::from(name))
}

/// Returns the incomplete files that a killed run has left in `folder`, according to its own record.
pub(crate) fn left_partial(folder: &Path) -> Vec<String> {
    let mut names = names_left(folder);
    names.retain(|name| name.ends_with(PARTIAL));
    names
}

/// Whether a run has left complete files in `folder` that no manifest lists.
pub(crate) fn has_left_complete(folder: &Path) -> bool {
    !complete(names_left(folder)).is_empty()
}

/// Returns the identity of the unfinished scenario on record in `folder`.
pub(crate) fn source_left(folder: &Path) -> Option<String> {
    let record = record_in(folder);
    let mut sources = record.split(|byte| *byte == b'\n').filter_map(|line| {
        let value: serde_json::Value = serde_json::from_slice(line).ok()?;
        Some(value.get(SOURCE)?.as_str()?.to_owned())
    });
    sources.next_back().filter(|source| !source.is_empty())
}

/// Returns the recorded names in `folder` for which files exist.
pub(crate) fn names_left(folder: &Path) -> Vec<String> {
    let mut names = names_in(&record_in(folder));
    names.retain(|name| has_regular(folder, name));
    names
}

/// Returns the content of the record in `folder`; empty if there is none.
fn record_in(folder: &Path) -> Vec<u8> {
    let lock = folder.join(LOCK);
    // Follows no links, and reads no pipe, which would block.
    if is_regular(&lock) { read_input(&lock, MAX_LOCK_BYTES).unwrap_or_default() } else { Vec::new() }
}

fn complete(mut names: Vec<String>) -> Vec<String> {
    names.retain(|name| !name.ends_with(PARTIAL));
    names
}

/// Removes a regular file of a folder if it exists, and its subfolders that are then empty. Anything else does not
/// belong to Throng.
pub(crate) fn remove_regular(folder: &Path, name: &str) -> Result<(), OutputError> {
    if has_regular(folder, name) {
        let path = folder.join(name);
        fs::remove_file(&path).map_err(|e| OutputError::io("delete", &path, e))?;
        remove_empty_subfolders(folder, name);
    }
    Ok(())
}

/// Removes the subfolders in `name`, unless they contain anything.
pub(crate) fn remove_empty_subfolders(folder: &Path, name: &str) {
    // Removing a folder with content fails.
    let is_removed = |subfolder: &&Path| fs::remove_dir(folder.join(subfolder)).is_ok();
    let _ = subfolders(name).rev().take_while(|subfolder| is_removed(&subfolder.as_path())).count();
}

/// Returns the subfolders of a name such as `a/b/c.txt`, from the outer to the inner one: `a` and `a/b`.
pub(crate) fn subfolders(name: &str) -> impl DoubleEndedIterator<Item = PathBuf> {
    name.match_indices('/').map(|(end, _)| PathBuf::from(name.get(..end).unwrap_or_default()))
}

/// Whether a folder has a regular file with this name, which no symbolic link leads to.
fn has_regular(folder: &Path, name: &str) -> bool {
    let is_folder = |path: PathBuf| fs::symlink_metadata(folder.join(path)).is_ok_and(|metadata| metadata.is_dir());
    subfolders(name).all(is_folder) && is_regular(&folder.join(name))
}

fn is_regular(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
}

/// Returns the names in a record. A truncated last line is ignored.
fn names_in(text: &[u8]) -> Vec<String> {
    let mut names = Vec::new();
    for line in text.split(|byte| *byte == b'\n') {
        let taken_back = line.strip_prefix(RETRACTED.as_bytes());
        let Ok(name) = serde_json::from_slice::<String>(taken_back.unwrap_or(line)) else { continue };
        if taken_back.is_some() {
            names.retain(|other| *other != name);
        } else if is_within(&name) {
            names.push(name);
        }
    }
    names
}

/// Whether a name that was read from a file stays within its folder or a subfolder.
pub(crate) fn is_within(name: &str) -> bool {
    let mut parts = name.split('/');
    parts.all(|name| {
        let mut parts = Path::new(name).components();
        matches!((parts.next(), parts.next()), (Some(Component::Normal(part)), None) if part == name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_contain_only_file_names_of_their_folder() {
        let text =
            b"\"a.csv.partial\"\n\"../b.partial\"\n\"/etc/c\"\n\"sub/d\"\nnot a text\n\"..\"\n\"e\\u0009f\"\n\"cut of";
        assert_eq!(names_in(text), ["a.csv.partial", "sub/d", "e\tf"]);
        assert_eq!(names_in(b"\"a\"\n-\"a\"\n-\"b\"\n\"b\"\n\"c\"\n-\"c"), ["b", "c"]);
        for name in ["", "a/", ".", "..", "a/../b", "/a", "a//b", "./a"] {
            assert!(!is_within(name), "{name}");
        }
        assert!(is_within("..a") && is_within("a/b/c.txt"));
    }

    #[cfg(unix)]
    #[test]
    fn links_to_folders_are_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        let (other, folder) = (dir.path().join("other"), dir.path().join("run"));
        for path in [&other, &folder, &folder.join("a"), &folder.join("a/b")] {
            fs::create_dir(path).unwrap();
        }
        for path in [other.join("x"), folder.join("a/b/x"), folder.join("a/y")] {
            fs::write(path, "").unwrap();
        }
        std::os::unix::fs::symlink(&other, folder.join("link")).unwrap();
        for name in ["link/x", "a/b/x", "a/b", "nowhere/x"] {
            remove_regular(&folder, name).unwrap();
        }
        assert!(other.join("x").exists() && folder.join("a/y").exists() && !folder.join("a/b").exists());
    }

    #[cfg(unix)]
    #[test]
    fn the_locked_file_is_the_file_in_the_folder() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(LOCK);
        let take_turns = || {
            for _ in 0..5000 {
                if let Ok(lock) = Lock::take(dir.path(), false) {
                    assert!(leads_to(&path, &lock.state().file));
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(take_turns);
            }
        });
    }
}
