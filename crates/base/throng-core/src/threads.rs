//! Starting of threads, which the system may refuse: process limit, container, no memory for a stack.

use std::error::Error as _;
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle};

use rayon::{ThreadPool, ThreadPoolBuilder};
use thiserror::Error;

use crate::InputError;

/// Number of threads that this process can run at once: the available cores, or 1 if the system does not report them.
pub fn available_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The system refused to start a thread.
#[derive(Clone, PartialEq, Eq, Error)]
#[error("the system refused a thread for {purpose}: {reason}")]
pub struct NoThread {
    /// Purpose of the thread, for the message.
    pub purpose: String,
    /// The error message of the system.
    pub reason: String,
}

crate::debug_is_message!(NoThread);

impl NoThread {
    /// Remedy for the user.
    pub const REMEDY: &str =
        "ask for fewer threads, end other programs, or raise the limit on processes (`ulimit -u`) or on memory";

    fn new(purpose: &str, reason: &dyn std::error::Error) -> Self {
        Self { purpose: purpose.to_owned(), reason: reason.to_string() }
    }
}

/// For threads that read inputs.
impl From<NoThread> for InputError {
    fn from(error: NoThread) -> Self {
        Self::resource("threads", error.to_string(), NoThread::REMEDY)
    }
}

/// Starts a thread and returns an error where `std::thread::spawn` would panic. `purpose` is also the thread's name.
///
/// # Errors
/// If the system refuses the thread.
///
/// ```
/// let thread = throng_core::spawn("sums", || (1..=10).sum::<u32>())?;
/// assert_eq!(thread.join().unwrap(), 55);
/// # Ok::<(), throng_core::NoThread>(())
/// ```
pub fn spawn<R: Send + 'static>(
    purpose: &str,
    work: impl FnOnce() -> R + Send + 'static,
) -> Result<JoinHandle<R>, NoThread> {
    Builder::new().name(purpose.to_owned()).spawn(work).map_err(|error| NoThread::new(purpose, &error))
}

/// Starts a scoped thread and returns an error where `Scope::spawn` would panic.
///
/// # Errors
/// If the system refuses the thread.
pub fn spawn_scoped<'scope, R: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    purpose: &str,
    work: impl FnOnce() -> R + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, R>, NoThread> {
    Builder::new().name(purpose.to_owned()).spawn_scoped(scope, work).map_err(|error| NoThread::new(purpose, &error))
}

/// Creates a pool of `threads` threads for parallel loops; 0 means one per core.
///
/// # Errors
/// If the system refuses a thread.
pub fn thread_pool(threads: usize) -> Result<ThreadPool, NoThread> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| NoThread::new("parallel loops", &error))
}

/// Starts the global thread pool for parallel loops, one thread per core. Without this call the first parallel loop
/// starts it, and panics if that fails.
///
/// # Errors
/// If the system refuses a thread.
pub fn start_all_threads() -> Result<(), NoThread> {
    match ThreadPoolBuilder::new().build_global() {
        // An error without a source means that the pool is already running.
        Err(error) if error.source().is_some() => Err(NoThread::new("parallel loops", &error)),
        _ => Ok(()),
    }
}
