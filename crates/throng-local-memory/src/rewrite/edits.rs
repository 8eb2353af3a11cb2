//! Changes of a text that is known by its pieces after the preprocessor.

use std::ops::Range;

use throng_core::{InputError, Problems};

use crate::pieces::{Origin, Pieces};
use crate::tokens::Kind;

/// New text for some pieces, at least one. Edits do not overlap.
#[derive(Debug)]
pub(super) struct Edit {
    pub pieces: Range<usize>,
    pub text: String,
}

/// The original text with the edits. Where an edit changes a part of what a macro stands for, the macro is written out.
pub(super) fn apply(pieces: &Pieces, mut edits: Vec<Edit>) -> Result<String, InputError> {
    edits.sort_by_key(|edit| edit.pieces.start);
    let mut problems = Problems::new();
    for edit in &edits {
        let ends = [edit.pieces.start, edit.pieces.end - 1];
        if let Some(Origin::Included(place)) =
            ends.iter().map(|piece| &pieces.all[*piece].origin).find(|origin| matches!(origin, Origin::Included(_)))
        {
            let message = "this has to be rewritten, and is in a file that is included";
            problems.push(place.to_string(), message, "put the file's text in place of its #include");
        }
    }
    problems.into_result()?;

    let mut out = String::with_capacity(pieces.original.len() + 64 * edits.len());
    let mut copied = 0;
    let mut next = edits.into_iter().peekable();
    while let Some(edit) = next.next() {
        let mut span = whole(pieces, edit.pieces.clone());
        let mut together = vec![edit];
        while let Some(other) = next.next_if(|other| other.pieces.start < span.end) {
            span = whole(pieces, span.start..other.pieces.end.max(span.end));
            together.push(other);
        }
        let bytes = bytes_of(pieces, &span);
        let replaced = &pieces.original[bytes.clone()];
        out.push_str(&pieces.original[copied..bytes.start]);
        let text = edited(pieces, span, &together);
        out.push_str(&text);
        // What follows stays in its line.
        let lines = |text: &str| text.matches('\n').count();
        out.extend(std::iter::repeat_n('\n', lines(replaced).saturating_sub(lines(&text))));
        copied = bytes.end;
    }
    out.push_str(&pieces.original[copied..]);
    Ok(out)
}

/// The token of the original text that a piece comes from.
fn token(pieces: &Pieces, piece: usize) -> usize {
    match pieces.all[piece].origin {
        Origin::Written(token) | Origin::Expanded(token) => token,
        Origin::Included(_) => unreachable!("edits of other files have been rejected"),
    }
}

/// Some pieces with all that come from the same macros as the first and the last one.
fn whole(pieces: &Pieces, span: Range<usize>) -> Range<usize> {
    let (mut start, mut end) = (span.start, span.end);
    let origin = |piece: usize| &pieces.all[piece].origin;
    while start > 0 && origin(start - 1) == origin(span.start) {
        start -= 1;
    }
    while end < pieces.all.len() && origin(end) == origin(span.end - 1) {
        end += 1;
    }
    start..end
}

/// The bytes of the original text that have become these pieces.
fn bytes_of(pieces: &Pieces, span: &Range<usize>) -> Range<usize> {
    let first = token(pieces, span.start);
    let mut last = token(pieces, span.end - 1);
    if let Origin::Expanded(_) = pieces.all[span.end - 1].origin {
        // The arguments of a macro come to nothing themselves; the next piece is behind them.
        let behind = pieces.all[span.end..].iter().find_map(|piece| match piece.origin {
            Origin::Written(token) | Origin::Expanded(token) => Some(token),
            Origin::Included(_) => None,
        });
        let behind = behind.unwrap_or(pieces.tokens.len());
        while last + 1 < behind && pieces.tokens[last + 1].kind != Kind::Directive {
            last += 1;
        }
    }
    pieces.tokens[first].start..pieces.tokens[last].end
}

/// The pieces as a text, with edits.
fn edited(pieces: &Pieces, span: Range<usize>, edits: &[Edit]) -> String {
    let mut parts = Vec::new();
    let mut piece = span.start;
    for edit in edits {
        parts.extend(pieces.all[piece..edit.pieces.start].iter().map(|piece| piece.text.as_str()));
        parts.push(&edit.text);
        piece = edit.pieces.end;
    }
    parts.extend(pieces.all[piece..span.end].iter().map(|piece| piece.text.as_str()));
    parts.join(" ")
}
