//! Flags that all papers have, and values of flags that may be left out.

use std::fmt::Display;
use std::ops::RangeBounds;
use std::str::FromStr;

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

/// The value of a flag.
pub(crate) fn number<T: FromStr + PartialOrd + Display>(
    flags: &Flags,
    name: &str,
    range: impl RangeBounds<T>,
    default: T,
) -> Result<T, InputError> {
    Ok(flags.number(name, range)?.unwrap_or(default))
}

/// The values of a flag.
pub(crate) fn numbers<T: FromStr + PartialOrd + Display>(
    flags: &Flags,
    name: &str,
    range: impl RangeBounds<T>,
    default: Vec<T>,
) -> Result<Vec<T>, InputError> {
    Ok(or(flags.numbers(name, range)?, default))
}

/// What was typed, or the default if that is nothing.
pub(crate) fn or<T>(typed: Vec<T>, default: Vec<T>) -> Vec<T> {
    if typed.is_empty() { default } else { typed }
}

/// The value of [`repeat`].
pub(crate) fn repeat_of(flags: &Flags, default: usize) -> Result<usize, InputError> {
    number(flags, "repeat", 1..=MOST_RUNS, default)
}

/// The value of [`threads`]; by default, the number of threads that this process may use.
pub(crate) fn threads_of(flags: &Flags) -> Result<usize, InputError> {
    number(flags, "threads", 1..=MOST_THREADS, throng_core::available_threads())
}

/// The experiment of a request with these flags, all of which must be declared.
#[cfg(test)]
pub(crate) fn given(declared: &[Flag], values: &[(&str, &str)]) -> Flags {
    let mut flags = Flags::default();
    for (name, value) in values {
        assert!(declared.iter().any(|flag| flag.name == *name), "{name}");
        flags.add(*name, *value);
    }
    flags
}

/// Each of these flags is refused by itself, with its name.
#[cfg(test)]
pub(crate) fn are_refused(paper: &super::Declaration, values: &[(&str, &str)]) {
    for &(name, value) in values {
        let flags = given(paper.help.flags, &[(name, value)]);
        let request = throng_model::ReproduceRequest { flags, ..Default::default() };
        let failure = (paper.plan)(&request).unwrap_err();
        assert!(failure.exit_code() == 2 && failure.to_string().starts_with(&format!("--{name}: ")), "{failure}");
    }
}
