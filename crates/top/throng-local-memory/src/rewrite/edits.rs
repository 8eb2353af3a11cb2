//! Edits of the original source, in terms of pieces after preprocessing.

use std::ops::Range;

use throng_core::{InputError, Problems};

use crate::pieces::{Origin, Pieces};
use crate::tokens::{TokenKind, is_word};

/// New text for at least one piece. Edits do not overlap.
#[derive(Debug)]
pub(super) struct Edit {
    pub pieces: Range<usize>,
    pub text: String,
}

/// Applies edits to the original source. If an edit changes part of a macro expansion, the macro is expanded in place.
pub(super) fn apply(pieces: &Pieces, mut edits: Vec<Edit>) -> Result<String, InputError> {
    edits.sort_by_key(|edit| edit.pieces.start);
    let mut problems = Problems::new();
    for edit in &edits {
        let ends = [edit.pieces.start, edit.pieces.end - 1];
        if let Some(Origin::Included(place)) =
            ends.iter().map(|piece| &pieces.all[*piece].origin).find(|origin| matches!(origin, Origin::Included(_)))
        {
            let message = "this must be rewritten, but is in an included file";
            problems.push(place.to_string(), message, "put the file's text in place of its #include");
        }
    }
    problems.into_result()?;

    let mut problems = Problems::new();
    let line_end = if pieces.original.contains("\r\n") { "\r\n" } else { "\n" };
    let mut out = String::with_capacity(pieces.original.len() + 64 * edits.len());
    let mut copied = 0;
    let mut next = edits.into_iter().peekable();
    while let Some(edit) = next.next() {
        let mut span = with_whole_macros(pieces, edit.pieces.clone());
        let mut together = vec![edit];
        while let Some(other) = next.next_if(|other| other.pieces.start < span.end) {
            span = with_whole_macros(pieces, span.start..other.pieces.end.max(span.end));
            together.push(other);
        }
        let tokens = tokens_of(pieces, &span);
        refuse(pieces, &span, &together, tokens.clone(), &mut problems);
        let bytes = pieces.tokens[tokens.start].start..pieces.tokens[tokens.end - 1].end;
        let replaced = &pieces.original[bytes.clone()];
        out.push_str(&pieces.original[copied..bytes.start]);
        let text = edited(pieces, span, &together) + &comments(pieces, tokens);
        separate(&mut out, &text);
        out.push_str(&text);
        // Keeps the following code on its line.
        let lines = |text: &str| text.matches('\n').count();
        out.extend(std::iter::repeat_n(line_end, lines(replaced).saturating_sub(lines(&text))));
        copied = bytes.end;
        separate(&mut out, &pieces.original[copied..]);
    }
    problems.into_result()?;
    out.push_str(&pieces.original[copied..]);
    Ok(out)
}

/// The comments between some tokens, to be appended to the text that replaces the tokens.
fn comments(pieces: &Pieces, tokens: Range<usize>) -> String {
    let mut out = String::new();
    for token in tokens.start..tokens.end - 1 {
        let mut gap = &pieces.original[pieces.tokens[token].end..pieces.tokens[token + 1].start];
        while let Some(at) = gap.find('/') {
            let rest = &gap[at..];
            let (comment, length) = if rest.starts_with("//") {
                let length = rest.find('\n').unwrap_or(rest.len());
                // Code may now follow on the same line.
                (format!("/*{} */", rest[2..length].trim_end().replace("*/", "* /")), length)
            } else {
                let length = rest.find("*/").map_or(rest.len(), |end| end + 2);
                (rest[..length].to_owned(), length)
            };
            out.push(' ');
            out.push_str(&comment);
            gap = &rest[length..];
        }
    }
    out
}

/// Adds a space where two words or numbers would be joined.
fn separate(out: &mut String, next: &str) {
    let is_of_word = |byte: &u8| is_word(*byte) || *byte == b'.';
    if out.as_bytes().last().is_some_and(is_of_word) && next.as_bytes().first().is_some_and(is_of_word) {
        out.push(' ');
    }
}

/// Reports code that would be lost, or would change its meaning, if these tokens are replaced.
fn refuse(pieces: &Pieces, span: &Range<usize>, edits: &[Edit], tokens: Range<usize>, problems: &mut Problems) {
    // Macro arguments may continue after a directive, where the search below would miss it.
    let arguments = arguments_of_macro(pieces, tokens.end - 1).unwrap_or(tokens.end);
    let directive =
        (tokens.start..arguments.max(tokens.end)).find(|token| pieces.tokens[*token].kind == TokenKind::Directive);
    if let Some(directive) = directive {
        let message = "this directive is inside a part that must be rewritten";
        problems.push(pieces.place_of_token(directive).to_string(), message, "put it before the statement");
    }
    let is_replaced = |piece: &usize| edits.iter().any(|edit| edit.pieces.contains(piece));
    for piece in span.clone().filter(|piece| !is_replaced(piece)) {
        let Origin::Expanded(token) = pieces.all[piece].origin else { continue };
        let text = &pieces.all[piece].text;
        if pieces.macros.contains(text) {
            let message =
                format!("`{text}` is the name of a macro, and would be replaced again where its text is written out");
            let remedy = "rename the macro, or the function or variable of the same name";
            problems.push(pieces.place_of_token(token).to_string(), message, remedy);
        }
    }
}

/// Index of the original token that a piece comes from.
fn token(pieces: &Pieces, piece: usize) -> usize {
    match pieces.all[piece].origin {
        Origin::Written(token) | Origin::Expanded(token) => token,
        Origin::Included(_) => unreachable!("edits of other files have been rejected"),
    }
}

/// Extends a range of pieces to the whole expansions of the macros at both ends.
fn with_whole_macros(pieces: &Pieces, span: Range<usize>) -> Range<usize> {
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

/// The original tokens that produced these pieces.
fn tokens_of(pieces: &Pieces, span: &Range<usize>) -> Range<usize> {
    let first = token(pieces, span.start);
    let mut last = token(pieces, span.end - 1);
    if let Origin::Expanded(_) = pieces.all[span.end - 1].origin {
        // Macro arguments have no separate pieces; they extend to the token of the next piece.
        let behind = pieces.all[span.end..].iter().find_map(|piece| match piece.origin {
            Origin::Written(token) | Origin::Expanded(token) => Some(token),
            Origin::Included(_) => None,
        });
        let behind = behind.unwrap_or(pieces.tokens.len());
        while last + 1 < behind && pieces.tokens[last + 1].kind != TokenKind::Directive {
            last += 1;
        }
    }
    first..last + 1
}

/// The end of macro arguments that continue over a directive after token `last`; `None` if there are none.
fn arguments_of_macro(pieces: &Pieces, last: usize) -> Option<usize> {
    let text = |token: usize| pieces.tokens[token].text(&pieces.original);
    pieces.tokens.get(last + 1).filter(|token| token.kind == TokenKind::Directive)?;
    // Searches backwards for parentheses that are open at the directive.
    let open = (0..=last).rev().take_while(|token| !matches!(text(*token), ";" | "{" | "}"));
    let balance: i64 = open.map(|token| i64::from(text(token) == "(") - i64::from(text(token) == ")")).sum();
    (balance > 0).then_some(last + 2)
}

/// The source of a range of pieces, with edits applied.
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
