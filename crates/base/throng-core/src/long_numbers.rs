//! Abbreviation of very long numbers in messages.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Maximum number of digits that are written in full; 128-bit integers have fewer.
const MAX_DIGITS: usize = 40;
/// Number of leading characters kept when a number is cut.
const LEFT: usize = 12;

/// Abbreviates numbers of more than 40 digits in `text`: as a float with an exponent, such as `1e308`, or, outside the
/// range of `f64`, cut after the first digits. Quoted numbers are unchanged. An `f64` has up to 309 digits before the
/// decimal point and 1,074 after it.
pub(crate) fn with_short_numbers(text: &str) -> Cow<'_, str> {
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    let mut out = String::new();
    let mut rest = text;
    while let Some(begin) = rest.find(is_part) {
        let (before, from) = rest.split_at(begin);
        let (number, after) = from.split_at(from.find(|c| !is_part(c)).unwrap_or(from.len()));
        out.push_str(before);
        let digits = number.bytes().filter(u8::is_ascii_digit).count();
        match number.parse::<f64>() {
            // Digits after a quotation mark are a name.
            _ if digits <= MAX_DIGITS || out.ends_with('"') => out.push_str(number),
            // Writing to a string cannot fail.
            Ok(value) if value.is_finite() && value != 0.0 => {
                let _ = write!(out, "{value:e}");
            }
            _ => {
                let _ = write!(out, "{}... ({digits} digits)", &number[..LEFT]);
            }
        }
        rest = after;
    }
    if out.is_empty() {
        return text.into();
    }
    out.push_str(rest);
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_are_shortened() {
        for (text, expected) in [
            (format!("radius: {}", 1e308), "radius: 1e308"),
            (format!("[{}, -{}]", f64::MIN_POSITIVE, f64::MAX), "[2.2250738585072014e-308, -1.7976931348623157e308]"),
            (format!("steps={}x", "9".repeat(309)), "steps=999999999999... (309 digits)x"),
            (format!("{}..5", "7".repeat(50)), "777777777777... (51 digits)"),
            (i128::MIN.to_string(), "-170141183460469231731687303715884105728"),
            (format!("link \"{}\"", "7".repeat(60)), &format!("link \"{}\"", "7".repeat(60))),
            ("a.toml:3: 0.5 of 1e308 é".to_owned(), "a.toml:3: 0.5 of 1e308 é"),
            (String::new(), ""),
        ] {
            assert_eq!(with_short_numbers(&text), expected);
        }
    }
}
