//! Identity of the running program, for caches that another build of it must not use.

use std::fs::File;
use std::sync::OnceLock;

use crate::checksum;

/// Returns a short name of this build: size and checksum of its file. `None` if the file cannot be read. The first call
/// reads the file, which takes some milliseconds.
pub fn program_id() -> Option<&'static str> {
    static ID: OnceLock<Option<String>> = OnceLock::new();
    let id = || {
        let (bytes, sum) = std::env::current_exe().and_then(File::open).and_then(checksum::of_reader).ok()?;
        Some(format!("{bytes:x}-{sum:016x}"))
    };
    ID.get_or_init(id).as_deref()
}
