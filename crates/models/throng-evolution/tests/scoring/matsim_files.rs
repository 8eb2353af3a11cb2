//! Elements of MATSim's files that scores depend on.

use std::collections::BTreeMap;
use std::path::Path;

use throng_matsim::formats::open::TextInput;
use throng_matsim::formats::xml::{Token, Xml};

/// The attributes of an element.
pub type Element = BTreeMap<String, String>;

/// Returns the attributes of all elements called `name`, in the order of the file.
pub fn elements(path: &Path, root: &str, name: &str) -> Vec<Element> {
    let mut xml = Xml::new(TextInput::open(path).unwrap(), path.display().to_string());
    xml.root(&[root], root).unwrap();
    let mut found = Vec::new();
    loop {
        match xml.read().unwrap() {
            Token::Start(tag) if tag.name == name => {
                found.push(tag.attributes().map(|(name, value)| (name.to_owned(), value.to_owned())).collect());
            }
            Token::Eof => return found,
            _ => {}
        }
    }
}

pub fn number(text: &str) -> f64 {
    text.parse().unwrap_or_else(|_| panic!("{text}"))
}
