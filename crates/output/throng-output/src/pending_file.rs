//! Files that get their final names only when they are complete.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::OutputError;
use crate::interruption::lock_unfinished;
use crate::lock::Lock;
use crate::target::check_target;

/// Suffix of an incomplete file.
pub(crate) const PARTIAL: &str = ".partial";
/// Maximum number of temporary names to try. Taken names are left over from an interruption, or belong to other
/// programs.
const MAX_NAMES: u32 = 1000;

/// A file that is being written under a temporary name. Dropping it before completion removes it.
#[derive(Debug)]
pub struct PendingFile {
    // The file is closed before it is removed: fields are dropped in this order.
    file: File,
    names: Names,
    /// Whether to flush the file to the disk before renaming it.
    is_synced: bool,
}

/// A file that is written and closed, but does not have its final name yet. Dropping it before completion removes it.
/// If all files of a run stay in this state until its end, a failed run leaves no files. A program may have any number
/// of them, because they are not open.
///
/// ```
/// use std::io::Write as _;
///
/// let dir = tempfile::tempdir()?;
/// let target = dir.path().join("x.csv");
/// let mut file = throng_output::PendingFile::create(&target)?;
/// file.write_all(b"a;b\n")?;
/// let closed = file.close()?;
/// assert!(!target.exists());
/// assert_eq!(closed.complete()?.bytes, 4);
/// assert_eq!(std::fs::read(&target)?, b"a;b\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ClosedFile {
    names: Names,
    bytes: u64,
}

/// The names of an incomplete file. Dropping this value before completion removes the file.
#[derive(Debug)]
struct Names {
    target: PathBuf,
    partial: PathBuf,
    complete: bool,
    /// Record that lists the names of the run's files.
    record: Option<Arc<Lock>>,
}

/// A complete output file.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct WrittenFile {
    /// Name within the output folder.
    pub name: String,
    /// Size in bytes.
    pub bytes: u64,
}

impl PendingFile {
    /// Creates `target` under a temporary name in the same folder, which must exist. An existing regular file of that
    /// name is replaced on completion.
    ///
    /// # Errors
    /// [`OutputError::NotReplaced`] if `target` exists and is not a regular file, or an error if the file cannot be
    /// created.
    pub fn create(target: &Path) -> Result<Self, OutputError> {
        Self::begin(target, None)
    }

    /// Like [`PendingFile::create`], for a file of a run that records its names.
    pub(crate) fn recorded(target: &Path, record: &Arc<Lock>) -> Result<Self, OutputError> {
        Self::begin(target, Some(Arc::clone(record)))
    }

    fn begin(target: &Path, record: Option<Arc<Lock>>) -> Result<Self, OutputError> {
        check_target(target, [])?;
        let (partial, file) = new_beside(target, record.as_deref())?;
        let names = Names { target: target.to_owned(), partial, complete: false, record };
        Ok(Self { file, names, is_synced: true })
    }

    /// Skips flushing to the disk on completion, for files that are deleted soon or can be created again.
    pub fn without_sync(mut self) -> Self {
        self.is_synced = false;
        self
    }

    /// Gives the file its final name, replacing an existing file.
    ///
    /// # Errors
    /// When the operating system refuses, for example because the disk is full.
    pub fn complete(self) -> Result<WrittenFile, OutputError> {
        self.close()?.complete()
    }

    /// Closes the file without giving it its final name.
    ///
    /// # Errors
    /// When the operating system refuses, for example because the disk is full.
    pub fn close(self) -> Result<ClosedFile, OutputError> {
        // Some file systems report a full disk only now.
        if self.is_synced {
            self.file.sync_all().map_err(|e| self.error(e))?;
        }
        let bytes = self.file.metadata().map_err(|e| self.error(e))?.len();
        Ok(ClosedFile { names: self.names, bytes })
    }

    /// Returns the final path of the file.
    pub fn target(&self) -> &Path {
        &self.names.target
    }

    /// Returns the temporary path of the file, for libraries that open files themselves.
    pub(crate) fn partial(&self) -> &Path {
        &self.names.partial
    }

    /// Wraps a failure to write this file.
    pub fn error(&self, source: io::Error) -> OutputError {
        OutputError::io("write", &self.names.target, source)
    }
}

impl ClosedFile {
    /// Returns name and size of the complete file.
    pub fn written(&self) -> WrittenFile {
        WrittenFile { name: self.names.recorded(&self.names.target), bytes: self.bytes }
    }

    /// Gives the file its final name, replacing an existing file.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub fn complete(mut self) -> Result<WrittenFile, OutputError> {
        let mut unfinished = lock_unfinished();
        let written = self.written();
        let names = &mut self.names;
        if let Some(record) = &names.record {
            record.note(&written.name)?;
        }
        fs::rename(&names.partial, &names.target).map_err(|e| OutputError::io("rename", &names.partial, e))?;
        unfinished.partial.remove(&names.partial);
        names.complete = true;
        drop(unfinished);
        Ok(written)
    }
}

impl Write for PendingFile {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.file.write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Names {
    /// Returns the name of a file in the record of the run, with subfolders; without a record, the name of the file.
    fn recorded(&self, path: &Path) -> String {
        self.record.as_ref().map_or_else(|| name_of(path), |record| record.name_of(path))
    }
}

impl Drop for Names {
    fn drop(&mut self) {
        // Failures are ignored: the name marks the file as incomplete, and it is on record.
        let is_gone = self.complete || {
            let mut unfinished = lock_unfinished();
            unfinished.partial.remove(&self.partial);
            fs::remove_file(&self.partial).is_ok()
        };
        if let Some(record) = self.record.as_ref().filter(|_| is_gone) {
            let name = record.name_of(&self.partial);
            let _ = record.retract(&name);
            record.remove_empty_subfolders(&name);
        }
    }
}

/// Creates a new file `x.partial` or, if that exists, `x.2.partial` and so on, because the existing file may belong to
/// another program. Each name is recorded before the file is created, so that every file that an interruption leaves is
/// on record.
fn new_beside(target: &Path, record: Option<&Lock>) -> Result<(PathBuf, File), OutputError> {
    let name = name_of(target);
    for number in 1..=MAX_NAMES {
        let number = if number == 1 { String::new() } else { format!(".{number}") };
        let partial = target.with_file_name(format!("{name}{number}{PARTIAL}"));
        if fs::symlink_metadata(&partial).is_ok() {
            continue;
        }
        if let Some(record) = record {
            record.note(&record.name_of(&partial))?;
        }
        let mut unfinished = lock_unfinished();
        match OpenOptions::new().write(true).create_new(true).open(&partial) {
            Ok(file) => {
                unfinished.partial.insert(partial.clone());
                return Ok((partial, file));
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                // Another program has just created it.
                record.map_or(Ok(()), |record| record.retract(&record.name_of(&partial)))?;
            }
            Err(error) => return Err(OutputError::io("create", target, error)),
        }
    }
    let partial = target.with_file_name(format!("{name}{PARTIAL}"));
    Err(OutputError::io("create", &partial, ErrorKind::AlreadyExists.into()))
}

/// Lists the files next to `target` with names of [`PendingFile`]s for it, sorted by name: left by interrupted
/// programs, or being written by another program. Empty if the folder cannot be read.
///
/// ```
/// let dir = tempfile::tempdir()?;
/// std::fs::write(dir.path().join("x.csv.2.partial"), "")?;
/// std::fs::write(dir.path().join("my.x.csv.partial"), "")?;
/// assert_eq!(throng_output::partial_files(&dir.path().join("x.csv")), [dir.path().join("x.csv.2.partial")]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn partial_files(target: &Path) -> Vec<PathBuf> {
    let folder = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let names = files.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| is_partial_name(name, &name_of(target))).collect();
    names.sort_unstable();
    names.into_iter().map(|name| target.with_file_name(name)).collect()
}

/// Whether a file with this name may be a [`PendingFile`] for `target`.
pub fn is_partial_name(name: &str, target: &str) -> bool {
    let middle = name.strip_prefix(target).and_then(|rest| rest.strip_suffix(PARTIAL));
    middle.is_some_and(|middle| {
        let number = middle.strip_prefix('.').and_then(|number| number.parse::<u32>().ok());
        middle.is_empty() || number.is_some_and(|number| (2..=MAX_NAMES).contains(&number))
    })
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn existing_temporary_files_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("x.csv");
        fs::write(dir.path().join("x.csv.partial"), "not ours").unwrap();
        fs::create_dir(dir.path().join("x.csv.2.partial")).unwrap();
        let mut file = PendingFile::create(&target).unwrap();
        file.write_all(b"new").unwrap();
        assert!(dir.path().join("x.csv.3.partial").is_file());
        assert_eq!(file.complete().unwrap(), WrittenFile { name: "x.csv".into(), bytes: 3 });
        assert_eq!(fs::read(dir.path().join("x.csv.partial")).unwrap(), b"not ours");
        assert!(dir.path().join("x.csv.2.partial").is_dir() && !dir.path().join("x.csv.3.partial").exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_neither_followed_nor_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let (kept, target) = (dir.path().join("kept"), dir.path().join("x.csv"));
        fs::write(&kept, "kept").unwrap();
        std::os::unix::fs::symlink(&kept, dir.path().join("x.csv.partial")).unwrap();
        drop(PendingFile::create(&target).unwrap());
        std::os::unix::fs::symlink(&kept, &target).unwrap();
        assert!(matches!(PendingFile::create(&target), Err(OutputError::NotReplaced { .. })));
        assert_eq!(fs::read(&kept).unwrap(), b"kept");
    }
}
