//! Checks that a rewritten text is compiled with the macros with which it was planned.
//!
//! Sizes of blocks may depend on macros that were given by `--define`. They are numbers in the rewritten text, and other
//! uses of the macros are not. The checks are behind the text, so that its lines keep their numbers.

use std::fmt::Write as _;

use crate::pieces::Pieces;
use crate::tokens::TokenKind;

/// Directives that reject other values of macros, as far as a preprocessor can compare them.
pub(super) fn guards(pieces: &Pieces, defines: &[String]) -> String {
    let mut out = String::new();
    for define in defines {
        let (name, value) = define.split_once('=').unwrap_or((define, "1"));
        let name = name.split('(').next().unwrap_or(name);
        if name.is_empty() || is_changed(pieces, name) {
            continue;
        }
        let is_number = value.parse::<u64>().is_ok() && (value == "0" || !value.starts_with('0'));
        let differs = if is_number { format!(" || {name} != {value}") } else { String::new() };
        let _ = writeln!(out, "#if !defined({name}){differs}");
        let _ = writeln!(out, "#error this text was planned with -D{define}");
        let _ = writeln!(out, "#endif");
    }
    if !out.is_empty() && !pieces.original.ends_with('\n') {
        out.insert(0, '\n');
    }
    out
}

/// Whether the text itself defines the macro or ends its definition.
fn is_changed(pieces: &Pieces, name: &str) -> bool {
    let directives = pieces.tokens.iter().filter(|token| token.kind == TokenKind::Directive);
    directives.map(|token| token.text(&pieces.original)[1..].trim_start()).any(|text| {
        let of_macro = text.strip_prefix("define").or_else(|| text.strip_prefix("undef"));
        of_macro.is_some_and(|rest| rest.trim_start().starts_with(name))
    })
}
