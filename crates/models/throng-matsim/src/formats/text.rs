//! Writes XML text with the escapes that MATSim uses, and those that preserve whitespace.

/// Appends ` name="value"`.
#[inline]
pub fn push_attribute(out: &mut String, name: &str, value: &str) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    push_escaped_value(out, value);
    out.push('"');
}

/// Appends an attribute value with `& " < >` and all whitespace except spaces replaced.
///
/// ```
/// let mut out = String::new();
/// throng_matsim::formats::text::push_escaped_value(&mut out, "\"A\" & <B>");
/// assert_eq!(out, "&quot;A&quot; &amp; &lt;B&gt;");
/// ```
#[inline]
pub fn push_escaped_value(out: &mut String, value: &str) {
    push_replaced(out, value, true);
}

/// Appends element text with `& < >` and carriage returns replaced; quotes stay.
#[inline]
pub fn push_escaped(out: &mut String, text: &str) {
    push_replaced(out, text, false);
}

#[inline]
fn push_replaced(out: &mut String, text: &str, in_attribute: bool) {
    let special =
        |b: &u8| matches!(b, b'&' | b'<' | b'>' | b'\r') || (in_attribute && matches!(b, b'"' | b'\t' | b'\n'));
    if !text.as_bytes().iter().any(special) {
        out.push_str(text);
        return;
    }
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if in_attribute => out.push_str("&quot;"),
            '\t' if in_attribute => out.push_str("&#9;"),
            '\n' if in_attribute => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            other => out.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::xml::{Token, Xml};

    #[test]
    fn blanks_and_marks_are_read_back_unchanged() {
        let odd = " a\tb\nc\rd\r\n<&>\"' ";
        let mut text = String::from("<a");
        push_attribute(&mut text, "v", odd);
        text.push('>');
        push_escaped(&mut text, odd);
        text.push_str("</a>");
        assert!(text.contains("\tb\nc&#13;d&#13;\n&lt;"), "tabs and line feeds may occur in text: {text}");
        let mut xml = Xml::new(text.as_bytes(), "f.xml");
        assert_eq!(xml.root(&["a"], "a test").unwrap().get("v"), Some(odd));
        let Token::End(end) = xml.read().unwrap() else { panic!("expected the end tag") };
        assert_eq!(end.text, odd);
    }
}
