//! "Did you mean": the nearest known name to a misspelt one.

/// The candidate nearest to `name`, if it is near enough to be what was meant.
///
/// Distance is the number of inserted, deleted or replaced letters, upper and lower case alike. The first of equally
/// near candidates wins.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = name.to_lowercase();
    let limit = (wanted.chars().count() * 2 / 5).max(2);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let distance = distance(&wanted, &candidate.to_lowercase());
        if distance <= limit && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The sentence `did you mean "x"?`, or nothing when nothing is near.
///
/// ```
/// use throng_core::did_you_mean;
///
/// let known = ["size", "cell", "origin"];
/// assert_eq!(did_you_mean("cel", known).as_deref(), Some("did you mean \"cell\"?"));
/// assert_eq!(did_you_mean("profile", known), None);
/// ```
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(name, candidates).map(|found| format!("did you mean \"{found}\"?"))
}

/// Levenshtein distance, one row of the table at a time.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, expected) in [("", "abc", 3), ("kitten", "sitting", 3), ("flow", "flow", 0), ("abc", "", 3)] {
            assert_eq!(distance(a, b), expected, "{a} {b}");
        }
    }

    #[test]
    fn only_near_names_are_proposed() {
        let known = ["flowCapacityFactor", "storageCapacityFactor", "stuckTime", "endTime"];
        assert_eq!(nearest("flowcapacityfactor", known), Some("flowCapacityFactor"));
        assert_eq!(nearest("flowCapFactor", known), Some("flowCapacityFactor"));
        assert_eq!(nearest("stukTime", known), Some("stuckTime"));
        assert_eq!(nearest("zzz", known), None);
    }
}
