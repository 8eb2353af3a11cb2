//! The limit on the size of files, `ulimit -f`.

/// Lets a write beyond the limit fail with an error, which names the file. Otherwise the system ends the process by a signal,
/// and incomplete files are left. Threads that are started later, and no other programs, behave in the same way.
#[cfg(unix)]
pub(crate) fn report_limit() {
    use nix::sys::signal::{SigSet, Signal};

    // A signal that is blocked ends nothing. A system that refuses to block it ends the process, as before.
    let _ = SigSet::from(Signal::SIGXFSZ).thread_block();
}

/// Other systems have no such limit.
#[cfg(not(unix))]
pub(crate) fn report_limit() {}
