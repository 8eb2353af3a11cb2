//! Number of cases in tests: a few, or all.

use std::env;

use crate::skip::record_partial_run;

/// Environment variable that makes tests try all cases; `cargo xtask test --rest` and `--all` set it.
pub const ALL: &str = "THRONG_TEST_ALL";
/// Environment variable with which proptest overrides the number of random cases.
const PROPTEST_CASES: &str = "PROPTEST_CASES";
/// Factor for the number of random cases if tests try all cases.
const TIMES: u32 = 4;

/// Number of random cases for a property: `quick`, or four times as many if tests [try all](ALL); `PROPTEST_CASES`
/// overrides both.
pub fn cases(quick: u32) -> u32 {
    overridden(env::var(PROPTEST_CASES).ok().as_deref()).unwrap_or_else(|| amount(quick, TIMES * quick))
}

/// Amount of work in a test, such as ticks or sizes: `quick`, or `all` if tests [try all](ALL).
pub fn amount(quick: u32, all: u32) -> u32 {
    if tries_all() {
        return all;
    }
    record_partial_run("most random cases, long runs and large sizes are left to `cargo xtask test --rest`");
    quick
}

/// Whether tests try all cases. A test that does less in a quick run records a [skip](fn@crate::skip) for
/// [`Needs::All`](crate::Needs::All), as [`cases`] and [`amount`] do.
pub fn tries_all() -> bool {
    env::var_os(ALL).is_some_and(|value| !value.is_empty())
}

fn overridden(text: Option<&str>) -> Option<u32> {
    text.and_then(|text| text.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_counts_are_overridden_only_by_numbers() {
        assert_eq!([Some("7"), Some(""), Some("many"), None].map(overridden), [Some(7), None, None, None]);
    }

    #[test]
    fn full_runs_have_eight_times_as_many_cases() {
        let times = if tries_all() { 8 } else { 1 };
        assert_eq!(amount(3, 24), 3 * times);
    }
}
