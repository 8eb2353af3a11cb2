//! Errors of outputs.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::errors::ParquetError;
use rusqlite::ErrorCode;
use thiserror::Error;
use throng_core::NoThread;

/// Failure to write an output. Cheap to clone, because one cause may stop several writers.
#[derive(Clone, Error)]
pub enum OutputError {
    /// The output folder is not empty, and the caller did not allow that.
    #[error(
        "output folder {} is not empty: it holds {}\n    choose another folder with --out, or allow it with {remedy}",
        path.display(), contents(*entries, example, run_of.as_deref())
    )]
    NotEmpty {
        /// Output folder.
        path: PathBuf,
        /// Number of entries in it.
        entries: usize,
        /// First entry by name.
        example: String,
        /// Scenario of the run in the folder, if it holds one.
        run_of: Option<String>,
        /// Flag that allows a non-empty folder.
        remedy: String,
    },
    /// The output folder would be deleted, but the program needs it.
    #[error("output folder {} is not deleted: {reason}\n    choose another output folder", path.display())]
    NotDeleted {
        /// Output folder.
        path: PathBuf,
        /// Reason for keeping it.
        reason: String,
    },
    /// A new file would replace something that must be kept.
    #[error("{}: not replaced: {reason}\n    {remedy}", path.display())]
    NotReplaced {
        /// File that would be replaced.
        path: PathBuf,
        /// Reason for keeping it.
        reason: String,
        /// Suggested remedy.
        remedy: String,
    },
    /// Another run is writing to the same folder.
    #[error("another run is writing to {}\n    wait until it ends, or choose another output folder", path.display())]
    InUse {
        /// Output folder.
        path: PathBuf,
    },
    /// An error of the operating system.
    #[error("cannot {action} {}: {cause}\n    {}", path.display(), remedy_for(cause))]
    Io {
        /// Operation, for example `write`.
        action: &'static str,
        /// File or folder.
        path: PathBuf,
        /// Cause.
        cause: Arc<io::Error>,
    },
    /// An error of the Parquet library.
    #[error("cannot write {}: {cause}\n    {}", path.display(), remedy_in(&cause.to_string()))]
    Parquet {
        /// File.
        path: PathBuf,
        /// Cause.
        cause: Arc<ParquetError>,
    },
    /// An error of SQLite.
    #[error("cannot write {}: {cause}\n    {}", path.display(), remedy_in(&cause.to_string()))]
    Sqlite {
        /// File.
        path: PathBuf,
        /// Cause.
        cause: Arc<rusqlite::Error>,
    },
    /// A position or an orientation is not finite.
    #[error("cannot write {}: in frame {frame}, agent {agent} has {what} ({x}, {y})\n    this is a bug in the model, please report it", path.display())]
    NotFinite {
        /// Path of the trajectory file.
        path: PathBuf,
        /// Frame number.
        frame: u64,
        /// Agent id.
        agent: u64,
        /// The faulty quantity: `the position` or `the orientation`.
        what: &'static str,
        /// X component of the quantity.
        x: f64,
        /// Y component of the quantity.
        y: f64,
    },
    /// The operating system could not start an output thread.
    #[error("{0}\n    {remedy}", remedy = NoThread::REMEDY)]
    NoThread(NoThread),
    /// A pipeline thread panicked. This is a bug in Throng, reported instead of hanging.
    #[error("an output thread failed: {0}\n    this is a bug, please report it")]
    Panicked(String),
}

throng_core::debug_is_message!(OutputError);

impl OutputError {
    /// Wraps an error of the operating system that occurred while doing `action` to `path`.
    pub fn io(action: &'static str, path: &Path, cause: io::Error) -> Self {
        Self::Io { action, path: path.to_owned(), cause: Arc::new(cause) }
    }

    /// Whether the disk, the user's quota or the file size limit is exhausted.
    pub fn is_lack_of_room(&self) -> bool {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        matches!(self, Self::Io { cause, .. } if matches!(cause.kind(), StorageFull | QuotaExceeded | FileTooLarge))
    }

    /// Wraps an error of the Parquet library; I/O errors inside it are unwrapped.
    pub fn parquet(path: &Path, cause: ParquetError) -> Self {
        match cause {
            ParquetError::External(inner) => match inner.downcast::<io::Error>() {
                Ok(inner) => Self::io("write", path, *inner),
                Err(inner) => Self::Parquet { path: path.to_owned(), cause: Arc::new(ParquetError::External(inner)) },
            },
            cause => Self::Parquet { path: path.to_owned(), cause: Arc::new(cause) },
        }
    }

    /// Wraps an error of SQLite; those that match an I/O error kind get its remedy.
    pub fn sqlite(path: &Path, cause: rusqlite::Error) -> Self {
        let kind = match cause.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => io::ErrorKind::StorageFull,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => io::ErrorKind::ResourceBusy,
            Some(ErrorCode::PermissionDenied | ErrorCode::ReadOnly) => io::ErrorKind::PermissionDenied,
            _ => return Self::Sqlite { path: path.to_owned(), cause: Arc::new(cause) },
        };
        Self::io("write", path, kind.into())
    }
}

impl From<NoThread> for OutputError {
    fn from(error: NoThread) -> Self {
        Self::NoThread(error)
    }
}

fn contents(entries: usize, example: &str, run_of: Option<&str>) -> String {
    match run_of {
        Some(scenario) => format!("a run of {scenario}"),
        None => format!("{entries} {}, for example \"{example}\"", if entries == 1 { "entry" } else { "entries" }),
    }
}

/// Returns the remedy for an error of a library, which has only the text of its cause.
fn remedy_in(text: &str) -> &'static str {
    let is_full = ["No space left", "disk is full"].iter().any(|part| text.contains(part));
    remedy_for(&io::Error::from(if is_full { io::ErrorKind::StorageFull } else { io::ErrorKind::Other }))
}

fn remedy_for(cause: &io::Error) -> &'static str {
    match cause.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "free some space or choose a folder on another disk"
        }
        io::ErrorKind::FileTooLarge => {
            "raise the limit on the size of files (`ulimit -f`), or choose a folder on another disk"
        }
        io::ErrorKind::NotFound => "its folder does not exist: create it, or choose another one",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "choose an output folder that you may write to"
        }
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            "a file is in the way: choose another output folder or remove it"
        }
        io::ErrorKind::ResourceBusy => {
            "another program has it open: close that program, or choose another output folder"
        }
        // ENFILE and EMFILE, which have no kind.
        _ if cfg!(unix) && matches!(cause.raw_os_error(), Some(23 | 24)) => {
            "raise the limit on open files (`ulimit -n`), or close other programs"
        }
        _ => "check the disk and the path of the output folder",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_disks_are_reported_with_a_remedy() {
        let error = OutputError::io("write", Path::new("out/events.xml"), io::ErrorKind::StorageFull.into());
        let text = error.to_string();
        assert!(text.starts_with("cannot write out/events.xml: "), "{text}");
        assert!(text.contains("free some space"), "{text}");
        let error = OutputError::io("create", Path::new("out/a.csv"), io::Error::from_raw_os_error(24));
        assert!(!cfg!(unix) || error.to_string().contains("ulimit -n"), "{error}");
        let wrapped = ParquetError::External(Box::new(io::Error::from(io::ErrorKind::StorageFull)));
        assert!(matches!(OutputError::parquet(Path::new("a"), wrapped), OutputError::Io { .. }));
    }
}
