//! Normalizes OpenCL C to C, for the parser.
//!
//! Address space qualifiers become `volatile`, which is allowed in the same positions, types become `int`, and
//! attributes are removed. Pieces keep their indices, which map each node of the syntax tree to the original source.

use std::collections::{BTreeMap, BTreeSet};

use crate::builtin_types::is_builtin;
use crate::pieces::{Origin, Pieces};

/// The source for the parser, and the start of each piece in it.
#[derive(Debug, Clone)]
pub(crate) struct Normal {
    pub text: String,
    starts: Vec<usize>,
}

impl Normal {
    /// Writes pieces as C. `types` are the type names that the file defines.
    pub fn of(pieces: &Pieces, types: &BTreeSet<String>) -> Self {
        let mut text = String::with_capacity(pieces.original.len());
        let mut starts = Vec::with_capacity(pieces.all.len());
        let switches = switches_without_blocks(pieces);
        let mut attribute = Attribute::None;
        let mut last_token = None;
        for (number, piece) in pieces.all.iter().enumerate() {
            let word = match switches.get(&number) {
                _ if attribute.takes(&piece.text) => "",
                Some(word) => word,
                None => as_c(pieces, number, types),
            };
            if !word.is_empty() && !text.is_empty() {
                // Keeps line breaks where possible; the parser only needs separated tokens.
                let token = match &piece.origin {
                    Origin::Written(token) | Origin::Expanded(token) => Some(*token),
                    Origin::Included(_) => None,
                };
                let line = |token: Option<usize>| token.map(|token| pieces.line_of_token(token));
                text.push(if line(token) == line(last_token) { ' ' } else { '\n' });
                last_token = token;
            }
            starts.push(text.len());
            text.push_str(word);
        }
        Self { text, starts }
    }

    /// The index of the piece at a byte of the normalized source.
    pub fn piece(&self, at: usize) -> usize {
        // Empty pieces start where the next one does; the last piece with that start is not empty.
        self.starts.partition_point(|start| *start <= at).saturating_sub(1)
    }
}

/// Whether the next pieces are part of an attribute.
enum Attribute {
    None,
    Started,
    Inside(usize),
}

impl Attribute {
    /// Whether a piece is part of an attribute, given the previous ones.
    fn takes(&mut self, text: &str) -> bool {
        let after = match (&self, text) {
            (Self::None, "__attribute__" | "__attribute") => Self::Started,
            (Self::Started, "(") => Self::Inside(1),
            (Self::Inside(depth), "(") => Self::Inside(depth + 1),
            (Self::Inside(1), ")") => {
                *self = Self::None;
                return true;
            }
            (Self::Inside(depth), ")") => Self::Inside(depth - 1),
            (Self::Inside(depth), _) => Self::Inside(*depth),
            _ => Self::None,
        };
        *self = after;
        !matches!(self, Self::None)
    }
}

/// Replacements that turn `switch (a) case 1: b;`, which the parser does not support, into `while (a) while( 1 ) b;`.
/// The original pieces distinguish these from real loops.
fn switches_without_blocks(pieces: &Pieces) -> BTreeMap<usize, &'static str> {
    let mut words = BTreeMap::new();
    let text = |piece: usize| pieces.all.get(piece).map_or("", |piece| piece.text.as_str());
    let mut open = Vec::new();
    for number in 0..pieces.all.len() {
        match text(number) {
            "(" => open.push(number),
            ")" => {
                let before = open.pop().and_then(|open: usize| open.checked_sub(1));
                let Some(switch) = before.filter(|before| text(*before) == "switch") else { continue };
                let mut label = number + 1;
                while let Some(colon) = end_of_label(label, &text) {
                    words.insert(switch, "while");
                    words.insert(label, if text(label) == "case" { "while(" } else { "while(0" });
                    words.insert(colon, ")");
                    label = colon + 1;
                }
            }
            _ => {}
        }
    }
    words
}

/// Index of the colon of a `case` or `default`.
fn end_of_label<'t>(label: usize, text: &impl Fn(usize) -> &'t str) -> Option<usize> {
    if !matches!(text(label), "case" | "default") {
        return None;
    }
    let mut choices = 0;
    for piece in label + 1.. {
        match text(piece) {
            "?" => choices += 1,
            ":" if choices == 0 => return Some(piece),
            ":" => choices -= 1,
            "" | ";" | "{" | "}" | "case" | "default" | "switch" => return None,
            _ => {}
        }
    }
    None
}

fn as_c<'a>(pieces: &'a Pieces, number: usize, types: &BTreeSet<String>) -> &'a str {
    let text = pieces.all[number].text.as_str();
    let around = |offset: isize| {
        number
            .checked_add_signed(offset)
            .and_then(|other| pieces.all.get(other))
            .map_or("", |piece| piece.text.as_str())
    };
    match text {
        "__kernel" | "kernel" => "static",
        "__global" | "global" | "__local" | "local" | "__constant" | "constant" | "__private" | "private"
        | "__generic" | "generic" => "volatile",
        "__read_only" | "read_only" | "__write_only" | "write_only" | "__read_write" | "read_write" | "__restrict" => {
            "const"
        }
        "__extension__" => "",
        _ if matches!(around(-1), "." | "->") => text,
        _ if is_builtin(text) => "int",
        // `(name)(a, b)` is a call in C unless the name is a type.
        _ if types.contains(text) && around(-1) == "(" && matches!(around(1), ")" | "*") => "int",
        // `sizeof(name[2])` refers to an element of a variable unless the name is a type.
        _ if types.contains(text) && around(-1) == "(" && around(-2) == "sizeof" => "int",
        _ => text,
    }
}

/// Whether a piece marks a function as a kernel.
pub(crate) fn is_kernel_word(text: &str) -> bool {
    matches!(text, "kernel" | "__kernel")
}

/// Whether a piece is a qualifier for constants.
pub(crate) fn is_constant_word(text: &str) -> bool {
    matches!(text, "const" | "constant" | "__constant")
}

/// Whether a piece is a qualifier for memory that the work-items of a group share.
pub(crate) fn is_shared_word(text: &str) -> bool {
    is_local_word(text) || matches!(text, "global" | "__global" | "constant" | "__constant")
}

/// Whether a piece is a qualifier for local memory.
pub(crate) fn is_local_word(text: &str) -> bool {
    matches!(text, "local" | "__local")
}
