//! Readers for the values of optional flags.

use std::fmt::Display;
use std::ops::RangeBounds;
use std::str::FromStr;

use throng_core::InputError;
use throng_model::flags::Flags;
use throng_model::threads::MAX_THREADS;

/// Maximum number of runs that can be requested.
const MAX_RUNS: usize = 1000;

/// Reads a number within a range.
pub(crate) fn number<T: FromStr + PartialOrd + Display>(
    range: impl RangeBounds<T>,
) -> impl FnOnce(&Flags, &str, T) -> Result<T, InputError> {
    |flags, name, default| Ok(flags.number(name, range)?.unwrap_or(default))
}

/// Reads a list of numbers within a range.
pub(crate) fn numbers<T: FromStr + PartialOrd + Display>(
    range: impl RangeBounds<T>,
) -> impl FnOnce(&Flags, &str, Vec<T>) -> Result<Vec<T>, InputError> {
    |flags, name, default| Ok(or(flags.numbers(name, range)?, default))
}

/// The typed values, or the default if there are none.
pub(crate) fn or<T>(typed: Vec<T>, default: Vec<T>) -> Vec<T> {
    if typed.is_empty() { default } else { typed }
}

/// Reads a number of runs, at most [`MAX_RUNS`].
pub(crate) fn runs(flags: &Flags, name: &str, default: usize) -> Result<usize, InputError> {
    number(1..=MAX_RUNS)(flags, name, default)
}

/// Reads a number of threads. The default is the number of threads available to this process.
pub(crate) fn threads(flags: &Flags, name: &str, _: usize) -> Result<usize, InputError> {
    number(1..=MAX_THREADS)(flags, name, throng_core::available_threads())
}

/// Sets flags of a paper; panics if the paper does not declare one.
#[cfg(test)]
pub(crate) fn given(paper: &super::Declaration, values: &[(&str, &str)]) -> Flags {
    let mut flags = Flags::default();
    for (name, value) in values {
        assert!(paper.help.flags.iter().any(|flag| flag.name == *name), "{name}");
        flags.add(*name, *value);
    }
    flags
}

/// Asserts that each of these flags is rejected on its own, with an error that names it.
#[cfg(test)]
pub(crate) fn are_refused(paper: &super::Declaration, values: &[(&str, &str)]) {
    for &(name, value) in values {
        let request =
            throng_model::paper::ReproduceRequest { flags: given(paper, &[(name, value)]), ..Default::default() };
        let failure = (paper.plan)(&request).unwrap_err();
        assert!(failure.exit_code() == 2 && failure.to_string().starts_with(&format!("--{name}: ")), "{failure}");
    }
}
