//! Flags that all papers have.

use throng_core::InputError;
use throng_model::{Flag, Flags, MOST_THREADS};

/// The largest number of runs that can be requested.
const MOST_RUNS: usize = 1000;

pub(crate) const fn repeat(help: &'static str) -> Flag {
    Flag::new("repeat", "N", help)
}

pub(crate) const fn threads(help: &'static str) -> Flag {
    Flag::new("threads", "N", help)
}

/// The value of [`repeat`].
pub(crate) fn repeat_of(flags: &Flags, default: usize) -> Result<usize, InputError> {
    Ok(flags.number("repeat", 1..=MOST_RUNS)?.unwrap_or(default))
}

/// The value of [`threads`]; by default, the number of threads that this process may use.
pub(crate) fn threads_of(flags: &Flags) -> Result<usize, InputError> {
    Ok(flags.number("threads", 1..=MOST_THREADS)?.unwrap_or_else(throng_core::available_threads))
}

/// Flags with these values, all of which must be declared.
#[cfg(test)]
pub(crate) fn given(declared: &[Flag], values: &[(&str, &str)]) -> Flags {
    let mut flags = Flags::default();
    for (name, value) in values {
        assert!(declared.iter().any(|flag| flag.name == *name), "{name}");
        flags.add(*name, *value);
    }
    flags
}
