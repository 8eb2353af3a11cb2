//! Text in charts: how wide it is, and how it stays inside.

use std::borrow::Cow;

use super::{FONT, TEXT, WIDTH, push};
use crate::html::escape;

/// The width of a text, in units of the picture. Which font a browser takes is not known here, so letters are as wide as in
/// the widest of the usual ones: texts may be narrower, but not wider.
pub(super) fn width(text: &str) -> f64 {
    FONT * text.chars().map(em).sum::<f64>()
}

/// The width of a letter in multiples of the font size.
fn em(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | '|' | '\'' => 0.3,
        ' ' | '\u{202f}' | '.' | ',' | ':' | ';' | '!' | 'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '/' | '-' => 0.42,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '—' => 1.0,
        'A'..='Z' => 0.76,
        ' '..='~' | '\u{a0}'..='\u{24f}' | '–' => 0.65,
        // Greek and Cyrillic, signs, and ideographs, which are as wide as they are high.
        '\u{370}'..='\u{5ff}' => 0.8,
        _ => 1.05,
    }
}

/// The text, with its end left out if it is wider than `room`.
pub(super) fn fitted(text: &str, room: f64) -> Cow<'_, str> {
    if width(text) <= room {
        return Cow::Borrowed(text);
    }
    let mut used = FONT * em('…');
    let kept = text.chars().take_while(|&letter| {
        used += FONT * em(letter);
        used <= room
    });
    let kept: String = kept.collect();
    Cow::Owned(kept.trim_end().to_owned() + "…")
}

/// Which part of a text is at its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// Writes a text at `x`, `y` (of its base line). A text that would leave the picture is moved, and shortened if it is wider
/// than `room`; then a pointer shows all of it.
pub(super) fn text_at(out: &mut String, [x, y]: [f64; 2], anchor: Anchor, room: f64, text: &str) {
    let shown = fitted(text, room.min(WIDTH));
    let wide = width(&shown);
    let (anchor, x) = match anchor {
        Anchor::Start => ("start", x.clamp(0.0, WIDTH - wide)),
        Anchor::Middle => ("middle", x.clamp(wide / 2.0, WIDTH - wide / 2.0)),
        Anchor::End => ("end", x.clamp(wide, WIDTH)),
    };
    let title = if shown == text { String::new() } else { format!("<title>{}</title>", escape(text)) };
    let shown = escape(&shown);
    push(
        out,
        format_args!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{TEXT}\">{title}{shown}</text>"),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_to_their_room() {
        assert_eq!(fitted("short", 100.0), "short");
        let cut = fitted("a name with very many letters", 100.0);
        assert!(cut.starts_with("a name") && cut.ends_with('…') && width(&cut) <= 100.0, "{cut}");
        assert_eq!(fitted("wide", 1.0), "…");
    }

    #[test]
    fn texts_stay_in_the_picture() {
        let mut out = String::new();
        for anchor in [Anchor::Start, Anchor::Middle, Anchor::End] {
            text_at(&mut out, [-50.0, 14.0], anchor, f64::INFINITY, "left");
            text_at(&mut out, [9e9, 14.0], anchor, f64::INFINITY, &"<wide> ".repeat(99));
        }
        super::super::tests::check_texts(&format!("<svg viewBox=\"0 0 860 20\">{out}</svg>"));
        assert_eq!(out.matches("<title>&lt;wide&gt;").count(), 3, "{out}");
    }
}
