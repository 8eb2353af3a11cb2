//! How many cases tests try: few, or all.

use std::env;

use crate::skip::does_more_with_all;

/// The environment variable with which tests try all that they know; `cargo xtask test --rest` and `--all` set it.
pub const ALL: &str = "THRONG_TEST_ALL";
/// The environment variable with which proptest overrides numbers of random cases.
const PROPTEST_CASES: &str = "PROPTEST_CASES";
/// The factor on random cases where tests try all.
const TIMES: u32 = 8;

/// How many random cases a property is tried with: `quick` of them, eight times as many where tests [try all](ALL), or as
/// many as `PROPTEST_CASES` says.
pub fn cases(quick: u32) -> u32 {
    overridden(env::var(PROPTEST_CASES).ok().as_deref()).unwrap_or_else(|| amount(quick, TIMES * quick))
}

/// How much a test tries, such as ticks or sizes: `quick`, or `all` where tests [try all](ALL).
pub fn amount(quick: u32, all: u32) -> u32 {
    if tries_all() {
        return all;
    }
    does_more_with_all("most random cases, long runs and large sizes are left to `cargo xtask test --rest`");
    quick
}

/// Whether tests try all that they know. A test that does less without is a [skip](fn@crate::skip) for want of
/// [`Needs::All`](crate::Needs::All), as with [`cases`] and [`amount`].
pub fn tries_all() -> bool {
    env::var_os(ALL).is_some_and(|value| !value.is_empty())
}

fn overridden(said: Option<&str>) -> Option<u32> {
    said.and_then(|said| said.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_cases_are_overridden_by_numbers_only() {
        assert_eq!([Some("7"), Some(""), Some("many"), None].map(overridden), [Some(7), None, None, None]);
    }

    #[test]
    fn all_is_more() {
        let times = if tries_all() { 8 } else { 1 };
        assert_eq!(amount(3, 24), 3 * times);
    }
}
