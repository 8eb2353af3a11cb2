//! Values of flags that may be left out.

use std::fmt::Display;
use std::ops::RangeBounds;
use std::str::FromStr;

use throng_core::InputError;
use throng_model::{Flags, MAX_THREADS};

/// The largest number of runs that can be requested.
const MAX_RUNS: usize = 1000;

/// Reads a number in a range.
pub(crate) fn number<T: FromStr + PartialOrd + Display>(
    range: impl RangeBounds<T>,
) -> impl FnOnce(&Flags, &str, T) -> Result<T, InputError> {
    |flags, name, default| Ok(flags.number(name, range)?.unwrap_or(default))
}

/// Reads a list of numbers in a range.
pub(crate) fn numbers<T: FromStr + PartialOrd + Display>(
    range: impl RangeBounds<T>,
) -> impl FnOnce(&Flags, &str, Vec<T>) -> Result<Vec<T>, InputError> {
    |flags, name, default| Ok(or(flags.numbers(name, range)?, default))
}

/// What was typed, or the default if that is nothing.
pub(crate) fn or<T>(typed: Vec<T>, default: Vec<T>) -> Vec<T> {
    if typed.is_empty() { default } else { typed }
}

/// Reads a number of runs.
pub(crate) fn runs(flags: &Flags, name: &str, default: usize) -> Result<usize, InputError> {
    number(1..=MAX_RUNS)(flags, name, default)
}

/// Reads a number of threads; by default, that of the threads that this process may use.
pub(crate) fn threads(flags: &Flags, name: &str, _: usize) -> Result<usize, InputError> {
    number(1..=MAX_THREADS)(flags, name, throng_core::available_threads())
}

/// The flags of a paper with these values.
#[cfg(test)]
pub(crate) fn given(paper: &super::Declaration, values: &[(&str, &str)]) -> Flags {
    let mut flags = Flags::default();
    for (name, value) in values {
        assert!(paper.help.flags.iter().any(|flag| flag.name == *name), "{name}");
        flags.add(*name, *value);
    }
    flags
}

/// Each of these flags is refused by itself, with its name.
#[cfg(test)]
pub(crate) fn are_refused(paper: &super::Declaration, values: &[(&str, &str)]) {
    for &(name, value) in values {
        let request = throng_model::ReproduceRequest { flags: given(paper, &[(name, value)]), ..Default::default() };
        let failure = (paper.plan)(&request).unwrap_err();
        assert!(failure.exit_code() == 2 && failure.to_string().starts_with(&format!("--{name}: ")), "{failure}");
    }
}
