//! The output folder of a run.

mod if_not_empty;
mod inputs;
mod replacement;

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::lock::{Lock, subfolders};
use crate::target::check_target;
use crate::{ClosedFile, Codec, OutputError, PendingFile, WrittenFile};

pub use if_not_empty::IfNotEmpty;

/// The output folder of a run. While the value or a clone of it exists, no other process can use the same folder. A
/// folder that was created for the run and is still empty at the end is removed.
///
/// The folder records its files until [`RunFolder::finish`], so that the next run can remove those of a run that failed
/// or was killed.
#[derive(Debug, Clone)]
pub struct RunFolder {
    path: PathBuf,
    prefix: String,
    /// Identity of the scenario, by which its earlier runs are recognised; may be empty.
    source: String,
    if_not_empty: IfNotEmpty,
    /// Flag that allows a non-empty folder, for error messages.
    remedy: String,
    /// Whether the folder is deleted soon.
    is_temporary: bool,
    /// Input files of the run.
    inputs: Arc<[PathBuf]>,
    lock: Arc<Lock>,
    /// Names of the files that the run has created so far.
    begun: Arc<Mutex<BTreeSet<String>>>,
}

impl RunFolder {
    /// Creates the folder, or uses an existing one according to `if_not_empty`, and checks that it is writable. Nothing
    /// in it changes before [`RunFolder::begin`] or the first file.
    ///
    /// `remedy` names the flag that allows a non-empty folder; the error message ends with it.
    ///
    /// # Errors
    /// [`OutputError::NotEmpty`], [`OutputError::NotDeleted`], [`OutputError::InUse`], [`OutputError::NotReplaced`] if
    /// the name of the lock file is taken by something other than a regular file, or [`OutputError::Io`] if the folder
    /// cannot be created or written.
    pub fn create(path: &Path, if_not_empty: IfNotEmpty, remedy: &str) -> Result<Self, OutputError> {
        Self::of_scenario(path, if_not_empty, remedy, "", "")
    }

    /// Like [`RunFolder::create`], for a run of a scenario. File names start with `prefix` and a dot, unless `prefix`
    /// is empty.
    ///
    /// `source` identifies the scenario, for example by the absolute path of its file. It is stored in the manifest,
    /// and in the record of an unfinished run. [`IfNotEmpty::ReplaceOwn`] replaces only a folder with the same,
    /// non-empty source.
    ///
    /// # Errors
    /// As for [`RunFolder::create`].
    pub fn of_scenario(
        path: &Path,
        if_not_empty: IfNotEmpty,
        remedy: &str,
        source: &str,
        prefix: &str,
    ) -> Result<Self, OutputError> {
        let prefix = with_dot(prefix);
        let check = || if_not_empty.check(path, remedy, source, &prefix);
        check()?;
        let made = !path.exists();
        fs::create_dir_all(path).map_err(|e| OutputError::io("create output folder", path, e))?;
        // Checked now: if the write permission were missing only after the run, its results would be lost.
        let lock = Arc::new(Lock::take(path, made)?);
        // Checked again: another run may have ended in this folder before the lock was acquired.
        check()?;
        Ok(Self {
            path: path.to_owned(),
            prefix,
            source: source.to_owned(),
            if_not_empty,
            remedy: remedy.to_owned(),
            is_temporary: false,
            inputs: Arc::new([]),
            lock,
            begun: Arc::default(),
        })
    }

    /// Marks the files as short-lived: they are not flushed to the disk, which takes longer than a small run.
    pub fn temporary(mut self) -> Self {
        self.is_temporary = true;
        self
    }

    /// Rejects replacing a file that does not belong to an earlier run of the scenario, unless overwriting is allowed.
    fn check_own(&self, target: &Path) -> Result<(), OutputError> {
        if self.if_not_empty != IfNotEmpty::ReplaceOwn || fs::symlink_metadata(target).is_err() {
            return Ok(());
        }
        Err(OutputError::NotReplaced {
            path: target.to_owned(),
            reason: "it is not a file of the earlier run".to_owned(),
            remedy: format!("move it, or allow it with {}", self.remedy),
        })
    }

    fn inputs(&self) -> impl Iterator<Item = &Path> {
        self.inputs.iter().map(PathBuf::as_path)
    }

    /// Marks the files as complete and takes them off the record. [`crate::Manifest::write`] calls it.
    pub fn finish(&self) {
        self.lock.finish();
    }

    /// Returns a name with the prefix of this run, with the suffix of each codec.
    fn packed_names(&self, name: &str) -> [String; 3] {
        [Codec::None, Codec::Gzip, Codec::Zstd].map(|codec| self.file_name(&format!("{name}{}", codec.suffix())))
    }

    /// Returns the identity of the scenario; may be empty.
    pub(crate) fn source(&self) -> &str {
        &self.source
    }

    /// Path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns a file name with the prefix of this run. The subfolders of a name such as `a/b.txt` get no prefix.
    pub fn file_name(&self, name: &str) -> String {
        let (subfolder, file) = name.split_at(name.rfind('/').map_or(0, |end| end + 1));
        format!("{subfolder}{}{file}", self.prefix)
    }

    /// Creates a file and the subfolders in its name, which `/` separates. It gets its final name when
    /// [`PendingFile::complete`] is called.
    ///
    /// # Errors
    /// [`OutputError::NotReplaced`] if a file of this name exists that must be kept, such as an input or a file that
    /// the run has already created, or an error if the file cannot be created.
    pub fn file(&self, name: &str) -> Result<PendingFile, OutputError> {
        let name = self.file_name(name);
        let target = self.path.join(&name);
        check_target(&target, self.inputs())?;
        let mut begun = self.begun();
        if begun.contains(&name) {
            return Err(OutputError::NotReplaced {
                path: target,
                reason: "it is a file of the same run".to_owned(),
                remedy: "give each file of the run a name of its own".to_owned(),
            });
        }
        self.check_own(&target)?;
        for subfolder in subfolders(&name) {
            let path = self.path.join(subfolder);
            match fs::symlink_metadata(&path) {
                Ok(metadata) if metadata.is_dir() => {}
                // Fails if anything else has this name.
                _ => fs::create_dir(&path).map_err(|e| OutputError::io("create output folder", &path, e))?,
            }
        }
        let file = PendingFile::recorded(&target, &self.lock)?;
        begun.insert(name);
        Ok(if self.is_temporary { file.without_sync() } else { file })
    }

    /// Names of the files that the run has created since it last made room.
    fn begun(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a complete file.
    ///
    /// # Errors
    /// As for [`RunFolder::file`], and when the file cannot be written.
    pub fn write(&self, name: &str, content: &[u8]) -> Result<WrittenFile, OutputError> {
        self.fill(name, content)?.complete()
    }

    /// Writes a file that gets its final name when [`ClosedFile::complete`] is called.
    ///
    /// # Errors
    /// As for [`RunFolder::write`].
    pub fn fill(&self, name: &str, content: &[u8]) -> Result<ClosedFile, OutputError> {
        let mut file = self.file(name)?;
        file.write_all(content).map_err(|e| file.error(e))?;
        file.close()
    }
}

fn with_dot(prefix: &str) -> String {
    if prefix.is_empty() { String::new() } else { format!("{prefix}.") }
}

fn absolute(path: &Path) -> Result<PathBuf, OutputError> {
    fs::canonicalize(path).map_err(|e| OutputError::io("find output folder", path, e))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lock::{LOCK, entries_of};

    /// Creates a folder for a run of a scenario with a file name prefix.
    pub(super) fn opened(
        path: &Path,
        if_not_empty: IfNotEmpty,
        source: &str,
        prefix: &str,
    ) -> Result<RunFolder, OutputError> {
        RunFolder::of_scenario(path, if_not_empty, "--overwrite", source, prefix)
    }

    #[test]
    fn files_get_their_final_name_when_complete() {
        let dir = tempfile::tempdir().unwrap();
        let folder = opened(&dir.path().join("a/b"), IfNotEmpty::Refuse, "", "run7").unwrap();
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
    fn files_in_subfolders_belong_to_the_run() {
        let dir = tempfile::tempdir().unwrap();
        let run = |names: &[&str]| {
            let folder = opened(dir.path(), IfNotEmpty::ReplaceOwn, "/x/a.toml", "r1").unwrap();
            let folder = folder.keeping([], names).unwrap();
            folder.begin().unwrap();
            let files: Vec<_> = names.iter().map(|name| folder.write(name, b"1").unwrap()).collect();
            drop(folder.file("a/c/half.txt").unwrap());
            crate::Manifest { files: files.clone(), ..crate::Manifest::default() }.write(&folder).unwrap();
            files.into_iter().map(|file| file.name).collect::<Vec<_>>()
        };
        assert_eq!(run(&["a/b/0.txt", "x.txt"]), ["a/b/r1.0.txt", "r1.x.txt"]);
        assert_eq!(fs::read(dir.path().join("a/b/r1.0.txt")).unwrap(), b"1");
        assert!(!dir.path().join("a/c").exists());
        fs::write(dir.path().join("a/notes.txt"), "mine").unwrap();
        run(&["x.txt"]);
        assert_eq!(entries_of(&dir.path().join("a")).unwrap(), ["notes.txt"]);
        fs::write(dir.path().join("file"), "mine").unwrap();
        let folder = opened(dir.path(), IfNotEmpty::ReplaceOwn, "/x/a.toml", "r1").unwrap();
        assert!(matches!(folder.write("file/0.txt", b""), Err(OutputError::Io { .. })));
    }

    #[test]
    fn a_run_does_not_replace_its_own_files() {
        let dir = tempfile::tempdir().unwrap();
        let folder = RunFolder::create(dir.path(), IfNotEmpty::Refuse, "").unwrap();
        folder.begin().unwrap();
        folder.write("x.txt", b"first").unwrap();
        let error = folder.clone().write("x.txt", b"second").unwrap_err().to_string();
        assert!(error.contains("x.txt: not replaced: it is a file of the same run\n    give each file"), "{error}");
        assert_eq!(fs::read(dir.path().join("x.txt")).unwrap(), b"first");
        // A file that is still being written is not replaced either.
        let _open = folder.file("y.txt").unwrap();
        assert!(matches!(folder.file("y.txt"), Err(OutputError::NotReplaced { .. })));
        folder.write("other.x.txt", b"another file").unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn closed_files_hold_no_descriptor_and_are_removed_with_the_run() {
        let dir = tempfile::tempdir().unwrap();
        let folder = RunFolder::create(dir.path(), IfNotEmpty::Refuse, "").unwrap().temporary();
        // Other tests of the process may have open files elsewhere, but none in this folder.
        let open = || {
            let links = fs::read_dir("/proc/self/fd").unwrap().flatten();
            let targets = links.filter_map(|link| fs::read_link(link.path()).ok());
            targets.filter(|target| target.starts_with(dir.path()) && !target.ends_with(LOCK)).count()
        };
        let files: Vec<_> = (0..20).map(|i| folder.file(&format!("{i}.tif")).unwrap()).collect();
        assert_eq!(open(), 20);
        let mut closed: Vec<_> = files.into_iter().map(|file| file.close().unwrap()).collect();
        assert_eq!((open(), entries_of(dir.path()).unwrap().len()), (0, 20));
        let written = closed.remove(0).complete().unwrap();
        drop(closed);
        assert_eq!((written.name.as_str(), entries_of(dir.path()).unwrap()), ("0.tif", vec!["0.tif".into()]));
    }

    #[test]
    fn concurrent_runs_are_refused_and_empty_folders_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("run");
        let first = RunFolder::create(&path, IfNotEmpty::Refuse, "").unwrap();
        let text = RunFolder::create(&path, IfNotEmpty::Overwrite, "").unwrap_err().to_string();
        assert!(text.contains("another run is writing to"), "{text}");
        drop(first);
        assert!(!path.exists(), "nothing was written");
        let folder = RunFolder::create(&path, IfNotEmpty::Refuse, "").unwrap();
        folder.write("a", b"").unwrap();
        folder.finish();
        drop(folder);
        assert_eq!(entries_of(&path).unwrap(), ["a"]);
        assert!(!path.join(LOCK).exists());
    }
}
