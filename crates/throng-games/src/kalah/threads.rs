//! The default number of threads.

/// One thread for each core; one thread where the system does not report its cores.
pub fn all_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
