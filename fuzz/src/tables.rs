//! Two tables, or two logs of state hashes, separated by a NUL: comparison is symmetric, and a table equals itself.

use throng_matsim::compare::{compare_hashes, compare_tables};

use super::scratch;

/// Tries one input.
pub fn check(data: &[u8]) -> bool {
    let middle = data.iter().position(|&byte| byte == 0).unwrap_or(data.len());
    let (_folder, [a, b]) = scratch::files([&data[..middle], data.get(middle + 1..).unwrap_or_default()]);
    let different = |a, b| {
        let found = compare_tables(a, b, 3).ok()?;
        assert!(!found.to_string().is_empty() && found.is_equal() == (found.different == 0));
        Some(found.different)
    };
    let differ = different(&a, &b);
    assert_eq!(differ, different(&b, &a));
    if let Some(found) = different(&a, &a) {
        assert_eq!(found, 0);
    }
    let equal = |a, b| compare_hashes(a, b).ok().map(|found| found.is_equal());
    let are_equal = equal(&a, &b);
    assert_eq!(are_equal, equal(&b, &a));
    differ.is_some() || are_equal.is_some()
}
