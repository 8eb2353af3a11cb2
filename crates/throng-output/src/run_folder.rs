//! The folder of one run, and files that appear in it only when they are complete.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::OutputError;

/// What to do when the output folder holds something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IfNotEmpty {
    /// Refuse, with an error that names the flag that allows it.
    #[default]
    Refuse,
    /// Write beside and over what is there.
    Overwrite,
    /// Delete the folder with everything in it first.
    Delete,
}

/// The suffix of a file that is not complete yet.
const PARTIAL: &str = ".partial";

/// The folder that a run writes to.
#[derive(Debug, Clone)]
pub struct RunFolder {
    path: PathBuf,
    prefix: String,
}

impl RunFolder {
    /// Makes the folder, or takes an existing one according to `if_not_empty`, and checks that it can be written.
    ///
    /// `remedy` names the flag that allows a non-empty folder; the error message ends with it.
    ///
    /// # Errors
    /// [`OutputError::NotEmpty`], [`OutputError::NotDeleted`], or [`OutputError::Io`] when the folder cannot be made or
    /// written.
    pub fn create(path: &Path, if_not_empty: IfNotEmpty, remedy: &str) -> Result<Self, OutputError> {
        let entries = entries_of(path)?;
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
                IfNotEmpty::Delete => delete(path)?,
            }
        }
        fs::create_dir_all(path).map_err(|e| OutputError::io("make output folder", path, e))?;
        let folder = Self { path: path.to_owned(), prefix: String::new() };
        // Found out now, a folder without write permission costs nothing; after the run it costs the run.
        drop(folder.file("write-test")?);
        Ok(folder)
    }

    /// The same folder, where every file name begins with `prefix` and a dot.
    pub fn with_prefix(mut self, prefix: &str) -> Self {
        self.prefix = if prefix.is_empty() { String::new() } else { format!("{prefix}.") };
        self
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
        let name = self.file_name(name);
        let target = self.path.join(&name);
        let partial = self.path.join(format!("{name}{PARTIAL}"));
        let file = File::create(&partial).map_err(|e| OutputError::io("create", &partial, e))?;
        Ok(PendingFile { file, name, target, partial, bytes: 0, complete: false })
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
    /// Gives the file its final name.
    ///
    /// # Errors
    /// When the operating system refuses, for example because the disk is full.
    pub fn complete(mut self) -> Result<WrittenFile, OutputError> {
        self.file.flush().map_err(|e| self.error(e))?;
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
    names.sort_unstable();
    Ok(names)
}

fn delete(path: &Path) -> Result<(), OutputError> {
    let refuse = |reason| Err(OutputError::NotDeleted { path: path.to_owned(), reason });
    let absolute = fs::canonicalize(path).map_err(|e| OutputError::io("find output folder", path, e))?;
    let inside = |other: Option<PathBuf>| {
        other.and_then(|o| fs::canonicalize(o).ok()).is_some_and(|other| other.starts_with(&absolute))
    };
    if absolute.parent().is_none() {
        return refuse("it is the root of the file system");
    }
    if inside(std::env::current_dir().ok()) {
        return refuse("the current folder lies in it");
    }
    if inside(std::env::home_dir()) {
        return refuse("the home folder lies in it");
    }
    fs::remove_dir_all(&absolute).map_err(|e| OutputError::io("delete output folder", path, e))
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
        RunFolder::create(dir.path(), IfNotEmpty::Overwrite, "").unwrap();
        assert!(dir.path().join("old").exists());
        RunFolder::create(dir.path(), IfNotEmpty::Delete, "").unwrap();
        assert!(!dir.path().join("old").exists() && dir.path().exists());
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
