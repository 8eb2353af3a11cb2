//! Reports writes beyond the limit on the size of files, `ulimit -f`.

/// Makes writes beyond the limit fail with an error that names the file. Without this, a signal ends the process
/// and leaves incomplete files. It also applies to threads started later, but not to other programs.
#[cfg(unix)]
pub(crate) fn report_limit() {
    use nix::sys::signal::{SigSet, Signal};

    // A blocked signal does not end the process. If the system refuses to block it, the signal still ends the process.
    let _ = SigSet::from(Signal::SIGXFSZ).thread_block();
}

/// Other systems have no file size limit.
#[cfg(not(unix))]
pub(crate) fn report_limit() {}
