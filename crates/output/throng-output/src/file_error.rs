//! Errors of converting one file to another.

use std::io;
use std::path::Path;

use crate::OutputError;
use thiserror::Error;
use throng_core::InputError;

/// A failure to read the input or to write the output.
#[derive(Clone, Error)]
pub enum FileError {
    /// The input file cannot be used.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The output file cannot be written; no part of it is left behind.
    #[error(transparent)]
    Output(#[from] OutputError),
}

throng_core::debug_is_message!(FileError);

impl FileError {
    /// A failure to write `target`. An [`OutputError`] inside `error` is unwrapped, because some writers can return
    /// only [`std::io::Error`].
    pub fn writing(target: &Path, error: io::Error) -> Self {
        let kind = error.kind();
        match error.downcast::<OutputError>() {
            Ok(inner) => Self::Output(inner),
            Err(_) => Self::Output(OutputError::io("write", target, kind.into())),
        }
    }
}
