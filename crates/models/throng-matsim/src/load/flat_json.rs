//! Parser for the JSON of person attributes and of rides: one object whose values are strings, such as
//! `{"car":"1","bike":"1_bike"}`. As in MATSim, a number, `true` or `false` counts as the string of its characters. A
//! value `null` counts as absent.

/// Calls `visit` with each key and value. Returns false if the text is anything but an object of such values.
/// `scratch` holds buffers that calls reuse.
pub(super) fn each(text: &str, scratch: &mut [String; 2], mut visit: impl FnMut(&str, &str)) -> bool {
    let mut rest = text.trim_ascii();
    if rest.is_empty() || !eat(&mut rest, '{') {
        return false;
    }
    if eat(&mut rest, '}') {
        return rest.is_empty();
    }
    let [key, value] = scratch;
    loop {
        if !string(&mut rest, key) || !eat(&mut rest, ':') {
            return false;
        }
        if let Some(after) = rest.strip_prefix("null") {
            rest = after;
        } else if string(&mut rest, value) || scalar(&mut rest, value) {
            visit(key, value);
        } else {
            return false;
        }
        if eat(&mut rest, '}') {
            return rest.is_empty();
        }
        if !eat(&mut rest, ',') {
            return false;
        }
    }
}

/// Removes surrounding spaces and `expected` from the front; false if it is not there.
pub(super) fn eat(rest: &mut &str, expected: char) -> bool {
    let Some(after) = rest.trim_ascii_start().strip_prefix(expected) else { return false };
    *rest = after.trim_ascii();
    true
}

/// Reads a string from the front of `rest` into `out`; false if there is none.
pub(super) fn string(rest: &mut &str, out: &mut String) -> bool {
    out.clear();
    let Some(inner) = rest.strip_prefix('"') else { return false };
    let mut chars = inner.chars();
    loop {
        match chars.next() {
            None => return false,
            Some('"') => break,
            Some('\\') => match escape(&mut chars) {
                Some(c) => out.push(c),
                None => return false,
            },
            Some(c) => out.push(c),
        }
    }
    *rest = chars.as_str();
    true
}

/// Reads a number, `true` or `false` from the front of `rest` into `out`; false if there is none.
fn scalar(rest: &mut &str, out: &mut String) -> bool {
    out.clear();
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c)).unwrap_or(rest.len());
    let (text, after) = rest.split_at(end);
    if !matches!(text, "true" | "false") && !is_number(text) {
        return false;
    }
    out.push_str(text);
    *rest = after;
    true
}

/// Whether a text is a number of JSON.
fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let text = text.strip_prefix('-').unwrap_or(text);
    let (text, exponent) = text.split_once(['e', 'E']).map_or((text, None), |(text, exponent)| (text, Some(exponent)));
    let (whole, fraction) = text.split_once('.').map_or((text, None), |(whole, fraction)| (whole, Some(fraction)));
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|exponent| digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)))
}

fn escape(chars: &mut std::str::Chars<'_>) -> Option<char> {
    Some(match chars.next()? {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'u' => {
            let high = unit(chars)?;
            if (0xd800..0xdc00).contains(&high) {
                // Characters beyond 16 bits are written as two escapes.
                let low = (chars.next()? == '\\' && chars.next()? == 'u').then(|| unit(chars))??;
                return char::decode_utf16([high, low]).next()?.ok();
            }
            char::from_u32(u32::from(high))?
        }
        c @ ('"' | '\\' | '/') => c,
        _ => return None,
    })
}

fn unit(chars: &mut std::str::Chars<'_>) -> Option<u16> {
    let mut value = 0;
    for _ in 0..4 {
        value = value << 4 | chars.next()?.to_digit(16)? as u16;
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Option<Vec<(String, String)>> {
        let mut found = Vec::new();
        each(text, &mut <[String; 2]>::default(), |k, v| found.push((k.to_owned(), v.to_owned()))).then_some(found)
    }

    #[test]
    fn objects_of_strings_are_read() {
        let pair = |k: &str, v: &str| (k.to_owned(), v.to_owned());
        assert_eq!(all("{}"), Some(vec![]));
        assert_eq!(all(r#"{"car":"1"}"#), Some(vec![pair("car", "1")]));
        assert_eq!(
            all(" { \"car\" : \"a\\\"b\\u00e4\" , \"x\":\"\\ud83d\\ude97\" } "),
            Some(vec![pair("car", "a\"bä"), pair("x", "🚗")])
        );
        let numbers = r#"{"a":25200,"b": -0.5e+3 ,"c":true,"d":0}"#;
        assert_eq!(
            all(numbers),
            Some(vec![pair("a", "25200"), pair("b", "-0.5e+3"), pair("c", "true"), pair("d", "0")])
        );
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "[]",
            "{",
            r#"{"a":1.}"#,
            r#"{"a":01}"#,
            r#"{"a":.5}"#,
            r#"{"a":1e}"#,
            r#"{"a":yes}"#,
            r#"{"a":}"#,
            r#"{"a":[1]}"#,
            r#"{"a":"b",}"#,
            r#"{"a":"b"} x"#,
            r#"{"a""b"}"#,
            "{\"a\":\"\\q\"}",
        ] {
            assert_eq!(all(text), None, "{text}");
        }
    }
}
