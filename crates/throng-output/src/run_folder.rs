//! The folder of one run.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::lock::{LOCK, Lock, has_left_complete, left_partial, remove_regular};
use crate::manifest::files_listed;
use crate::target::check_target;
use crate::{Codec, MANIFEST_NAME, OutputError, PendingFile, WrittenFile};

/// What to do when the output folder is not empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IfNotEmpty {
    /// Refuse, with an error that names the flag that allows it.
    #[default]
    Refuse,
    /// Replace the files of an earlier run, in [`RunFolder::begin`], and keep all other files.
    Overwrite,
    /// Delete everything in it, in [`RunFolder::begin`].
    Delete,
}

impl IfNotEmpty {
    /// The value for a flag `--overwrite`.
    pub fn of_flag(overwrite: bool) -> Self {
        if overwrite { Self::Overwrite } else { Self::Refuse }
    }
}

/// The folder that a run writes to. While the value or a clone of it lives, no other process can have one for the same
/// folder; a folder that was made for it and is still empty in the end is removed.
///
/// Its files are on record in the folder until [`RunFolder::finish`], so that the next run can remove those of a run that
/// failed or was killed.
#[derive(Debug, Clone)]
pub struct RunFolder {
    path: PathBuf,
    prefix: String,
    if_not_empty: IfNotEmpty,
    /// The folder is deleted soon.
    is_temporary: bool,
    /// The inputs of the run.
    inputs: Arc<[PathBuf]>,
    lock: Arc<Lock>,
    /// The names of the files that the run has begun.
    begun: Arc<Mutex<BTreeSet<String>>>,
}

impl RunFolder {
    /// Makes the folder, or takes an existing one according to `if_not_empty`, and checks that it can be written.
    /// Nothing in it is changed before [`RunFolder::begin`] or the first file.
    ///
    /// `remedy` names the flag that allows a non-empty folder; the error message ends with it.
    ///
    /// # Errors
    /// [`OutputError::NotEmpty`], [`OutputError::NotDeleted`], [`OutputError::InUse`], [`OutputError::NotReplaced`] when
    /// something other than a regular file has the name of the record, or [`OutputError::Io`] when the folder cannot be
    /// made or written.
    pub fn create(path: &Path, if_not_empty: IfNotEmpty, remedy: &str) -> Result<Self, OutputError> {
        let mut entries = entries_of(path)?;
        // Incomplete files of a killed run do not count, provided that its record lists them.
        let left = left_partial(path);
        entries.retain(|name| !left.iter().any(|left| name == left.as_str()));
        if let Some(example) = entries.first() {
            match if_not_empty {
                IfNotEmpty::Refuse => {
                    return Err(OutputError::NotEmpty {
                        path: path.to_owned(),
                        entries: entries.len(),
                        example: example.to_string_lossy().into_owned(),
                        remedy: remedy.to_owned(),
                    });
                }
                IfNotEmpty::Overwrite => {}
                IfNotEmpty::Delete => refuse_to_delete_own_ground(path)?,
            }
        }
        let made = !path.exists();
        fs::create_dir_all(path).map_err(|e| OutputError::io("make output folder", path, e))?;
        // Checked now, because after the run a missing write permission would cost the results.
        let lock = Arc::new(Lock::take(path, made)?);
        Ok(Self {
            path: path.to_owned(),
            prefix: String::new(),
            if_not_empty,
            is_temporary: false,
            inputs: Arc::new([]),
            lock,
            begun: Arc::default(),
        })
    }

    /// The same folder, where every file name begins with `prefix` and a dot.
    pub fn with_prefix(mut self, prefix: &str) -> Self {
        self.prefix = with_dot(prefix);
        self
    }

    /// The same folder for files that are deleted soon: they do not wait for the disk, which takes longer than a small
    /// run.
    pub fn temporary(mut self) -> Self {
        self.is_temporary = true;
        self
    }

    /// The same folder, in which none of `inputs` will be deleted or replaced. Violations are refused now, before
    /// anything is written: `names` are all names that the files of the run may have, without prefix and without the
    /// suffix of a compression.
    ///
    /// # Errors
    /// [`OutputError::NotDeleted`] or [`OutputError::NotReplaced`].
    pub fn keeping<'a>(
        mut self,
        inputs: impl IntoIterator<Item = &'a Path>,
        names: &[&str],
    ) -> Result<Self, OutputError> {
        self.inputs = inputs.into_iter().map(Path::to_owned).collect();
        if self.if_not_empty == IfNotEmpty::Delete {
            let here = absolute(&self.path)?;
            if let Some(input) = self.inputs.iter().find(|input| is_reached_through(input, &here)) {
                let reason = format!("the run reads {}", input.display());
                return Err(OutputError::NotDeleted { path: self.path.clone(), reason });
            }
            return Ok(self);
        }
        for name in self.earlier_files() {
            let path = self.path.join(name);
            // Only a regular file would be removed.
            if path.is_file() && !path.is_symlink() {
                check_target(&path, self.inputs())?;
            }
        }
        for name in names.iter().copied().chain([MANIFEST_NAME]) {
            for name in self.packed_names(name) {
                check_target(&self.path.join(name), self.inputs())?;
            }
        }
        Ok(self)
    }

    fn inputs(&self) -> impl Iterator<Item = &Path> {
        self.inputs.iter().map(PathBuf::as_path)
    }

    /// Files of the earlier run of this prefix that its manifest lists, and those of unfinished runs of any prefix, by
    /// their record.
    fn earlier_files(&self) -> Vec<String> {
        let mut names = files_listed(&self.path.join(self.file_name(MANIFEST_NAME))).unwrap_or_default();
        names.extend(self.lock.left_complete());
        names
    }

    /// Makes room, now that the run is certain and before its first file: everything is deleted with
    /// [`IfNotEmpty::Delete`], else the manifest of an earlier run of this prefix and the files that it lists, and the
    /// recorded files of unfinished runs of any prefix. So a manifest is never next to results that it does not belong
    /// to.
    ///
    /// # Errors
    /// When something cannot be removed; the next run then tries again.
    pub fn begin(&self) -> Result<(), OutputError> {
        self.begun().clear();
        self.lock.note_earlier(&self.earlier_files())?;
        // First, so that it never exists without its files.
        remove_regular(&self.path.join(self.file_name(MANIFEST_NAME)))?;
        if self.if_not_empty == IfNotEmpty::Delete {
            for name in manifests_first(entries_of(&self.path)?) {
                let path = self.path.join(&name);
                // The entry itself, not the target of a symbolic link.
                let removed = match fs::symlink_metadata(&path) {
                    Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(&path),
                    _ => fs::remove_file(&path),
                };
                removed.map_err(|e| OutputError::io("delete", &path, e))?;
            }
        }
        self.lock.remove_earlier()
    }

    /// Makes room for files that no manifest lists, before the first of them: with [`IfNotEmpty::Overwrite`] earlier files
    /// of these names are removed, in this order and with any suffix of a compression, and the recorded files of unfinished
    /// runs. So new files are never mixed with old ones.
    ///
    /// # Errors
    /// When something cannot be removed; the next run then tries again.
    pub fn begin_anew(&self, names: &[&str]) -> Result<(), OutputError> {
        let mut all: Vec<String> = names.iter().flat_map(|name| self.packed_names(name)).collect();
        all.retain(|name| self.path.join(name).exists());
        self.begun().clear();
        self.lock.note_earlier(&all)?;
        self.lock.remove_earlier()
    }

    /// Marks the files as complete: they are no longer on record. [`crate::Manifest::write`]
    /// does so, too.
    pub fn finish(&self) {
        self.lock.finish();
    }

    /// A name with the prefix of this run, and each suffix of a compression.
    fn packed_names(&self, name: &str) -> [String; 3] {
        [Codec::None, Codec::Gzip, Codec::Zstd].map(|codec| self.file_name(&format!("{name}{}", codec.suffix())))
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The name of a file with the prefix of this run.
    pub fn file_name(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// Begins a file; it gets its final name when [`PendingFile::complete`] is called.
    ///
    /// # Errors
    /// [`OutputError::NotReplaced`] when the run has already begun a file of this name, which would be lost, or when the
    /// file cannot be made.
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
        let file = PendingFile::recorded(&target, &self.lock)?;
        begun.insert(name);
        Ok(if self.is_temporary { file.without_sync() } else { file })
    }

    /// The names that the run has begun since it has made room.
    fn begun(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a whole file at once.
    ///
    /// # Errors
    /// As for [`RunFolder::file`], and when the file cannot be written.
    pub fn write(&self, name: &str, content: &[u8]) -> Result<WrittenFile, OutputError> {
        let mut file = self.file(name)?;
        file.write_all(content).map_err(|e| file.error(e))?;
        file.complete()
    }
}

/// Whether the folder `path` holds results of a run with `prefix`, or the remains of an unfinished run:
/// [`RunFolder::begin`] would remove them.
pub fn holds_results(path: &Path, prefix: &str) -> bool {
    let manifest = path.join(format!("{}{MANIFEST_NAME}", with_dot(prefix)));
    files_listed(&manifest).is_some() || has_left_complete(path)
}

fn with_dot(prefix: &str) -> String {
    if prefix.is_empty() { String::new() } else { format!("{prefix}.") }
}

/// The names of all entries but the lock, sorted; none when there is no such folder.
fn entries_of(path: &Path) -> Result<Vec<OsString>, OutputError> {
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

/// A manifest must not outlive the files that it lists.
fn manifests_first(mut names: Vec<OsString>) -> Vec<OsString> {
    names.sort_by_key(|name| !name.to_string_lossy().ends_with(MANIFEST_NAME));
    names
}

/// Whether `path` leads to something in `folder`, directly or by a symbolic link in it.
fn is_reached_through(path: &Path, folder: &Path) -> bool {
    // A path that resolves has no cycle of links.
    fs::canonicalize(path).is_ok_and(|end| end.starts_with(folder) || passes_through(path, folder))
}

fn passes_through(path: &Path, folder: &Path) -> bool {
    let Ok(path) = std::path::absolute(path) else { return false };
    path.ancestors().any(|step| {
        let Some(parent) = step.parent() else { return false };
        let inside = fs::canonicalize(parent).is_ok_and(|parent| parent.starts_with(folder));
        let linked = |to: PathBuf| passes_through(&parent.join(to), folder);
        fs::symlink_metadata(step).is_ok_and(|entry| entry.is_symlink())
            && (inside || fs::read_link(step).is_ok_and(linked))
    })
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
    fn a_run_does_not_replace_its_own_files() {
        let dir = tempfile::tempdir().unwrap();
        let folder = RunFolder::create(dir.path(), IfNotEmpty::Refuse, "").unwrap();
        folder.begin().unwrap();
        folder.write("x.txt", b"first").unwrap();
        let error = folder.clone().write("x.txt", b"second").unwrap_err().to_string();
        assert!(error.contains("x.txt: not replaced: it is a file of the same run\n    give each file"), "{error}");
        assert_eq!(fs::read(dir.path().join("x.txt")).unwrap(), b"first");
        // Nor one that is still being written.
        let _open = folder.file("y.txt").unwrap();
        assert!(matches!(folder.file("y.txt"), Err(OutputError::NotReplaced { .. })));
        folder.with_prefix("other").write("x.txt", b"another file").unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn closed_files_hold_no_descriptor_and_are_removed_with_the_run() {
        let dir = tempfile::tempdir().unwrap();
        let folder = RunFolder::create(dir.path(), IfNotEmpty::Refuse, "").unwrap().temporary();
        // Other tests of the process may have files in this folder of links, but none of this folder.
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
        assert_eq!(entries_of(dir.path()).unwrap(), ["old", "tables"], "nothing is deleted before the run is certain");
        folder.begin().unwrap();
        assert_eq!(entries_of(dir.path()).unwrap(), [""; 0]);
    }

    /// Leaves in the folder what a killed run leaves: `half.csv` begun and `whole.csv` complete.
    fn interrupt(path: &Path) {
        let folder = RunFolder::create(path, IfNotEmpty::Overwrite, "").unwrap();
        folder.begin().unwrap();
        folder.write("whole.csv", b"1").unwrap();
        let begun = folder.file("half.csv").unwrap();
        let [record, half] =
            [LOCK, "half.csv.partial"].map(|name| (path.join(name), fs::read(path.join(name)).unwrap()));
        drop((begun, folder));
        for (file, content) in [record, half] {
            fs::write(file, content).unwrap();
        }
    }

    #[test]
    fn only_what_an_interrupted_run_has_recorded_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path();
        interrupt(path);
        let text = RunFolder::create(path, IfNotEmpty::Refuse, "").unwrap_err().to_string();
        assert!(text.contains("holds 1 entry, for example \"whole.csv\""), "{text}");
        fs::remove_file(path.join("whole.csv")).unwrap();
        drop(RunFolder::create(path, IfNotEmpty::Refuse, "").unwrap());
        assert!(
            path.join("half.csv.partial").exists() && path.join(LOCK).exists(),
            "nothing happens before a run begins"
        );
        RunFolder::create(path, IfNotEmpty::Refuse, "").unwrap().begin().unwrap();
        assert_eq!((entries_of(path).unwrap(), path.join(LOCK).exists()), (vec![], false));

        // Neither files nor folders that merely have such a name.
        fs::write(path.join("thesis.partial"), "1").unwrap();
        let text = RunFolder::create(path, IfNotEmpty::Refuse, "").unwrap_err().to_string();
        assert!(text.contains("for example \"thesis.partial\""), "{text}");
        fs::create_dir_all(path.join("photos.partial/2020")).unwrap();
        interrupt(path);
        // The name of the record, but something else by now.
        fs::remove_file(path.join("half.csv.partial")).unwrap();
        fs::create_dir(path.join("half.csv.partial")).unwrap();
        let folder = RunFolder::create(path, IfNotEmpty::Overwrite, "").unwrap();
        folder.begin().unwrap();
        assert_eq!(entries_of(path).unwrap(), ["half.csv.partial", "photos.partial", "thesis.partial"]);
        assert!(path.join("photos.partial/2020").is_dir());
        drop(folder);
    }

    #[test]
    fn complete_files_of_a_failed_run_stay_on_record_until_a_run_finishes() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path();
        fs::write(path.join("notes.txt"), "").unwrap();
        let begun = || {
            let folder = RunFolder::create(path, IfNotEmpty::Overwrite, "").unwrap();
            folder.begin().unwrap();
            folder
        };
        assert!(!holds_results(path, ""));
        begun().write("events.xml", b"").unwrap();
        assert!(holds_results(path, "") && path.join(LOCK).exists());
        // By now the temporary name may be that of another file.
        fs::write(path.join("events.xml.partial"), "").unwrap();
        begun();
        fs::remove_file(path.join("events.xml.partial")).expect("it was kept");
        begun().write("events.xml", b"").unwrap();
        // A run that never begins loses nothing of the record.
        drop(RunFolder::create(path, IfNotEmpty::Overwrite, "").unwrap());
        let folder = begun().with_prefix("b");
        crate::Manifest::default().write(&folder).unwrap();
        drop(folder);
        assert_eq!(entries_of(path).unwrap(), ["b.manifest.json", "notes.txt"]);
        assert!(!path.join(LOCK).exists() && holds_results(path, "b") && !holds_results(path, ""));
        // A file after the manifest is not one that it lists.
        let folder = begun().with_prefix("b");
        crate::Manifest::default().write(&folder).unwrap();
        folder.write("late.csv", b"").unwrap();
        drop(folder);
        assert!(path.join(LOCK).exists());
    }

    #[test]
    fn what_could_not_be_removed_is_tried_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path();
        fs::write(path.join("events.xml"), "").unwrap();
        let folder = RunFolder::create(path, IfNotEmpty::Overwrite, "").unwrap();
        // As in a run that is killed between the removal of the manifest and that of its files.
        folder.lock.note_earlier(&["events.xml".to_owned()]).unwrap();
        folder.finish();
        drop(folder);
        RunFolder::create(path, IfNotEmpty::Overwrite, "").unwrap().begin().unwrap();
        assert_eq!((entries_of(path).unwrap(), path.join(LOCK).exists()), (vec![], false));
        let names = ["a.csv", "manifest.json", "r1.manifest.json"].map(OsString::from).to_vec();
        assert_eq!(manifests_first(names), ["manifest.json", "r1.manifest.json", "a.csv"]);
    }

    #[test]
    fn files_without_a_manifest_are_replaced_together() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path();
        for name in ["config.xml", "plans.xml.gz", "plans.xml.zst", "plans.xml.old", "city.throng"] {
            fs::write(path.join(name), "old").unwrap();
        }
        let create = || RunFolder::create(path, IfNotEmpty::Overwrite, "").unwrap();
        let folder = create();
        folder.begin_anew(&["config.xml", "plans.xml"]).unwrap();
        assert_eq!(entries_of(path).unwrap(), ["city.throng", "plans.xml.old"]);
        folder.write("network.xml", b"new").unwrap();
        drop(folder);
        // The first failed; its files are not the second's.
        let folder = create();
        folder.begin_anew(&["config.xml", "plans.xml"]).unwrap();
        folder.write("plans.xml", b"new").unwrap();
        folder.finish();
        drop(folder);
        assert_eq!(entries_of(path).unwrap(), ["city.throng", "plans.xml", "plans.xml.old"]);
        assert!(!path.join(LOCK).exists());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn names_that_are_no_text_are_deleted_too() {
        use std::os::unix::ffi::OsStringExt as _;
        let dir = tempfile::tempdir().unwrap();
        for name in [b"a".to_vec(), b"b\xff".to_vec(), b"c".to_vec()] {
            fs::write(dir.path().join(OsString::from_vec(name)), "").unwrap();
        }
        RunFolder::create(dir.path(), IfNotEmpty::Delete, "").unwrap().begin().unwrap();
        assert_eq!(entries_of(dir.path()).unwrap(), [""; 0]);
    }

    #[test]
    fn the_files_that_an_earlier_manifest_lists_are_replaced_together() {
        let dir = tempfile::tempdir().unwrap();
        let run = |prefix: &str, names: &[&str]| {
            let folder = RunFolder::create(dir.path(), IfNotEmpty::Overwrite, "").unwrap().with_prefix(prefix);
            folder.begin().unwrap();
            let files = names.iter().map(|name| folder.write(name, b"1").unwrap()).collect();
            crate::Manifest { files, ..crate::Manifest::default() }.write(&folder).unwrap();
        };
        run("", &["events.xml", "report.html"]);
        run("b", &["events.xml"]);
        fs::write(dir.path().join("notes.txt"), "1").unwrap();
        run("", &["report.html", "hashes.txt"]);
        let expected = ["b.events.xml", "b.manifest.json", "hashes.txt", MANIFEST_NAME, "notes.txt", "report.html"];
        assert_eq!(entries_of(dir.path()).unwrap(), expected);
        // A manifest of another program, and one that lists what is not in the folder.
        for program in ["", ", \"program\": \"throng 1\", \"model\": \"traffic\", \"finished\": \"\""] {
            let manifest = format!("{{\"files\": [{{\"name\": \"notes.txt\"}}, {{\"name\": \"../up\"}}]{program}}}");
            fs::create_dir_all(dir.path().join("sub")).unwrap();
            fs::write(dir.path().join("up"), "1").unwrap();
            fs::write(dir.path().join("sub").join(MANIFEST_NAME), manifest).unwrap();
            fs::write(dir.path().join("sub/notes.txt"), "1").unwrap();
            RunFolder::create(&dir.path().join("sub"), IfNotEmpty::Overwrite, "").unwrap().begin().unwrap();
            assert_eq!(dir.path().join("sub/notes.txt").exists(), program.is_empty());
            assert!(dir.path().join("up").exists());
        }
    }

    #[test]
    fn inputs_are_neither_deleted_nor_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("out");
        let (inside, outside) = (out.join("plans.xml.gz"), dir.path().join("network.xml"));
        fs::create_dir(&out).unwrap();
        for file in [&inside, &outside] {
            fs::write(file, "").unwrap();
        }
        let keeping = |if_not_empty, inputs: &[&Path], names: &[&str]| {
            let folder = RunFolder::create(&out, if_not_empty, "").unwrap();
            folder.keeping(inputs.iter().copied(), names).err().map_or_else(String::new, |error| error.to_string())
        };
        assert_eq!(keeping(IfNotEmpty::Delete, &[&outside], &["plans.xml"]), "");
        let text = keeping(IfNotEmpty::Delete, &[&outside, &inside], &[]);
        assert!(text.contains("is not deleted: the run reads ") && text.contains("plans.xml"), "{text}");
        assert_eq!(keeping(IfNotEmpty::Overwrite, &[&inside, &out], &["report.html"]), "");
        let text = keeping(IfNotEmpty::Overwrite, &[&outside, &inside], &["report.html", "plans.xml"]);
        assert!(text.contains("plans.xml.gz: not replaced: it is also read\n    write to another"), "{text}");
        // A name that was not announced is refused when its time comes.
        let folder = RunFolder::create(&out, IfNotEmpty::Overwrite, "").unwrap();
        let folder = folder.keeping([inside.as_path()], &[]).unwrap();
        assert!(matches!(folder.file("plans.xml.gz"), Err(OutputError::NotReplaced { .. })));
        // Files that an earlier manifest lists would be removed.
        let manifest = crate::Manifest {
            files: vec![WrittenFile { name: "plans.xml.gz".into(), bytes: 0 }],
            ..crate::Manifest::default()
        };
        manifest.write(&folder).unwrap();
        drop(folder);
        assert!(keeping(IfNotEmpty::Overwrite, &[&inside], &[]).contains("it is also read"));
        assert!(inside.exists() && out.join(MANIFEST_NAME).exists());
    }

    #[cfg(unix)]
    #[test]
    fn an_input_that_a_link_in_the_folder_leads_to_is_not_cut_off() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        for folder in ["out/sub", "data", "other"] {
            fs::create_dir_all(path(folder)).unwrap();
        }
        fs::write(path("data/plans.xml"), "").unwrap();
        for (to, link) in [
            (path("data/plans.xml"), "out/plans.xml"),
            (path("data"), "out/data"),
            ("../out/plans.xml".into(), "other/plans.xml"),
            (path("out/sub"), "other/sub"),
            (path("data"), "other/data"),
        ] {
            std::os::unix::fs::symlink(to, path(link)).unwrap();
        }
        let refused = |input: &str| {
            let folder = RunFolder::create(&path("out"), IfNotEmpty::Delete, "").unwrap();
            matches!(folder.keeping([path(input).as_path()], &[]), Err(OutputError::NotDeleted { .. }))
        };
        for input in ["out/plans.xml", "out/data/plans.xml", "other/plans.xml", "other/sub/../plans.xml", "out"] {
            assert!(refused(input), "{input}");
        }
        for input in ["data/plans.xml", "other/data/plans.xml", "out/../data/plans.xml", "nowhere"] {
            assert!(!refused(input), "{input}");
        }
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
        let folder = RunFolder::create(&path, IfNotEmpty::Refuse, "").unwrap();
        folder.write("a", b"").unwrap();
        folder.finish();
        drop(folder);
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
