//! The folder of one run, and files that appear in it only when they are complete.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{MANIFEST_NAME, OutputError};

/// What to do when the output folder holds something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IfNotEmpty {
    /// Refuse, with an error that names the flag that allows it.
    #[default]
    Refuse,
    /// Write beside and over what is there.
    Overwrite,
    /// Delete everything in it, in [`RunFolder::begin`].
    Delete,
}

/// The suffix of a file that is not complete yet.
const PARTIAL: &str = ".partial";
/// Lies in the folder while a run writes to it.
const LOCK: &str = ".throng.lock";

/// The folder that a run writes to. While the value or a clone of it lives, no other process can have one for the same
/// folder; a folder that was made for it and is still empty in the end is removed.
#[derive(Debug, Clone)]
pub struct RunFolder {
    path: PathBuf,
    prefix: String,
    if_not_empty: IfNotEmpty,
    _lock: Arc<Lock>,
}

impl RunFolder {
    /// Makes the folder, or takes an existing one according to `if_not_empty`, and checks that it can be written.
    /// Nothing in it is changed before [`RunFolder::begin`].
    ///
    /// `remedy` names the flag that allows a non-empty folder; the error message ends with it.
    ///
    /// # Errors
    /// [`OutputError::NotEmpty`], [`OutputError::NotDeleted`], [`OutputError::InUse`], or [`OutputError::Io`] when the
    /// folder cannot be made or written.
    pub fn create(path: &Path, if_not_empty: IfNotEmpty, remedy: &str) -> Result<Self, OutputError> {
        // What an interrupted run has left is in nobody's way.
        let mut entries = entries_of(path)?;
        entries.retain(|name| !name.ends_with(PARTIAL));
        if let Some(example) = entries.first() {
            match if_not_empty {
                IfNotEmpty::Refuse => {
                    return Err(OutputError::NotEmpty {
                        path: path.to_owned(),
                        entries: entries.len(),
                        example: example.clone(),
                        remedy: remedy.to_owned(),
                    });
                }
                IfNotEmpty::Overwrite => {}
                IfNotEmpty::Delete => refuse_to_delete_own_ground(path)?,
            }
        }
        let made = !path.exists();
        fs::create_dir_all(path).map_err(|e| OutputError::io("make output folder", path, e))?;
        // Found out now, a folder without write permission costs nothing; after the run it costs the run.
        let lock = Lock::take(path, made)?;
        Ok(Self { path: path.to_owned(), prefix: String::new(), if_not_empty, _lock: Arc::new(lock) })
    }

    /// The same folder, where every file name begins with `prefix` and a dot.
    pub fn with_prefix(mut self, prefix: &str) -> Self {
        self.prefix = if prefix.is_empty() { String::new() } else { format!("{prefix}.") };
        self
    }

    /// Refuses a folder that would be deleted with one of `inputs` in it.
    ///
    /// # Errors
    /// [`OutputError::NotDeleted`].
    pub fn keep<'a>(&self, inputs: impl IntoIterator<Item = &'a Path>) -> Result<(), OutputError> {
        if self.if_not_empty != IfNotEmpty::Delete {
            return Ok(());
        }
        let here = absolute(&self.path)?;
        for input in inputs {
            if fs::canonicalize(input).is_ok_and(|input| input.starts_with(&here)) {
                let reason = format!("the run reads {}", input.display());
                return Err(OutputError::NotDeleted { path: self.path.clone(), reason });
            }
        }
        Ok(())
    }

    /// Makes room, now that the run is certain: everything is deleted with [`IfNotEmpty::Delete`], else the manifest
    /// and the incomplete files of an earlier run. So a manifest never stands beside files that it does not belong to.
    ///
    /// # Errors
    /// When something cannot be removed.
    pub fn begin(&self) -> Result<(), OutputError> {
        let manifest = self.file_name(MANIFEST_NAME);
        for name in entries_of(&self.path)? {
            let path = self.path.join(&name);
            let goes = self.if_not_empty == IfNotEmpty::Delete || name == manifest || name.ends_with(PARTIAL);
            if goes {
                // The entry itself, not what a symbolic link leads to.
                let removed = match fs::symlink_metadata(&path) {
                    Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(&path),
                    _ => fs::remove_file(&path),
                };
                removed.map_err(|e| OutputError::io("delete", &path, e))?;
            }
        }
        Ok(())
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The name of a file with the prefix of this run.
    pub fn file_name(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// Begins a file; it gets its name when [`PendingFile::complete`] is called.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn file(&self, name: &str) -> Result<PendingFile, OutputError> {
        PendingFile::create(&self.path.join(self.file_name(name)))
    }

    /// Writes a whole file at once.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, name: &str, content: &[u8]) -> Result<WrittenFile, OutputError> {
        let mut file = self.file(name)?;
        file.write_all(content).map_err(|e| file.error(e))?;
        file.complete()
    }
}

/// A locked file in the folder; the operating system unlocks it when the process ends, however it ends.
#[derive(Debug)]
struct Lock {
    folder: PathBuf,
    /// The folder was made for this run.
    made: bool,
    _file: File,
}

impl Lock {
    fn take(folder: &Path, made: bool) -> Result<Self, OutputError> {
        let path = folder.join(LOCK);
        let file = File::create(&path).map_err(|e| OutputError::io("create", &path, e))?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(OutputError::InUse { path: folder.to_owned() });
        }
        // A file system without locks takes the risk.
        Ok(Self { folder: folder.to_owned(), made, _file: file })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Nothing better can be done about failures here; a lock file that stays is harmless.
        let _ = fs::remove_file(self.folder.join(LOCK));
        if self.made {
            // Fails when there are files in it, which is the usual end of a run.
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

/// A file that is being written under a temporary name; removed again when dropped before it is complete.
#[derive(Debug)]
pub struct PendingFile {
    file: File,
    name: String,
    target: PathBuf,
    partial: PathBuf,
    bytes: u64,
    complete: bool,
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
    /// Begins `target` under a temporary name beside it; the folder must be there.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn create(target: &Path) -> Result<Self, OutputError> {
        let name = target.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let partial = target.with_file_name(format!("{name}{PARTIAL}"));
        let file = File::create(&partial).map_err(|e| OutputError::io("create", &partial, e))?;
        Ok(Self { file, name, target: target.to_owned(), partial, bytes: 0, complete: false })
    }

    /// Gives the file its final name, replacing an older file.
    ///
    /// # Errors
    /// When the operating system refuses, for example because the disk is full.
    pub fn complete(mut self) -> Result<WrittenFile, OutputError> {
        // Some file systems tell of a full disk only here.
        self.file.sync_all().map_err(|e| self.error(e))?;
        fs::rename(&self.partial, &self.target).map_err(|e| OutputError::io("rename", &self.partial, e))?;
        self.complete = true;
        Ok(WrittenFile { name: self.name.clone(), bytes: self.bytes })
    }

    /// The name that the file will have.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// A failure to write this file.
    pub fn error(&self, source: io::Error) -> OutputError {
        OutputError::io("write", &self.target, source)
    }
}

impl Write for PendingFile {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let written = self.file.write(buffer)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        if !self.complete {
            // Nothing better can be done about a failure here: the name already says that the file is partial.
            let _ = fs::remove_file(&self.partial);
        }
    }
}

/// The names of all entries but the lock, sorted; none when there is no such folder.
fn entries_of(path: &Path) -> Result<Vec<String>, OutputError> {
    let listing = match fs::read_dir(path) {
        Ok(listing) => listing,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(OutputError::io("read output folder", path, e)),
    };
    let mut names = Vec::new();
    for entry in listing {
        let entry = entry.map_err(|e| OutputError::io("read output folder", path, e))?;
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    names.retain(|name| name != LOCK);
    names.sort_unstable();
    Ok(names)
}

fn absolute(path: &Path) -> Result<PathBuf, OutputError> {
    fs::canonicalize(path).map_err(|e| OutputError::io("find output folder", path, e))
}

fn refuse_to_delete_own_ground(path: &Path) -> Result<(), OutputError> {
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
    use super::*;

    #[test]
    fn a_file_gets_its_name_when_complete() {
        let dir = tempfile::tempdir().unwrap();
        let folder = RunFolder::create(&dir.path().join("a/b"), IfNotEmpty::Refuse, "").unwrap().with_prefix("run7");
        let mut file = folder.file("x.txt").unwrap();
        file.write_all(b"hello").unwrap();
        assert!(!folder.path().join("run7.x.txt").exists());
        let written = file.complete().unwrap();
        assert_eq!(written, WrittenFile { name: "run7.x.txt".into(), bytes: 5 });
        assert_eq!(fs::read(folder.path().join("run7.x.txt")).unwrap(), b"hello");

        let mut file = folder.file("y.txt").unwrap();
        file.write_all(b"half").unwrap();
        drop(file);
        assert_eq!(entries_of(folder.path()).unwrap(), ["run7.x.txt"]);
    }

    #[test]
    fn a_folder_with_content_is_refused_overwritten_or_deleted() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("events.xml.partial"), "1").unwrap();
        RunFolder::create(dir.path(), IfNotEmpty::Refuse, "").unwrap();
        fs::write(dir.path().join("old"), "1").unwrap();
        let text = RunFolder::create(dir.path(), IfNotEmpty::Refuse, "--overwrite").unwrap_err().to_string();
        assert!(text.contains("holds 1 entry, for example \"old\""), "{text}");
        assert!(text.ends_with("allow it with --overwrite"), "{text}");
        fs::write(dir.path().join(MANIFEST_NAME), "{}").unwrap();
        fs::write(dir.path().join("events.xml.partial"), "1").unwrap();
        RunFolder::create(dir.path(), IfNotEmpty::Overwrite, "").unwrap().begin().unwrap();
        assert_eq!(entries_of(dir.path()).unwrap(), ["old"], "an overwritten run is not complete any more");
        fs::create_dir(dir.path().join("tables")).unwrap();
        let folder = RunFolder::create(dir.path(), IfNotEmpty::Delete, "").unwrap();
        assert_eq!(entries_of(dir.path()).unwrap(), ["old", "tables"], "nothing is deleted before the run is certain");
        folder.begin().unwrap();
        assert_eq!(entries_of(dir.path()).unwrap(), [""; 0]);
    }

    #[test]
    fn inputs_are_not_deleted() {
        let dir = tempfile::tempdir().unwrap();
        let (inside, outside) = (dir.path().join("out/plans.xml"), dir.path().join("network.xml"));
        fs::create_dir(dir.path().join("out")).unwrap();
        for file in [&inside, &outside] {
            fs::write(file, "").unwrap();
        }
        let folder = RunFolder::create(&dir.path().join("out"), IfNotEmpty::Delete, "").unwrap();
        folder.keep([outside.as_path()]).unwrap();
        let text = folder.keep([outside.as_path(), inside.as_path()]).unwrap_err().to_string();
        assert!(text.contains("is not deleted: the run reads ") && text.contains("plans.xml"), "{text}");
    }

    #[cfg(unix)]
    #[test]
    fn what_a_symbolic_link_leads_to_is_kept() {
        let dir = tempfile::tempdir().unwrap();
        let (kept, real, out) = (dir.path().join("kept"), dir.path().join("real"), dir.path().join("out"));
        for folder in [&kept, &real] {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join("x"), "").unwrap();
        }
        std::os::unix::fs::symlink(&real, &out).unwrap();
        std::os::unix::fs::symlink(&kept, real.join("link")).unwrap();
        RunFolder::create(&out, IfNotEmpty::Delete, "").unwrap().begin().unwrap();
        assert_eq!(entries_of(&out).unwrap(), [""; 0]);
        assert!(kept.join("x").exists());
    }

    #[test]
    fn one_run_at_a_time_and_no_empty_folder_left() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("run");
        let first = RunFolder::create(&path, IfNotEmpty::Refuse, "").unwrap();
        let text = RunFolder::create(&path, IfNotEmpty::Overwrite, "").unwrap_err().to_string();
        assert!(text.contains("another run is writing to"), "{text}");
        drop(first);
        assert!(!path.exists(), "nothing was written");
        RunFolder::create(&path, IfNotEmpty::Refuse, "").unwrap().write("a", b"").unwrap();
        assert_eq!(entries_of(&path).unwrap(), ["a"]);
        assert!(!path.join(LOCK).exists());
    }

    #[test]
    fn the_current_folder_is_never_deleted() {
        for path in ["/", "."] {
            let error = RunFolder::create(Path::new(path), IfNotEmpty::Delete, "").unwrap_err();
            assert!(matches!(error, OutputError::NotDeleted { .. }), "{error}");
        }
    }

    #[test]
    fn a_file_in_the_way_is_an_error_with_its_name() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        fs::write(&path, "").unwrap();
        let text = RunFolder::create(&path, IfNotEmpty::Overwrite, "").unwrap_err().to_string();
        assert!(text.contains(&path.display().to_string()) && text.contains("in the way"), "{text}");
    }
}
