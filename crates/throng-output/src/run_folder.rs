//! The folder of one run.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::lock::{LOCK, Lock, left_partial, remove_regular};
use crate::manifest::files_listed;
use crate::target::check_target;
use crate::{Codec, MANIFEST_NAME, OutputError, PendingFile, WrittenFile};

/// What to do when the output folder holds something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IfNotEmpty {
    /// Refuse, with an error that names the flag that allows it.
    #[default]
    Refuse,
    /// Replace the files of an earlier run, in [`RunFolder::begin`], and write beside all else.
    Overwrite,
    /// Delete everything in it, in [`RunFolder::begin`].
    Delete,
}

/// The folder that a run writes to. While the value or a clone of it lives, no other process can have one for the same
/// folder; a folder that was made for it and is still empty in the end is removed.
#[derive(Debug, Clone)]
pub struct RunFolder {
    path: PathBuf,
    prefix: String,
    if_not_empty: IfNotEmpty,
    /// What the run reads.
    inputs: Arc<[PathBuf]>,
    lock: Arc<Lock>,
}

impl RunFolder {
    /// Makes the folder, or takes an existing one according to `if_not_empty`, and checks that it can be written.
    /// Nothing in it is changed before [`RunFolder::begin`] or the first file.
    ///
    /// `remedy` names the flag that allows a non-empty folder; the error message ends with it.
    ///
    /// # Errors
    /// [`OutputError::NotEmpty`], [`OutputError::NotDeleted`], [`OutputError::InUse`], or [`OutputError::Io`] when the
    /// folder cannot be made or written.
    pub fn create(path: &Path, if_not_empty: IfNotEmpty, remedy: &str) -> Result<Self, OutputError> {
        let mut entries = entries_of(path)?;
        // What an interrupted run has left is in nobody's way, as far as it is certain that it is that.
        let left = left_partial(path);
        entries.retain(|name| !left.contains(name));
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
        let lock = Arc::new(Lock::take(path, made)?);
        Ok(Self { path: path.to_owned(), prefix: String::new(), if_not_empty, inputs: Arc::new([]), lock })
    }

    /// The same folder, where every file name begins with `prefix` and a dot.
    pub fn with_prefix(mut self, prefix: &str) -> Self {
        self.prefix = if prefix.is_empty() { String::new() } else { format!("{prefix}.") };
        self
    }

    /// The same folder, in which none of `inputs` will be deleted or replaced. What would do so is refused now, before
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
            let inside = |input: &&PathBuf| fs::canonicalize(input).is_ok_and(|input| input.starts_with(&here));
            if let Some(input) = self.inputs.iter().find(inside) {
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
            for codec in [Codec::None, Codec::Gzip, Codec::Zstd] {
                let name = self.file_name(&format!("{name}{}", codec.suffix()));
                check_target(&self.path.join(name), self.inputs())?;
            }
        }
        Ok(self)
    }

    fn inputs(&self) -> impl Iterator<Item = &Path> {
        self.inputs.iter().map(PathBuf::as_path)
    }

    /// Files of an earlier run of the same prefix: those of its manifest, or of the record of an interrupted one.
    fn earlier_files(&self) -> Vec<String> {
        let mut names = files_listed(&self.path.join(self.file_name(MANIFEST_NAME))).unwrap_or_default();
        names.extend(self.lock.left_complete());
        names
    }

    /// Makes room, now that the run is certain: everything is deleted with [`IfNotEmpty::Delete`], else the manifest of an
    /// earlier run and the files that it lists, and what an interrupted run has recorded as its own. So a manifest never
    /// stands beside results that it does not belong to.
    ///
    /// # Errors
    /// When something cannot be removed.
    pub fn begin(&self) -> Result<(), OutputError> {
        if self.if_not_empty == IfNotEmpty::Delete {
            for name in entries_of(&self.path)? {
                let path = self.path.join(&name);
                // The entry itself, not what a symbolic link leads to.
                let removed = match fs::symlink_metadata(&path) {
                    Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(&path),
                    _ => fs::remove_file(&path),
                };
                removed.map_err(|e| OutputError::io("delete", &path, e))?;
            }
        }
        let earlier = self.earlier_files();
        // First, so that it is never there without its files.
        remove_regular(&self.path.join(self.file_name(MANIFEST_NAME)))?;
        for name in earlier {
            remove_regular(&self.path.join(name))?;
        }
        self.lock.clear_interrupted()
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
        let target = self.path.join(self.file_name(name));
        check_target(&target, self.inputs())?;
        self.lock.clear_interrupted()?;
        PendingFile::recorded(&target, &self.lock)
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

    /// Leaves in the folder what a run leaves that is killed: `half.csv` begun and `whole.csv` complete.
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
        // The name of the record, and another thing by now.
        fs::remove_file(path.join("half.csv.partial")).unwrap();
        fs::create_dir(path.join("half.csv.partial")).unwrap();
        let folder = RunFolder::create(path, IfNotEmpty::Overwrite, "").unwrap();
        folder.begin().unwrap();
        assert_eq!(entries_of(path).unwrap(), ["half.csv.partial", "photos.partial", "thesis.partial"]);
        assert!(path.join("photos.partial/2020").is_dir());
        drop(folder);
        // Programs without a manifest clear up, too.
        fs::remove_dir(path.join("half.csv.partial")).unwrap();
        interrupt(path);
        RunFolder::create(path, IfNotEmpty::Overwrite, "").unwrap().write("city.svg", b"").unwrap();
        assert_eq!(entries_of(path).unwrap().join(" "), "city.svg photos.partial thesis.partial whole.csv");
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
        // What an earlier manifest lists would be removed.
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
