//! Escaping of text of unknown origin for terminals.

use std::borrow::Cow;

/// Escapes the control characters of `text`, such as `\u{1b}`, which begins terminal commands, and the characters that
/// reverse the text direction. Tabs, line feeds and letters of every script are unchanged.
///
/// ```
/// use throng_core::printable;
///
/// assert_eq!(printable("link \u{1b}[2J"), "link \\u{1b}[2J");
/// assert_eq!(printable("Zürich\n\t東京"), "Zürich\n\t東京");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    let is_command = |c: char| {
        c.is_control() && !matches!(c, '\n' | '\t') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(is_command) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_command(c) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds_of_control_characters_are_escaped() {
        // Control characters of ASCII, DEL, and those of ISO 8859, which also begin commands on some terminals.
        assert_eq!(printable("a\rb\u{7f}c\u{9b}31md"), "a\\u{d}b\\u{7f}c\\u{9b}31md");
        assert_eq!(printable("a\u{202e}b"), "a\\u{202e}b");
        assert_eq!(printable("\u{a0}é\u{200d}😀"), "\u{a0}é\u{200d}😀");
    }
}
