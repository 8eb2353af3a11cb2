//! Finds the attributes of a tag in one pass over its bytes.

use std::collections::BTreeSet;

use super::references::{Entities, Fault};
use super::value::shortened;

/// The location of an attribute in its tag.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    name: (u32, u32),
    value: (u32, u32),
    /// Whether the value contained references, tabs or line ends; its decoded form is in a separate buffer.
    decoded: bool,
}

impl Span {
    #[inline]
    pub(super) fn name<'a>(&self, tag: &'a str) -> &'a str {
        slice(tag, self.name)
    }

    #[inline]
    pub(super) fn value<'a>(&self, tag: &'a str, decoded: &'a str) -> &'a str {
        slice(if self.decoded { decoded } else { tag }, self.value)
    }
}

#[inline]
fn slice(text: &str, (start, end): (u32, u32)) -> &str {
    text.get(start as usize..end as usize).unwrap_or_default()
}

/// Appends a span for each attribute in `tag[from..to]`; values with `&` or whitespace other than spaces are decoded
/// into `decoded`.
pub(super) fn scan(
    tag: &str,
    from: usize,
    to: usize,
    entities: &mut Entities,
    spans: &mut Vec<Span>,
    decoded: &mut String,
) -> Result<(), Fault> {
    spans.clear();
    decoded.clear();
    let bytes = tag.as_bytes().get(..to).unwrap_or_default();
    let byte = |at: usize| bytes.get(at).copied();
    let mut names = Names::default();
    let mut at = from;
    loop {
        let blank_from = at;
        at = skip_blanks(bytes, at);
        if at >= bytes.len() {
            return Ok(());
        }
        let name_start = at;
        while byte(at).is_some_and(|b| !b.is_ascii_whitespace() && b != b'=' && b != b'"' && b != b'\'') {
            at += 1;
        }
        let name = (name_start as u32, at as u32);
        let shown = || shortened(slice(tag, name));
        if name.0 == name.1 {
            return Err(Fault::malformed("an attribute without a name"));
        }
        if blank_from == name_start {
            return Err(Fault::malformed(format!("no blank before the attribute {}", shown())));
        }
        at = skip_blanks(bytes, at);
        if byte(at) != Some(b'=') {
            return Err(Fault::malformed(format!("the attribute {} has no value", shown())));
        }
        at = skip_blanks(bytes, at + 1);
        let Some(quote @ (b'"' | b'\'')) = byte(at) else {
            return Err(Fault::malformed(format!("the value of the attribute {} is not in quotes", shown())));
        };
        at += 1;
        let value_start = at;
        let mut references = false;
        loop {
            match byte(at) {
                Some(b) if b == quote => break,
                Some(b'<') => return Err(Fault::malformed(format!("\"<\" in the value of the attribute {}", shown()))),
                Some(b) => references |= matches!(b, b'&' | b'\t' | b'\n' | b'\r'),
                None => return Err(Fault::malformed(format!("the value of the attribute {} does not end", shown()))),
            }
            at += 1;
        }
        let mut span = Span { name, value: (value_start as u32, at as u32), decoded: references };
        if references {
            let start = decoded.len() as u32;
            entities.push_value(slice(tag, span.value), decoded)?;
            span.value = (start, decoded.len() as u32);
        }
        if !names.insert(tag, name, spans) {
            return Err(Fault::malformed(format!("the attribute {} occurs twice", shown())));
        }
        spans.push(span);
        at += 1;
    }
}

/// Up to this number of attributes, names are compared one by one, which is fastest for MATSim's tags (at most ten
/// attributes). More names go into a sorted set, because tags of other files may have any number.
const MAX_COMPARED_NAMES: usize = 32;

/// Attribute names of a tag, for detecting duplicates.
#[derive(Default)]
struct Names<'a> {
    /// One bit per name hash; only names that share a bit are compared.
    bits: u64,
    /// All names, once there are more than [`MAX_COMPARED_NAMES`].
    sorted: BTreeSet<&'a str>,
}

impl<'a> Names<'a> {
    /// Adds `name` to those of `spans`; false if it is already present.
    #[inline]
    fn insert(&mut self, tag: &'a str, name: (u32, u32), spans: &[Span]) -> bool {
        if spans.len() < MAX_COMPARED_NAMES {
            let bit = 1_u64 << (name_bits(tag.as_bytes(), name) & 63);
            let is_new = self.bits & bit == 0 || spans.iter().all(|other| other.name(tag) != slice(tag, name));
            self.bits |= bit;
            return is_new;
        }
        if self.sorted.is_empty() {
            self.sorted.extend(spans.iter().map(|span| span.name(tag)));
        }
        self.sorted.insert(slice(tag, name))
    }
}

#[inline]
fn skip_blanks(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}

/// Returns a hash that distinguishes most attribute names of a tag.
#[inline]
fn name_bits(bytes: &[u8], (start, end): (u32, u32)) -> u32 {
    let byte = |at: u32| bytes.get(at as usize).map_or(0, |&b| u32::from(b));
    (end - start).wrapping_mul(11) ^ byte(start) ^ byte(end.saturating_sub(1)).wrapping_mul(5)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attributes(tag: &str) -> Result<Vec<(String, String)>, String> {
        let (mut spans, mut decoded) = (Vec::new(), String::new());
        scan(tag, 0, tag.len(), &mut Entities::default(), &mut spans, &mut decoded).map_err(|fault| fault.message)?;
        Ok(spans.iter().map(|s| (s.name(tag).to_owned(), s.value(tag, &decoded).to_owned())).collect())
    }

    #[test]
    fn names_values_quotes_and_blanks_are_read() {
        let found = attributes(" id=\"1\"  x = '2.5'\n\txml:lang=\"\" n='a\"b' ").unwrap();
        let expected = [("id", "1"), ("x", "2.5"), ("xml:lang", ""), ("n", "a\"b")];
        assert_eq!(found, expected.map(|(n, v)| (n.to_owned(), v.to_owned())));
        assert_eq!(attributes("  ").unwrap(), []);
    }

    #[test]
    fn any_number_of_attributes_is_read_in_one_pass() {
        // Comparing all pairs of this many names would take hours.
        let number = 1_000_000;
        let mut tag = (0..number).map(|i| format!(" a{i:06}=\"{i}\"")).collect::<Vec<_>>().concat();
        let found = attributes(&tag).unwrap();
        assert_eq!((found.len(), found[number - 1].1.as_str()), (number, "999999"));
        tag.push_str(" a000007=\"\"");
        assert_eq!(attributes(&tag).unwrap_err(), "not well-formed XML: the attribute a000007 occurs twice");
        // On both sides of the threshold for sorting.
        for number in MAX_COMPARED_NAMES - 1..MAX_COMPARED_NAMES + 2 {
            let tag = (0..number).chain([3]).map(|i| format!(" a{i}=\"\"")).collect::<Vec<_>>().concat();
            assert_eq!(attributes(&tag).unwrap_err(), "not well-formed XML: the attribute a3 occurs twice", "{number}");
        }
    }

    #[test]
    fn references_are_decoded() {
        let found = attributes(" a=\"&lt;&amp;&gt; &quot;x&apos;\" b='plain' c='&#228;&#xE4;'").unwrap();
        let values: Vec<_> = found.iter().map(|(_, v)| v.as_str()).collect();
        assert_eq!(values, ["<&> \"x'", "plain", "ää"]);
    }

    #[test]
    fn blanks_in_values_are_spaces_unless_they_are_references() {
        let found = attributes(" a=\"1\t2\r\n3\n4\r5\" b=\"&#9;&#10;&#13;&#13;\n\"").unwrap();
        let values: Vec<_> = found.iter().map(|(_, v)| v.as_str()).collect();
        assert_eq!(values, ["1 2 3 4 5", "\t\n\r\r "]);
    }

    #[test]
    fn malformed_attributes_are_reported() {
        for (tag, part) in [
            (" id", "id has no value"),
            (" id=", "not in quotes"),
            (" id=5", "not in quotes"),
            (" id=\"5", "does not end"),
            (" id=\"5\"x=\"1\"", "no blank before the attribute x"),
            (" =\"5\"", "without a name"),
            (" a=\"<\"", "\"<\" in the value"),
            (" a=\"&\"", "begins no reference"),
            (" a=\"&nbsp;\"", "unknown reference \"&nbsp;\""),
            (" a=\"&#xD800;\"", "the reference \"&#xD800;\" to a character that XML does not allow"),
            (" a=\"&#0;\"", "to a character that XML does not allow"),
            (" a=\"&#x1F;\"", "to a character that XML does not allow"),
            (" a=\"&#xFFFE;\"", "to a character that XML does not allow"),
            (" a=\"&#x;\"", "to a character that XML does not allow"),
            (" id=\"1\" x=\"2\" id=\"3\"", "id occurs twice"),
        ] {
            let error = attributes(tag).unwrap_err();
            assert!(error.contains(part), "{tag}: {error}");
        }
    }
}
