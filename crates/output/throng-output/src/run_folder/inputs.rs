//! Protects the inputs of a run from being deleted or replaced, even if a different path or a link leads to them.

use std::fs;
use std::path::{Path, PathBuf};

use super::{IfNotEmpty, RunFolder, absolute};
use crate::manifest::files_listed;
use crate::target::check_target;
use crate::{MANIFEST_NAME, OutputError};

impl RunFolder {
    /// Protects `inputs` from being deleted or replaced and, with [`IfNotEmpty::ReplaceOwn`], all files that do not
    /// belong to the earlier run. Violations are reported now, before anything is written: `names` lists all names that
    /// the files of the run may have, without prefix and without a compression suffix.
    ///
    /// # Errors
    /// [`OutputError::NotDeleted`], [`OutputError::NotReplaced`], or [`OutputError::Io`] if the folder cannot be found.
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
        let earlier = self.earlier_files();
        let manifest = self.file_name(MANIFEST_NAME);
        let is_of_run = files_listed(&self.path.join(&manifest)).is_some();
        for name in &earlier {
            let path = self.path.join(name);
            // The run removes only regular files.
            if path.is_file() && !path.is_symlink() {
                check_target(&path, self.inputs())?;
            }
        }
        for name in names.iter().copied().chain([MANIFEST_NAME]) {
            for name in self.packed_names(name) {
                check_target(&self.path.join(&name), self.inputs())?;
                let is_earlier = earlier.contains(&name) || is_of_run && name == manifest;
                if !is_earlier {
                    self.check_own(&self.path.join(name))?;
                }
            }
        }
        Ok(self)
    }
}

/// Whether `path` leads to a file or folder in `folder`, directly or by a symbolic link in it.
fn is_reached_through(path: &Path, folder: &Path) -> bool {
    // A path that can be resolved has no cycle of links.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WrittenFile;

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
        // A name that was not announced is rejected when the file is created.
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
    fn folders_with_links_to_inputs_are_not_deleted() {
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
}
