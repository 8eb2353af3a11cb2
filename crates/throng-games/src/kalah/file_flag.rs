//! Flags that name a file.

use std::path::PathBuf;

use throng_core::InputError;
use throng_model::Flags;

/// The file that a flag names, if the flag is given.
///
/// # Errors
/// An empty name. A shell passes one for an unset variable, and the system's own message does not mention the flag.
pub fn file_flag(flags: &Flags, name: &str) -> Result<Option<PathBuf>, InputError> {
    match flags.get(name) {
        Some("") => Err(InputError::one(format!("--{name}"), "is empty", "name a file, or leave the flag out")),
        file => Ok(file.map(PathBuf::from)),
    }
}
