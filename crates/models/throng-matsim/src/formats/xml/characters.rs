//! The characters that XML allows, and its treatment of line ends.

use memchr::memchr_iter;

/// Whether an XML 1.0 document may contain `character`, directly or as a reference.
pub(in crate::formats) fn is_allowed(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' => true,
        '\0'..' ' | '\u{fffe}' | '\u{ffff}' => false,
        _ => true,
    }
}

fn is_control(byte: u8) -> bool {
    byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r')
}

/// Whether `block`, a part of a UTF-8 text with arbitrary ends, may contain characters that are not
/// [allowed](is_allowed).
pub(super) fn may_be_illegal(block: &[u8]) -> bool {
    // Without an early exit, the compiler vectorises this loop. U+FFFE and U+FFFF begin with EF.
    block.iter().fold(false, |any, &byte| any | is_control(byte) || byte == 0xef)
}

/// Returns the position of the first character that is not [allowed](is_allowed); `text` is UTF-8.
pub(super) fn first_illegal(text: &[u8]) -> Option<usize> {
    let control = text.iter().position(|&byte| is_control(byte));
    // U+FFFE and U+FFFF are EF BF BE and EF BF BF.
    let starts = memchr_iter(0xef, text);
    let other = starts.into_iter().find(|&at| matches!(text.get(at + 1..at + 3), Some([0xbf, 0xbe | 0xbf])));
    match (control, other) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// Appends element text; any line end becomes a line feed, as XML requires.
pub(super) fn push_text(out: &mut String, text: &str) {
    if !text.contains('\r') {
        out.push_str(text);
        return;
    }
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '\r' => {
                rest.next_if_eq(&'\n');
                out.push('\n');
            }
            other => out.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn illegal_characters_are_found() {
        for (text, at) in [
            ("a\u{1}b", Some(1)),
            ("\t\r\n ~\u{7f}\u{85}\u{fffd}\u{10ffff}", None),
            ("ab\u{ffff}\u{0}", Some(2)),
            ("\u{feff}\u{fffe}", Some(3)),
            ("", None),
        ] {
            assert_eq!(first_illegal(text.as_bytes()), at, "{text:?}");
            assert_eq!(text.chars().all(is_allowed), at.is_none(), "{text:?}");
        }
    }

    #[test]
    fn line_ends_are_unified() {
        let mut out = String::new();
        push_text(&mut out, "a\r\nb\rc\n\r\r\nd");
        assert_eq!(out, "a\nb\nc\n\n\nd");
    }
}
