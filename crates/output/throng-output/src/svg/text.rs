//! Text in charts: its width, and how it is kept inside the image.

use std::borrow::Cow;

use super::{FONT, TEXT, WIDTH, push};
use crate::html::escape;

/// Estimates the width of a text, in image units. The browser's font is unknown, so letters are as wide as in the
/// widest common font: a text may be narrower, but not wider.
pub(super) fn width(text: &str) -> f64 {
    FONT * text.chars().map(em).sum::<f64>()
}

/// Returns the width of a letter in multiples of the font size.
fn em(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | '|' | '\'' => 0.3,
        ' ' | '\u{202f}' | '.' | ',' | ':' | ';' | '!' | 'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '/' | '-' => 0.42,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '—' => 1.0,
        'A'..='Z' => 0.76,
        ' '..='~' | '\u{a0}'..='\u{24f}' | '–' => 0.65,
        // Greek and Cyrillic, symbols, and ideographs, which are as wide as they are high.
        '\u{370}'..='\u{5ff}' => 0.8,
        _ => 1.05,
    }
}

/// Cuts the end of the text if it is wider than `room`.
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

/// The point of a text that lies at the given position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// Draws a text with its baseline at `x`, `y`. A text that would leave the image is moved, and is shortened if it is
/// wider than `room`; the full text is then shown as a tooltip.
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
    fn long_labels_are_truncated_to_the_available_width() {
        assert_eq!(fitted("short", 100.0), "short");
        let cut = fitted("a name with very many letters", 100.0);
        assert!(cut.starts_with("a name") && cut.ends_with('…') && width(&cut) <= 100.0, "{cut}");
        assert_eq!(fitted("wide", 1.0), "…");
    }

    #[test]
    fn labels_stay_in_the_image() {
        let mut out = String::new();
        for anchor in [Anchor::Start, Anchor::Middle, Anchor::End] {
            text_at(&mut out, [-50.0, 14.0], anchor, f64::INFINITY, "left");
            text_at(&mut out, [9e9, 14.0], anchor, f64::INFINITY, &"<wide> ".repeat(99));
        }
        super::super::tests::check_texts(&format!("<svg viewBox=\"0 0 860 20\">{out}</svg>"));
        assert_eq!(out.matches("<title>&lt;wide&gt;").count(), 3, "{out}");
    }
}
