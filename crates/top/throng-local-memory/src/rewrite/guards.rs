//! Compile-time checks that the macros of a rewritten source have the values with which it was planned.
//!
//! Block sizes may depend on macros from `--define`. In the rewritten source, sizes are numbers, but other uses of the
//! macros remain. The checks are at the end, so that lines keep their numbers.

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

/// Whether the source itself defines or undefines the macro.
fn is_changed(pieces: &Pieces, name: &str) -> bool {
    let directives = pieces.tokens.iter().filter(|token| token.kind == TokenKind::Directive);
    directives.map(|token| token.text(&pieces.original)[1..].trim_start()).any(|text| {
        let of_macro = text.strip_prefix("define").or_else(|| text.strip_prefix("undef"));
        let is_in_name = |c: char| c.is_alphanumeric() || c == '_';
        let after_name = of_macro.and_then(|rest| rest.trim_start().strip_prefix(name));
        after_name.is_some_and(|rest| !rest.starts_with(is_in_name))
    })
}
