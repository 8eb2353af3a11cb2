//! Errors of outputs.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::errors::ParquetError;
use rusqlite::ErrorCode;
use thiserror::Error;
use throng_core::NoThread;

/// An output cannot be written. Cheap to clone, because one cause may stop several writers.
#[derive(Debug, Clone, Error)]
pub enum OutputError {
    /// The output folder is not empty, and the caller did not allow that.
    #[error(
        "output folder {} is not empty: it holds {}\n    choose another folder, or allow it with {remedy}",
        path.display(), contents(*entries, example, run_of.as_deref())
    )]
    NotEmpty {
        /// The folder.
        path: PathBuf,
        /// The number of entries in it.
        entries: usize,
        /// The first entry by name.
        example: String,
        /// The scenario of the run that it holds, if it holds one.
        run_of: Option<String>,
        /// The flag that allows it.
        remedy: String,
    },
    /// The output folder would have to be deleted, but the program needs it.
    #[error("output folder {} is not deleted: {reason}\n    choose another output folder", path.display())]
    NotDeleted {
        /// The folder.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// A new file would replace something that must be kept.
    #[error("{}: not replaced: {reason}\n    {remedy}", path.display())]
    NotReplaced {
        /// The file that would be replaced.
        path: PathBuf,
        /// Why not.
        reason: String,
        /// What to do about it.
        remedy: String,
    },
    /// Two runs would mix their files.
    #[error("another run is writing to {}\n    wait until it ends, or choose another output folder", path.display())]
    InUse {
        /// The folder.
        path: PathBuf,
    },
    /// The operating system refused.
    #[error("cannot {action} {}: {source}\n    {}", path.display(), remedy_for(source))]
    Io {
        /// The operation, for example `write`.
        action: &'static str,
        /// File or folder.
        path: PathBuf,
        /// The answer of the operating system.
        source: Arc<io::Error>,
    },
    /// The Parquet library refused.
    #[error("cannot write {}: {source}\n    check the disk and the path of the output folder", path.display())]
    Parquet {
        /// The file.
        path: PathBuf,
        /// The answer of the library.
        source: Arc<ParquetError>,
    },
    /// SQLite refused.
    #[error("cannot write {}: {source}\n    check the disk and the path of the output folder", path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// The answer of SQLite.
        source: Arc<rusqlite::Error>,
    },
    /// A position or an orientation is not finite.
    #[error("cannot write {}: in frame {frame}, agent {agent} has {what} ({x}, {y})\n    this is a bug in the model, please report it", path.display())]
    NotFinite {
        /// The file.
        path: PathBuf,
        /// The number of the frame.
        frame: u64,
        /// The id of the agent.
        agent: u64,
        /// What is not finite: `the position` or `the orientation`.
        what: &'static str,
        /// Its first component.
        x: f64,
        /// Its second component.
        y: f64,
    },
    /// The system refuses a thread for writing.
    #[error("{0}\n    {remedy}", remedy = NoThread::REMEDY)]
    NoThread(#[from] NoThread),
    /// A thread of a pipeline panicked: a bug in Throng, reported instead of hanging.
    #[error("an output thread failed: {0}\n    this is a bug, please report it")]
    Panicked(String),
}

impl OutputError {
    /// An error of the operating system while doing `action` to `path`.
    pub fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Io { action, path: path.to_owned(), source: Arc::new(source) }
    }

    /// Whether there is no room for a file: on the disk, in the user's share of it, or below the limit for files.
    pub fn is_lack_of_room(&self) -> bool {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        matches!(self, Self::Io { source, .. } if matches!(source.kind(), StorageFull | QuotaExceeded | FileTooLarge))
    }

    /// An error of the Parquet library; errors of the operating system inside it are unwrapped.
    pub fn parquet(path: &Path, source: ParquetError) -> Self {
        match source {
            ParquetError::External(inner) => match inner.downcast::<io::Error>() {
                Ok(inner) => Self::io("write", path, *inner),
                Err(inner) => Self::Parquet { path: path.to_owned(), source: Arc::new(ParquetError::External(inner)) },
            },
            source => Self::Parquet { path: path.to_owned(), source: Arc::new(source) },
        }
    }

    /// An error of SQLite; those that the operating system has a name for get its remedy.
    pub fn sqlite(path: &Path, source: rusqlite::Error) -> Self {
        let kind = match source.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => io::ErrorKind::StorageFull,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => io::ErrorKind::ResourceBusy,
            Some(ErrorCode::PermissionDenied | ErrorCode::ReadOnly) => io::ErrorKind::PermissionDenied,
            _ => return Self::Sqlite { path: path.to_owned(), source: Arc::new(source) },
        };
        Self::io("write", path, kind.into())
    }
}

fn contents(entries: usize, example: &str, run_of: Option<&str>) -> String {
    match run_of {
        Some(scenario) => format!("a run of {scenario}"),
        None => format!("{entries} {}, for example \"{example}\"", if entries == 1 { "entry" } else { "entries" }),
    }
}

fn remedy_for(source: &io::Error) -> &'static str {
    match source.kind() {
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
        _ => "check the disk and the path of the output folder",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_named_with_its_remedy() {
        let error = OutputError::io("write", Path::new("out/events.xml"), io::ErrorKind::StorageFull.into());
        let text = error.to_string();
        assert!(text.starts_with("cannot write out/events.xml: "), "{text}");
        assert!(text.contains("free some space"), "{text}");
        let wrapped = ParquetError::External(Box::new(io::Error::from(io::ErrorKind::StorageFull)));
        assert!(matches!(OutputError::parquet(Path::new("a"), wrapped), OutputError::Io { .. }));
    }
}
