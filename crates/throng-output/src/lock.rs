//! One run at a time in a folder, and a record of the files that are the run's own.
//!
//! The lock file holds a line for each name that the run has given to a file: the temporary name when the file is begun,
//! the final name when it is complete. It goes when the run ends. Where a run was interrupted it stays, and says which files
//! the next one may remove; anything else in the folder is not ours, whatever its name.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read as _, Write as _};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::OutputError;
use crate::pending_file::PARTIAL;
use crate::target::check_target;

/// Lies in the folder while a run writes to it.
pub(crate) const LOCK: &str = ".throng.lock";

/// A locked file in the folder; the operating system unlocks it when the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct Lock {
    folder: PathBuf,
    /// The folder was made for this run.
    made: bool,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    file: File,
    /// What an interrupted run has recorded, until it is removed.
    interrupted: Vec<String>,
}

impl Lock {
    pub(crate) fn take(folder: &Path, made: bool) -> Result<Self, OutputError> {
        let path = folder.join(LOCK);
        check_target(&path, [])?;
        let file = OpenOptions::new().read(true).append(true).create(true).open(&path);
        let mut file = file.map_err(|e| OutputError::io("create", &path, e))?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(OutputError::InUse { path: folder.to_owned() });
        }
        // A file system without locks takes the risk.
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(|e| OutputError::io("read", &path, e))?;
        let state = Mutex::new(State { file, interrupted: names_in(&text) });
        Ok(Self { folder: folder.to_owned(), made, state })
    }

    /// Records a name as the run's own; what was interrupted has to be cleared before.
    pub(crate) fn note(&self, name: &str) -> Result<(), OutputError> {
        let mut line = serde_json::Value::from(name).to_string();
        line.push('\n');
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.file.write_all(line.as_bytes()).map_err(|e| OutputError::io("write", &self.folder.join(LOCK), e))
    }

    /// The names of complete files that an interrupted run has left.
    pub(crate) fn left_complete(&self) -> Vec<String> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.interrupted.iter().filter(|name| !name.ends_with(PARTIAL)).cloned().collect()
    }

    /// Removes the incomplete files of an interrupted run, and its record.
    pub(crate) fn clear_interrupted(&self) -> Result<(), OutputError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        for name in state.interrupted.iter().filter(|name| name.ends_with(PARTIAL)) {
            remove_regular(&self.folder.join(name))?;
        }
        if !state.interrupted.is_empty() {
            state.file.set_len(0).map_err(|e| OutputError::io("write", &self.folder.join(LOCK), e))?;
            state.interrupted.clear();
        }
        Ok(())
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        if state.interrupted.is_empty() {
            // Nothing better can be done about failures here; a lock file that stays is harmless.
            let _ = fs::remove_file(self.folder.join(LOCK));
        }
        if self.made {
            // Fails when there are files in it, which is the usual end of a run.
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

/// The incomplete files that an interrupted run has left in `folder`, by its own record.
pub(crate) fn left_partial(folder: &Path) -> Vec<String> {
    let lock = folder.join(LOCK);
    // Not what a link leads to, and no pipe, which would be waited for.
    if !is_regular(&lock) {
        return Vec::new();
    }
    let mut names = names_in(&fs::read(lock).unwrap_or_default());
    names.retain(|name| name.ends_with(PARTIAL) && is_regular(&folder.join(name)));
    names
}

/// Removes a regular file, if there is one; anything else is not ours.
pub(crate) fn remove_regular(path: &Path) -> Result<(), OutputError> {
    if is_regular(path) {
        fs::remove_file(path).map_err(|e| OutputError::io("delete", path, e))?;
    }
    Ok(())
}

fn is_regular(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
}

/// The names in a record. A last line that was cut off says nothing.
fn names_in(text: &[u8]) -> Vec<String> {
    let names = text.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<String>(line).ok());
    names.filter(|name| is_plain(name)).collect()
}

/// Whether a name that was read from a file stays within its folder.
pub(crate) fn is_plain(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    matches!((parts.next(), parts.next()), (Some(Component::Normal(part)), None) if part == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_names_files_of_its_folder_only() {
        let text =
            b"\"a.csv.partial\"\n\"../b.partial\"\n\"/etc/c\"\n\"sub/d\"\nnot a text\n\"..\"\n\"e\\u0009f\"\n\"cut of";
        assert_eq!(names_in(text), ["a.csv.partial", "e\tf"]);
        assert!(!is_plain("") && !is_plain("a/") && !is_plain(".") && is_plain("..a"));
    }
}
