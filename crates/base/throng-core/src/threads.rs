//! Threads, which the system may refuse: a limit on processes, a container, no memory for a stack.

use std::error::Error as _;
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle};

use rayon::{ThreadPool, ThreadPoolBuilder};
use thiserror::Error;

use crate::InputError;

/// The threads that this process can run at once: the cores that it may use, or 1 where the system does not say.
pub fn available_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The system refuses another thread.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the system gives no thread for {purpose}: {reason}")]
pub struct NoThread {
    /// The purpose of the thread.
    pub purpose: String,
    /// The message of the system.
    pub reason: String,
}

impl NoThread {
    /// What the user can do.
    pub const REMEDY: &str =
        "ask for fewer threads, end other programs, or raise the limit on processes (`ulimit -u`) or on memory";

    fn new(purpose: &str, reason: &dyn std::error::Error) -> Self {
        Self { purpose: purpose.to_owned(), reason: reason.to_string() }
    }
}

/// While a separate thread was to read an input.
impl From<NoThread> for InputError {
    fn from(error: NoThread) -> Self {
        Self::resource("threads", error.to_string(), NoThread::REMEDY)
    }
}

/// Starts a thread, where `std::thread::spawn` panics. `purpose` is its name, too.
///
/// # Errors
/// When the system gives no thread.
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

/// Starts a thread that may borrow, where `Scope::spawn` panics.
///
/// # Errors
/// When the system gives no thread.
pub fn spawn_scoped<'scope, R: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    purpose: &str,
    work: impl FnOnce() -> R + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, R>, NoThread> {
    Builder::new().name(purpose.to_owned()).spawn_scoped(scope, work).map_err(|error| NoThread::new(purpose, &error))
}

/// A pool of `threads` threads for parallel loops; with 0 one for each core.
///
/// # Errors
/// When the system gives no thread.
pub fn thread_pool(threads: usize) -> Result<ThreadPool, NoThread> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| NoThread::new("parallel loops", &error))
}

/// Starts the threads of parallel loops outside of any pool, one for each core. Without this the first such loop starts
/// them, and panics when it cannot.
///
/// # Errors
/// When the system gives no thread.
pub fn start_all_threads() -> Result<(), NoThread> {
    match ThreadPoolBuilder::new().build_global() {
        // An error without a cause means that they are already running.
        Err(error) if error.source().is_some() => Err(NoThread::new("parallel loops", &error)),
        _ => Ok(()),
    }
}
