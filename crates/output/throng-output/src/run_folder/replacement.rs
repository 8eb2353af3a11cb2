//! Makes room for the files of a run: all earlier files are removed before the first new one is created.

use std::ffi::OsString;
use std::fs;

use super::{IfNotEmpty, RunFolder};
use crate::lock::{entries_of, remove_regular};
use crate::manifest::files_listed;
use crate::{MANIFEST_NAME, OutputError};

impl RunFolder {
    /// Describes the results that [`RunFolder::begin`] will remove, as a sentence; `None` if it removes none.
    pub fn removes(&self) -> Option<String> {
        let folder = self.path.display();
        match self.if_not_empty {
            IfNotEmpty::Refuse => None,
            IfNotEmpty::Delete if entries_of(&self.path).is_ok_and(|entries| !entries.is_empty()) => {
                Some(format!("everything in {folder} will be deleted"))
            }
            _ if self.earlier_files().iter().any(|name| self.path.join(name).exists()) => {
                Some(format!("the earlier results in {folder} will be deleted and replaced"))
            }
            _ => None,
        }
    }

    /// Returns the files listed in the manifest of the earlier run with this prefix, and the recorded files of
    /// unfinished runs with any prefix.
    pub(super) fn earlier_files(&self) -> Vec<String> {
        let mut names = files_listed(&self.path.join(self.file_name(MANIFEST_NAME))).unwrap_or_default();
        names.extend(self.lock.left_complete());
        names
    }

    /// Makes room, once the run is certain to start and before its first file. With [`IfNotEmpty::Delete`] everything
    /// is deleted. Otherwise the manifest of an earlier run with this prefix, the files that it lists, and the recorded
    /// files of unfinished runs with any prefix are removed. So a manifest never describes results of another run.
    ///
    /// # Errors
    /// When something cannot be removed; the next run then repeats the removal.
    pub fn begin(&self) -> Result<(), OutputError> {
        self.begun().clear();
        self.note_source()?;
        self.lock.note_earlier(&self.earlier_files())?;
        // The manifest goes first, so that it never exists without its files.
        remove_regular(&self.path, &self.file_name(MANIFEST_NAME))?;
        if self.if_not_empty == IfNotEmpty::Delete {
            for name in manifests_first(entries_of(&self.path)?) {
                let path = self.path.join(&name);
                // Removes the entry itself, not the target of a symbolic link.
                let removed = match fs::symlink_metadata(&path) {
                    Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(&path),
                    _ => fs::remove_file(&path),
                };
                removed.map_err(|e| OutputError::io("delete", &path, e))?;
            }
        }
        self.lock.remove_earlier()?;
        self.note_source()
    }

    fn note_source(&self) -> Result<(), OutputError> {
        // No later run replaces a temporary folder.
        if self.is_temporary { Ok(()) } else { self.lock.note_source(&self.source) }
    }

    /// Makes room for files that no manifest lists, before the first of them. With [`IfNotEmpty::Overwrite`], earlier
    /// files of these names are removed in this order, with any compression suffix, and so are the recorded files of
    /// unfinished runs. So new files are never mixed with old ones.
    ///
    /// # Errors
    /// When something cannot be removed; the next run then repeats the removal.
    pub fn make_room_for(&self, names: &[&str]) -> Result<(), OutputError> {
        let mut all: Vec<String> = names.iter().flat_map(|name| self.packed_names(name)).collect();
        all.retain(|name| self.path.join(name).exists());
        // A file of such a name may have been created since `keeping`.
        let recorded = self.lock.left_complete();
        for name in all.iter().filter(|name| !recorded.contains(name)) {
            self.check_own(&self.path.join(name))?;
        }
        self.begun().clear();
        self.lock.note_earlier(&all)?;
        self.lock.remove_earlier()?;
        self.note_source()
    }
}

/// Sorts manifests first: a manifest must not outlive the files that it lists.
fn manifests_first(mut names: Vec<OsString>) -> Vec<OsString> {
    names.sort_by_key(|name| !name.to_string_lossy().ends_with(MANIFEST_NAME));
    names
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::tests::opened;
    use super::*;
    use crate::lock::{LOCK, names_left};

    /// Leaves the files of a killed run: `half.csv` incomplete and `whole.csv` complete.
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
    fn only_recorded_files_of_interrupted_runs_are_removed() {
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

        // Neither unrelated files nor folders with such a name are removed.
        fs::write(path.join("thesis.partial"), "1").unwrap();
        let text = RunFolder::create(path, IfNotEmpty::Refuse, "").unwrap_err().to_string();
        assert!(text.contains("for example \"thesis.partial\""), "{text}");
        fs::create_dir_all(path.join("photos.partial/2020")).unwrap();
        interrupt(path);
        // The recorded name now belongs to a folder.
        fs::remove_file(path.join("half.csv.partial")).unwrap();
        fs::create_dir(path.join("half.csv.partial")).unwrap();
        let folder = RunFolder::create(path, IfNotEmpty::Overwrite, "").unwrap();
        folder.begin().unwrap();
        assert_eq!(entries_of(path).unwrap(), ["half.csv.partial", "photos.partial", "thesis.partial"]);
        assert!(path.join("photos.partial/2020").is_dir());
        drop(folder);
    }

    #[test]
    fn complete_files_of_failed_runs_stay_recorded_until_a_run_finishes() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path();
        fs::write(path.join("notes.txt"), "").unwrap();
        let with_prefix = |prefix: &str| opened(path, IfNotEmpty::Overwrite, "", prefix).unwrap();
        let begun_with = |prefix: &str| {
            let folder = with_prefix(prefix);
            folder.begin().unwrap();
            folder
        };
        let begun = || begun_with("");
        assert_eq!(with_prefix("").removes(), None);
        begun().write("events.xml", b"").unwrap();
        assert!(
            with_prefix("").removes().unwrap().ends_with("will be deleted and replaced") && path.join(LOCK).exists()
        );
        // By now another file may have the temporary name.
        fs::write(path.join("events.xml.partial"), "").unwrap();
        begun();
        fs::remove_file(path.join("events.xml.partial")).expect("it was kept");
        begun().write("events.xml", b"").unwrap();
        // A run that never starts keeps the record.
        drop(RunFolder::create(path, IfNotEmpty::Overwrite, "").unwrap());
        let folder = begun_with("b");
        crate::Manifest::default().write(&folder).unwrap();
        drop(folder);
        assert_eq!(entries_of(path).unwrap(), ["b.manifest.json", "notes.txt"]);
        assert!(!path.join(LOCK).exists() && with_prefix("").removes().is_none());
        // A file created after the manifest is not listed in it.
        let folder = begun_with("b");
        crate::Manifest::default().write(&folder).unwrap();
        folder.write("late.csv", b"").unwrap();
        drop(folder);
        assert_eq!(names_left(path), ["b.late.csv"]);
    }

    #[test]
    fn interrupted_removals_are_repeated() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path();
        fs::write(path.join("events.xml"), "").unwrap();
        let folder = RunFolder::create(path, IfNotEmpty::Overwrite, "").unwrap();
        // Simulates a run that was killed between removing the manifest and removing its files.
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
        folder.make_room_for(&["config.xml", "plans.xml"]).unwrap();
        assert_eq!(entries_of(path).unwrap(), ["city.throng", "plans.xml.old"]);
        folder.write("network.xml", b"new").unwrap();
        drop(folder);
        // The first run failed; its files do not belong to the second.
        let folder = create();
        folder.make_room_for(&["config.xml", "plans.xml"]).unwrap();
        folder.write("plans.xml", b"new").unwrap();
        folder.finish();
        drop(folder);
        assert_eq!(entries_of(path).unwrap(), ["city.throng", "plans.xml", "plans.xml.old"]);
        assert!(!path.join(LOCK).exists());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn files_with_non_utf_8_names_are_deleted() {
        use std::os::unix::ffi::OsStringExt as _;
        let dir = tempfile::tempdir().unwrap();
        for name in [b"a".to_vec(), b"b\xff".to_vec(), b"c".to_vec()] {
            fs::write(dir.path().join(OsString::from_vec(name)), "").unwrap();
        }
        RunFolder::create(dir.path(), IfNotEmpty::Delete, "").unwrap().begin().unwrap();
        assert_eq!(entries_of(dir.path()).unwrap(), [""; 0]);
    }

    #[test]
    fn files_in_an_earlier_manifest_are_replaced_together() {
        let dir = tempfile::tempdir().unwrap();
        let run = |prefix: &str, names: &[&str]| {
            let folder = opened(dir.path(), IfNotEmpty::Overwrite, "", prefix).unwrap();
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
        // A manifest of another program, and one of Throng that lists a file outside its folder.
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

    #[cfg(unix)]
    #[test]
    fn targets_of_symbolic_links_are_kept() {
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
}
