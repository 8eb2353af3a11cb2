//! Parsing of attribute values, and their form in messages.

use std::borrow::Cow;

/// Parses a decimal number in Java's syntax: `1`, `-2.5`, `1.0E7`, `Infinity`, `NaN`, with optional surrounding
/// whitespace.
///
/// Returns `None` if the text is not a number; like Java, it rejects Rust's other names for infinity.
///
/// ```
/// use throng_matsim::formats::value::number;
/// assert_eq!(number(" 1.0E7 "), Some(1.0e7));
/// assert_eq!(number("Infinity"), Some(f64::INFINITY));
/// assert_eq!(number("inf"), None);
/// ```
#[inline]
pub fn number(text: &str) -> Option<f64> {
    let text = text.trim_ascii();
    let first = text.bytes().find(|b| !matches!(b, b'+' | b'-'))?;
    if first.is_ascii_alphabetic() {
        return match text {
            "NaN" | "+NaN" | "-NaN" => Some(f64::NAN),
            "Infinity" | "+Infinity" => Some(f64::INFINITY),
            "-Infinity" => Some(f64::NEG_INFINITY),
            _ => None,
        };
    }
    text.parse().ok()
}

/// Formats `text` for a message: quoted, and truncated if it is long.
///
/// ```
/// use throng_matsim::formats::value::quoted;
/// assert_eq!(quoted("17_b"), "\"17_b\"");
/// ```
pub fn quoted(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{:?}...", text.get(..cut).unwrap_or_default()),
        None => format!("{text:?}"),
    }
}

/// Formats `text` for a message: truncated if it is long, without quotes, for names in brackets.
pub fn shortened(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{}...", text.get(..cut).unwrap_or_default()).into(),
        None => text.into(),
    }
}

/// Maximum number of characters of a value in messages.
const SHOWN: usize = 60;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_java() {
        for (text, value) in
            [("0", 0.0), ("+1.5", 1.5), ("-1e-3", -0.001), (".5", 0.5), ("5.", 5.0), ("-Infinity", f64::NEG_INFINITY)]
        {
            assert_eq!(number(text), Some(value), "{text}");
        }
        assert!(number("NaN").is_some_and(f64::is_nan));
        for text in ["", " ", "-", "inf", "nan", "infinity", "1,5", "0x10", "1.0m", "--1", "١"] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn long_values_are_cut_between_characters() {
        assert_eq!(quoted(&"ä".repeat(100)), format!("\"{}\"...", "ä".repeat(60)));
        assert_eq!(shortened(&"ä".repeat(100)), format!("{}...", "ä".repeat(60)));
        assert_eq!(shortened("link"), "link");
    }
}
