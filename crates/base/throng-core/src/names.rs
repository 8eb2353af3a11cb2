//! Nouns in messages: counted ones, and "did you mean" the nearest known name to a misspelt one.

/// Returns a number with its noun, whose plural ends with `s`.
///
/// ```
/// use throng_core::counted;
///
/// assert_eq!([counted(1, "link"), counted(2, "link")], ["1 link", "2 links"]);
/// ```
pub fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Returns the candidate nearest to `name`, if it is near enough to be the intended one.
///
/// The distance is the number of letters inserted, deleted, replaced or swapped with the next letter, ignoring case. It
/// may be at most 1 for names of up to five letters, and two fifths of the length for longer names. Ties go to the
/// first candidate.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = name.to_lowercase();
    let letters = wanted.chars().count();
    let limit = if letters <= 5 { 1 } else { letters * 2 / 5 };
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let distance = distance(&wanted, &candidate.to_lowercase());
        if distance <= limit && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Returns the question `did you mean "x"?`, or `None` if no candidate is near.
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

/// Damerau-Levenshtein distance (optimal string alignment), one row of the table at a time.
fn distance(a: &str, b: &str) -> usize {
    let [a, b]: [Vec<char>; 2] = [a, b].map(|text| text.chars().collect());
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, to) in b.iter().enumerate() {
            let replaced = last[j] + usize::from(from != to);
            let mut least = replaced.min(row[j] + 1).min(last[j + 1] + 1);
            if i > 0 && j > 0 && *from == b[j - 1] && a[i - 1] == *to {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_match_known_values() {
        for (a, b, expected) in [("", "abc", 3), ("kitten", "sitting", 3), ("flow", "flow", 0), ("ctiy", "city", 1)] {
            assert_eq!(distance(a, b), expected, "{a} {b}");
        }
    }

    #[test]
    fn only_similar_names_are_suggested() {
        let known = ["flowCapacityFactor", "storageCapacityFactor", "stuckTime", "endTime"];
        assert_eq!(nearest("flowcapacityfactor", known), Some("flowCapacityFactor"));
        assert_eq!(nearest("flowCapFactor", known), Some("flowCapacityFactor"));
        assert_eq!(nearest("stukTime", known), Some("stuckTime"));
        assert_eq!(nearest("zzz", known), None);
        for (short, other) in [("abc", "src"), ("city", "cats")] {
            assert_eq!(nearest(short, [other]), None, "{short}");
        }
    }
}
