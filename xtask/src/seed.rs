//! The seed of property tests, with which a failure can be reproduced.

use std::env;
use std::hash::{BuildHasher as _, RandomState};

/// Environment variable from which proptest takes its seed.
pub(crate) const VARIABLE: &str = "PROPTEST_RNG_SEED";

/// Returns the seed given by the environment, else a new one.
pub(crate) fn of_environment_or_random() -> Result<u64, String> {
    match env::var(VARIABLE) {
        Ok(text) if !text.is_empty() => parse(&text),
        // The only source of random numbers in the standard library: the keys of its hash maps.
        _ => Ok(RandomState::new().hash_one(())),
    }
}

fn parse(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("{VARIABLE} is \"{text}\"; give a whole number from 0 to {}", u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_whole_numbers() {
        assert_eq!(parse("2009"), Ok(2009));
        assert!(parse("-1").unwrap_err().starts_with("PROPTEST_RNG_SEED is \"-1\"; give a whole number"));
    }
}
