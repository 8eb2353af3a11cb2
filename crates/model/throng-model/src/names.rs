//! Names from scenario files, in messages.

use throng_core::did_you_mean;

/// Maximum length of a name in a message, in letters.
const MAX_LENGTH: usize = 100;

/// Returns text from a file on one line, with control characters escaped, so that a file cannot imitate a message.
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            line.extend(c.escape_unicode());
        } else {
            line.push(c);
        }
    }
    line
}

/// Returns a name for a message: on one line, and truncated if it is too long.
pub fn shown(name: &str) -> String {
    match name.char_indices().nth(MAX_LENGTH) {
        Some((end, _)) => format!("{}...", one_line(&name[..end])),
        None => one_line(name),
    }
}

/// Returns a list as text: `a`, `a and b`, or `a, b and c`.
pub fn enumerated(parts: &[impl AsRef<str>]) -> String {
    let mut text = String::new();
    for (i, part) in parts.iter().enumerate() {
        text.push_str(match parts.len() - i {
            _ if i == 0 => "",
            1 => " and ",
            _ => ", ",
        });
        text.push_str(part.as_ref());
    }
    text
}

/// Maximum line length of a list of names, which continues on the next line, indented like a remedy.
const LINE: usize = 100;

/// Lists the names after a text that starts the line.
fn listed(before: &str, names: &[&str]) -> String {
    let mut text = format!("{before}known:");
    let mut letters = text.chars().count();
    for (i, name) in names.iter().enumerate() {
        let name = format!("{}{}", shown(name), if i + 1 < names.len() { "," } else { "" });
        let own = 1 + name.chars().count();
        let starts_line = letters + own > LINE;
        text.push_str(if starts_line { "\n    " } else { " " });
        text.push_str(&name);
        letters = if starts_line { own } else { letters + own };
    }
    text
}

/// Maximum number of names listed in addition to the nearest one.
const LISTED: usize = 12;

/// Returns the remedy for an unknown name: the nearest known name, and all names unless one is near and they are many.
pub fn known<'a>(name: &str, all: impl Iterator<Item = &'a str>) -> String {
    let all: Vec<&str> = all.collect();
    match did_you_mean(name, all.iter().copied()) {
        Some(hint) if all.len() > LISTED => one_line(&hint),
        Some(hint) => listed(&format!("{} ", one_line(&hint)), &all),
        None => listed("", &all),
    }
}

/// Returns the first numbers of a list and the count of the others: `1, 2, 5 and 40 more`.
pub fn numbered(numbers: &[u32]) -> String {
    const SHOWN: usize = 20;
    let first: Vec<String> = numbers.iter().take(SHOWN).map(u32::to_string).collect();
    let more = numbers.len().saturating_sub(SHOWN);
    if more > 0 { format!("{} and {more} more", first.join(", ")) } else { first.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_truncated() {
        assert_eq!((numbered(&[]), numbered(&[3, 1])), (String::new(), "3, 1".to_owned()));
        let numbers: Vec<u32> = (1..=23).collect();
        assert!(numbered(&numbers).ends_with(", 19, 20 and 3 more") && !numbered(&numbers[..20]).contains("more"));
    }

    #[test]
    fn the_last_part_of_a_list_follows_an_and() {
        let parts = ["doors", "entries", "exits"];
        let found = [0, 1, 2, 3].map(|count| enumerated(&parts[..count]));
        assert_eq!(found, ["", "doors", "doors and entries", "doors, entries and exits"]);
    }

    #[test]
    fn long_lists_are_wrapped() {
        let names: Vec<String> = (0..40).map(|i| format!("parameter_{i}")).collect();
        let text = known("zzz", names.iter().map(String::as_str));
        assert!(text.starts_with("known: parameter_0, parameter_1, ") && text.ends_with(", parameter_39"), "{text}");
        assert_eq!(text.lines().count(), 6, "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= LINE + 4), "{text}");
        assert_eq!(text.replace("\n    ", " "), format!("known: {}", names.join(", ")));
        assert_eq!(known("aa", ["ab", "cd"].into_iter()), "did you mean \"ab\"? known: ab, cd");
    }
}
