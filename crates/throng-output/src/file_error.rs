//! Why a file that is made from another one could not be made.

use std::io;
use std::path::Path;

use crate::OutputError;
use thiserror::Error;
use throng_core::InputError;

/// One of the two files is to blame.
#[derive(Debug, Clone, Error)]
pub enum FileError {
    /// The file that is read cannot be used.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The file that is written cannot be written; nothing of it was left.
    #[error(transparent)]
    Output(#[from] OutputError),
}

impl FileError {
    /// A failure to write `target`. Writers that know errors of the operating system only carry ours inside.
    pub fn writing(target: &Path, error: io::Error) -> Self {
        let kind = error.kind();
        match error.downcast::<OutputError>() {
            Ok(inner) => Self::Output(inner),
            Err(_) => Self::Output(OutputError::io("write", target, kind.into())),
        }
    }
}
