//! References: characters, the predefined entities, and the general entities that a document declares itself.

use std::collections::BTreeMap;

use super::value::quoted;
use super::xml::is_allowed;

/// Maximum number of entities that a document may declare.
const MAX_ENTITIES: usize = 1024;

/// Maximum nesting depth of entities.
const MAX_DEPTH: usize = 16;

/// Maximum length of the text that declared entities insert into a document, bytes: a short document may insert any
/// amount of text. Each insertion counts as one byte more, so that empty entities are bounded, too.
const MAX_INSERTED: usize = 16 << 20;

const REPLACE: &str = "Replace references with their text, for example with `xmllint --noent --dropdtd`.";

/// A fault of a document, with its remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) message: String,
    pub(super) remedy: &'static str,
}

impl Fault {
    fn new(message: String, remedy: &'static str) -> Self {
        Self { message, remedy }
    }

    pub(super) fn malformed(message: impl std::fmt::Display) -> Self {
        let remedy = "Correct this line; `xmllint --noout` lists all such lines.";
        Self::new(format!("not well-formed XML: {message}"), remedy)
    }
}

/// The place of a reference, which determines the treatment of tabs and line ends in the text that it inserts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// An attribute value: a tab or line end becomes a space, as XML requires.
    Value,
    /// Element text.
    Text,
}

/// The general entities that a document declares in its `<!DOCTYPE ...>`.
#[derive(Debug, Clone, Default)]
pub(super) struct Entities {
    declared: BTreeMap<String, Entity>,
    /// Length of the text inserted so far.
    inserted: usize,
}

#[derive(Debug, Clone)]
enum Entity {
    /// The replacement text: character references of the declaration are replaced, those to entities are not.
    Text(String),
    /// The text is in another file, or the entity is not text.
    External,
}

impl Entities {
    /// Parses the declarations between `[` and `]` of a document type, if any. A fault comes with its position.
    pub(super) fn of_doctype(doctype: &str) -> Result<Self, (usize, Fault)> {
        let mut entities = Self::default();
        let Some(subset) = find_unquoted(doctype, b'[') else { return Ok(entities) };
        let mut at = subset + 1;
        loop {
            let rest = doctype.get(at..).unwrap_or_default().trim_ascii_start();
            at = doctype.len() - rest.len();
            match entities.read_declaration(rest).map_err(|fault| (at, fault))? {
                Some(length) => at += length,
                None => return Ok(entities),
            }
        }
    }

    /// Reads the declaration with which `text` begins; returns its length, or `None` after the last one.
    fn read_declaration(&mut self, text: &str) -> Result<Option<usize>, Fault> {
        let end_of = |end: Option<usize>| {
            let unclosed = || Fault::malformed(format!("the declaration {} does not end", quoted(text)));
            end.map(Some).ok_or_else(unclosed)
        };
        if text.starts_with("<!--") {
            return end_of(text.find("-->").map(|end| end + 3));
        }
        if text.starts_with("<?") {
            return end_of(text.find("?>").map(|end| end + 2));
        }
        let other = ["<!ELEMENT", "<!ATTLIST", "<!NOTATION"].iter().any(|start| text.starts_with(start));
        let entity = text.strip_prefix("<!ENTITY");
        if other || entity.is_some() {
            let end = find_unquoted(text, b'>');
            let content = entity.and_then(|entity| entity.get(..end?.checked_sub("<!ENTITY".len())?));
            if let Some(content) = content {
                self.declare(content)?;
            }
            return end_of(end.map(|end| end + 1));
        }
        if text.starts_with('%') {
            let reference = quoted(text.split_inclusive(';').next().unwrap_or_default());
            let remedy = "Write the declarations instead; only general entities are supported.";
            return Err(Fault::new(format!("the parameter entity {reference} is not supported"), remedy));
        }
        match text.chars().next() {
            Some(']') => Ok(None),
            _ => Err(Fault::malformed(format!("{} is not a declaration", quoted(text)))),
        }
    }

    /// Adds the entity of a declaration, from ` name "text"`.
    fn declare(&mut self, declaration: &str) -> Result<(), Fault> {
        let (name, value) = declaration.trim_ascii().split_once(|c: char| c.is_ascii_whitespace()).unwrap_or_default();
        // References to parameter entities are refused.
        if name == "%" {
            return Ok(());
        }
        let value = value.trim_ascii();
        let inner = |quote| value.strip_prefix(quote).and_then(|value| value.strip_suffix(quote));
        let entity = match inner('"').or_else(|| inner('\'')) {
            Some(text) => Entity::Text(replacement_text(text)?),
            None if value.starts_with("SYSTEM") || value.starts_with("PUBLIC") => Entity::External,
            None => return Err(Fault::malformed(format!("the entity {} has no text", quoted(name)))),
        };
        if self.declared.len() == MAX_ENTITIES {
            let message = format!("more than {MAX_ENTITIES} entities are declared");
            return Err(Fault::new(message, "Declare only those that the file uses."));
        }
        // The first declaration counts, as XML requires.
        self.declared.entry(name.to_owned()).or_insert(entity);
        Ok(())
    }

    /// Appends an attribute value with references replaced.
    pub(super) fn push_value(&mut self, value: &str, out: &mut String) -> Result<(), Fault> {
        self.push_decoded(value, Place::Value, 0, out)
    }

    /// Appends the text that `&reference;` stands for.
    pub(super) fn push(&mut self, reference: &str, place: Place, out: &mut String) -> Result<(), Fault> {
        self.push_nested(reference, place, 0, out)
    }

    fn push_decoded(&mut self, text: &str, place: Place, depth: usize, out: &mut String) -> Result<(), Fault> {
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('&') {
            push_literal(out, before, place);
            let Some((reference, after)) = after.split_once(';') else {
                return Err(Fault::malformed("\"&\" that begins no reference (write &amp;)"));
            };
            self.push_nested(reference, place, depth, out)?;
            rest = after;
        }
        push_literal(out, rest, place);
        Ok(())
    }

    fn push_nested(&mut self, reference: &str, place: Place, depth: usize, out: &mut String) -> Result<(), Fault> {
        if let Some(character) = character(reference)? {
            out.push(character);
            return Ok(());
        }
        let shown = || quoted(&format!("&{reference};"));
        let text = match self.declared.get(reference) {
            Some(Entity::Text(text)) => text,
            Some(Entity::External) => {
                let message = format!("the external entity {} is not supported: no other file is read", shown());
                return Err(Fault::new(message, REPLACE));
            }
            None => return Err(Fault::malformed(format!("unknown reference {}", shown()))),
        };
        if depth == MAX_DEPTH {
            let message = format!("the entity {} contains itself, or is nested more than {MAX_DEPTH} deep", shown());
            return Err(Fault::new(message, "Declare it without references to other entities."));
        }
        self.inserted += text.len() + 1;
        if self.inserted > MAX_INSERTED {
            let message = format!("with {}, entities insert more than {MAX_INSERTED} bytes of text", shown());
            return Err(Fault::new(message, REPLACE));
        }
        if text.contains('<') {
            let message = format!("the entity {} contains tags, which is not supported", shown());
            return Err(Fault::new(message, REPLACE));
        }
        let text = text.clone();
        self.push_decoded(&text, place, depth + 1, out)
    }
}

/// Returns the position of the first `byte` outside of quotes.
pub(super) fn find_unquoted(text: &str, byte: u8) -> Option<usize> {
    let mut quote = None;
    text.bytes().position(|b| {
        match quote {
            Some(open) if b == open => quote = None,
            None if matches!(b, b'"' | b'\'') => quote = Some(b),
            None => return b == byte,
            Some(_) => {}
        }
        false
    })
}

/// Replaces line ends and character references in the text of a declaration.
fn replacement_text(text: &str) -> Result<String, Fault> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut replaced = String::new();
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("&#") {
        replaced.push_str(before);
        let (digits, after) = after.split_once(';').unwrap_or((after, ""));
        replaced.extend(character(&format!("#{digits}"))?);
        rest = after;
    }
    replaced.push_str(rest);
    Ok(replaced)
}

#[inline]
fn push_literal(out: &mut String, text: &str, place: Place) {
    if place == Place::Text {
        out.push_str(text);
        return;
    }
    let mut after_return = false;
    for character in text.chars() {
        match character {
            '\n' if after_return => {}
            '\t' | '\n' | '\r' => out.push(' '),
            other => out.push(other),
        }
        after_return = character == '\r';
    }
}

/// Returns the character that `&reference;` stands for, or `None` if it names an entity that is not predefined.
fn character(reference: &str) -> Result<Option<char>, Fault> {
    let code = match reference.strip_prefix('#') {
        None => None,
        Some(digits) => match digits.strip_prefix('x') {
            Some(hexadecimal) => Some(u32::from_str_radix(hexadecimal, 16)),
            None => Some(digits.parse()),
        },
    };
    if let Some(code) = code {
        let allowed = code.ok().and_then(char::from_u32).filter(|&character| is_allowed(character));
        let shown = quoted(&format!("&{reference};"));
        let fault = || Fault::malformed(format!("the reference {shown} to a character that XML does not allow"));
        return allowed.map(Some).ok_or_else(fault);
    }
    Ok(match reference {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(declarations: &str, value: &str) -> Result<String, String> {
        let doctype = format!("config SYSTEM '[' [{declarations}]");
        let mut entities = Entities::of_doctype(&doctype).map_err(|(at, fault)| format!("{at}: {}", fault.message))?;
        let mut out = String::new();
        entities.push_value(value, &mut out).map_err(|fault| fault.message)?;
        Ok(out)
    }

    #[test]
    fn declared_entities_are_expanded() {
        let declarations = "<!-- <!ENTITY a 'no'> --><?x ]>?>\n<!ELEMENT a (b)>\n<!ENTITY % p 'q'>\
            <!ATTLIST a b CDATA '>'> <!ENTITY a \"1 &b; &amp; &#38;lt; &#228;>\" ><!ENTITY b '2\n3'><!ENTITY b '4'> ";
        assert_eq!(expanded(declarations, "&a;|&b;&#9;&amp;"), Ok("1 2 3 & < ä>|2 3\t&".to_owned()));
        let mut entities = Entities::of_doctype("config [<!ENTITY b '2\r\n3\t'>]").unwrap();
        let mut text = String::new();
        entities.push("b", Place::Text, &mut text).unwrap();
        assert_eq!(text, "2\n3\t", "element text keeps tabs and line ends");
    }

    #[test]
    fn unsupported_and_malformed_declarations_are_faults() {
        for (declarations, value, fault) in [
            (
                "<!ENTITY a SYSTEM 'a.xml'>",
                "&a;",
                "the external entity \"&a;\" is not supported: no other file is read",
            ),
            ("<!ENTITY a PUBLIC 'a' 'a.xml'>", "&a;", "the external entity \"&a;\" is not supported"),
            ("<!ENTITY a '<b/>'>", "&a;", "the entity \"&a;\" contains tags"),
            ("<!ENTITY a '&#60;b/>'>", "&a;", "the entity \"&a;\" contains tags"),
            ("<!ENTITY a '&b;'><!ENTITY b '&a;'>", "&a;", "contains itself, or is nested more than 16 deep"),
            ("<!ENTITY a '&'>", "&a;", "begins no reference"),
            ("<!ENTITY a '1'>", "&b;", "unknown reference \"&b;\""),
            ("\n %p; ", "", "21: the parameter entity \"%p;\" is not supported"),
            ("<!ENTITY a '1'", "", "19: not well-formed XML: the declaration \"<!ENTITY a '1'"),
            ("<!ENTITY a>", "", "the entity \"\" has no text"),
            ("<!ENTITY a '&#0;'>", "", "to a character that XML does not allow"),
            ("x", "", "\"x]\" is not a declaration"),
        ] {
            let message = expanded(declarations, value).unwrap_err();
            assert!(message.contains(fault), "{message}");
            assert!(value.is_empty() || expanded(declarations, "").is_ok(), "{declarations}: only a use is a fault");
        }
    }

    #[test]
    fn expansion_is_bounded() {
        let chain = |number: usize, repeat: usize, last: &str| {
            let nested = |i: usize| format!("<!ENTITY e{i} '{}'>", format!("&e{};", i + 1).repeat(repeat));
            (0..number).map(nested).collect::<String>() + &format!("<!ENTITY e{number} '{last}'>")
        };
        assert_eq!(expanded(&chain(MAX_DEPTH - 1, 1, "x"), "&e0;"), Ok("x".to_owned()));
        assert!(expanded(&chain(MAX_DEPTH, 1, "x"), "&e0;").unwrap_err().contains("more than 16 deep"));
        for last in ["lol", ""] {
            let message = expanded(&chain(10, 10, last), "&e0;").unwrap_err();
            assert!(message.contains("entities insert more than 16777216 bytes"), "{message}");
        }
        let message = expanded(&chain(MAX_ENTITIES, 1, ""), "").unwrap_err();
        assert!(message.contains("more than 1024 entities are declared"), "{message}");
    }
}
