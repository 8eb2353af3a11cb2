//! The analysed tokens, each with its origin in the original file.
//!
//! After macro expansion, a token comes from the original file, from the expansion of a macro, or from an included
//! file. The rewriter only changes tokens of the original file.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::Source;
use crate::place::{Lines, Place};
use crate::tokens::{Token, TokenKind, tokens};

/// The origin of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The token with this index in the original file.
    Written(usize),
    /// Part of the expansion of a macro, whose name is the token with this index.
    Expanded(usize),
    /// A token of an included file, at this place.
    Included(Place),
}

/// A token in the preprocessor's output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    pub text: String,
    pub kind: TokenKind,
    pub origin: Origin,
}

/// The tokens of the original file, and the pieces in the preprocessor's output.
#[derive(Debug, Clone)]
pub(crate) struct Pieces {
    pub file: String,
    pub original: String,
    pub tokens: Vec<Token>,
    pub all: Vec<Piece>,
    /// Names of all macros that are defined anywhere in the input.
    pub macros: BTreeSet<String>,
    lines: Lines,
}

impl Pieces {
    /// Creates the tokens and pieces of a source; directives are tokens but not pieces.
    pub fn of(source: &Source) -> Self {
        let original = source.text().to_owned();
        let tokens = tokens(&original);
        let is_code = |token: &Token| !matches!(token.kind, TokenKind::Directive | TokenKind::OpenComment);
        let code = tokens.iter().enumerate().filter(|(_, token)| is_code(token));
        let all = code
            .map(|(number, token)| Piece {
                text: token.text(&original).to_owned(),
                kind: token.kind,
                origin: Origin::Written(number),
            })
            .collect();
        let (file, lines) = (source.name().to_owned(), Lines::of(&original));
        Self { file, original, tokens, all, macros: BTreeSet::new(), lines }
    }

    /// The place of a token in the original file.
    pub fn place_of_token(&self, number: usize) -> Place {
        self.place_of_byte(self.tokens[number].start)
    }

    /// The line of a token in the original file.
    pub fn line_of_token(&self, number: usize) -> usize {
        self.lines.line(self.tokens[number].start)
    }

    pub fn place_of_byte(&self, at: usize) -> Place {
        self.lines.place(&self.file, at)
    }

    /// The place of a piece. For a macro, the place where its name is used.
    pub fn place(&self, piece: usize) -> Place {
        match self.all.get(piece).map(|piece| &piece.origin) {
            Some(Origin::Written(number) | Origin::Expanded(number)) => self.place_of_token(*number),
            Some(Origin::Included(place)) => place.clone(),
            None => self.place_of_byte(self.original.trim_end().len()),
        }
    }

    /// The source of some pieces, shortened to 60 characters for messages.
    pub fn excerpt(&self, pieces: Range<usize>) -> String {
        const MAX_LENGTH: usize = 60;
        let mut text = String::new();
        for piece in &self.all[pieces] {
            let needs_space = |text: &str| text.ends_with(is_of_word) && piece.text.starts_with(is_of_word);
            if needs_space(&text) || text.ends_with([',', ';']) {
                text.push(' ');
            }
            text.push_str(&piece.text);
            if text.chars().count() > MAX_LENGTH {
                return text.chars().take(MAX_LENGTH).chain("...".chars()).collect();
            }
        }
        text
    }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
