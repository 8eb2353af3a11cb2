//! Why a file could not be made from another one.

use std::io;
use std::path::Path;

use crate::OutputError;
use thiserror::Error;
use throng_core::InputError;

/// A failure of one of the two files.
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
    /// A failure to write `target`. Writers that can return only [`std::io::Error`] carry our error inside.
    pub fn writing(target: &Path, error: io::Error) -> Self {
        let kind = error.kind();
        match error.downcast::<OutputError>() {
            Ok(inner) => Self::Output(inner),
            Err(_) => Self::Output(OutputError::io("write", target, kind.into())),
        }
    }
}
