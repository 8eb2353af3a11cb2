//! Identity of the running program, for caches that another build of it must not use.

use std::time::UNIX_EPOCH;

/// Returns a short name of this build: size and modification time of its file. `None` if the system does not report
/// them.
pub fn program_id() -> Option<String> {
    let file = std::env::current_exe().and_then(std::fs::metadata).ok()?;
    let modified = file.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(format!("{:x}-{:x}", file.len(), modified.as_nanos()))
}
