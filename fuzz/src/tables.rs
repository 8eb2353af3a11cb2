//! Two tables, or two logs of state hashes, with a NUL between them: each is equal to itself, and A differs from B as much
//! as B from A.

use throng_traffic::compare::{compare_hashes, compare_tables};

use super::scratch;

/// Tries one input.
pub fn check(data: &[u8]) {
    let middle = data.iter().position(|&byte| byte == 0).unwrap_or(data.len());
    let (_folder, [a, b]) = scratch::files([&data[..middle], data.get(middle + 1..).unwrap_or_default()]);
    let different = |a, b| {
        let found = compare_tables(a, b, 3).ok()?;
        assert!(!found.to_string().is_empty() && found.is_equal() == (found.different == 0));
        Some(found.different)
    };
    assert_eq!(different(&a, &b), different(&b, &a));
    if let Some(found) = different(&a, &a) {
        assert_eq!(found, 0);
    }
    let equal = |a, b| compare_hashes(a, b).ok().map(|found| found.is_equal());
    assert_eq!(equal(&a, &b), equal(&b, &a));
}
