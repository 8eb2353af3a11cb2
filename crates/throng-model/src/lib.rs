//! What a model is to the rest of Throng.

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod executor;
mod hash_log;
mod timings;

pub use executor::Executor;
pub use hash_log::HashLog;
pub use timings::Timings;
