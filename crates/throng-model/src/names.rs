//! Names of scenario files in messages.

use throng_core::did_you_mean;

/// Letters of a name that a message shows.
const LONGEST: usize = 100;

/// Text of a file on one line, with control characters escaped, so that a file cannot imitate a message.
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

/// A name for a message: on one line, truncated if it is too long.
pub fn shown(name: &str) -> String {
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", one_line(&name[..end])),
        None => one_line(name),
    }
}

/// Names that are listed beside the nearest one.
const LISTED: usize = 12;

/// The remedy for an unknown name: the nearest known one and, unless they are many, all of them.
pub fn known<'a>(name: &str, all: impl Iterator<Item = &'a str>) -> String {
    let all: Vec<&str> = all.collect();
    let names = || format!("known are {}", all.iter().map(|name| shown(name)).collect::<Vec<_>>().join(", "));
    match did_you_mean(name, all.iter().copied()) {
        Some(hint) if all.len() > LISTED => one_line(&hint),
        Some(hint) => format!("{} {}", one_line(&hint), names()),
        None => names(),
    }
}
