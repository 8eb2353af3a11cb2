//! Writing XML text with the escapes that MATSim uses.

/// Appends ` name="value"`.
#[inline]
pub fn push_attribute(out: &mut String, name: &str, value: &str) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    push_escaped_value(out, value);
    out.push('"');
}

/// Appends an attribute value with `& " < >` replaced.
///
/// ```
/// let mut out = String::new();
/// throng_traffic::matsim::text::push_escaped_value(&mut out, "\"A\" & <B>");
/// assert_eq!(out, "&quot;A&quot; &amp; &lt;B&gt;");
/// ```
#[inline]
pub fn push_escaped_value(out: &mut String, value: &str) {
    push_replaced(out, value, true);
}

/// Appends element text with `& < >` replaced; quotes stay.
#[inline]
pub fn push_escaped(out: &mut String, text: &str) {
    push_replaced(out, text, false);
}

#[inline]
fn push_replaced(out: &mut String, text: &str, quotes: bool) {
    let special = |b: &u8| matches!(b, b'&' | b'<' | b'>') || (quotes && *b == b'"');
    if !text.as_bytes().iter().any(special) {
        out.push_str(text);
        return;
    }
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if quotes => out.push_str("&quot;"),
            other => out.push(other),
        }
    }
}
