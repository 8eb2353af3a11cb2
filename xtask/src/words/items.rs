//! Items of Rust files, found by the shape of their lines.

/// An item, a field or a variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    pub name: String,
    /// Whether this is a constant or a static.
    pub is_constant: bool,
    /// Whether it certainly needs no doc comment: not public, and no part of something public.
    pub is_private: bool,
}

const KEYWORDS: [&str; 9] = ["const", "static", "fn", "struct", "enum", "trait", "type", "mod", "union"];

/// Returns the item in the line with this index, counted from 0, or below the attributes there.
pub(super) fn item_at(code: &[&str], index: usize) -> Option<Item> {
    let is_attribute = |line: &&str| line.trim_start().starts_with("#[");
    let index = index + code.get(index..)?.iter().take_while(|line| is_attribute(line)).count();
    let line = code.get(index)?.trim_start();
    let (visibility, definition) = split_visibility(line);
    let around = enclosing(code, index);
    let mut words = definition.split_whitespace().peekable();
    while words.next_if(|word| ["unsafe", "async", "extern", "default"].contains(word)).is_some() {}
    let keyword = words.next()?;
    let next = words.next().unwrap_or_default();
    let is_constant = next != "fn" && matches!(keyword, "const" | "static");
    let (name, is_field) = match keyword {
        "const" if next == "fn" => (words.next()?, false),
        "static" if next == "mut" => (words.next()?, false),
        _ if KEYWORDS.contains(&keyword) => (next, false),
        _ if identifier(keyword).len() + 1 == keyword.len() && keyword.ends_with(':') => (keyword, true),
        _ if around.contains("enum ") => (keyword, false),
        _ => return None,
    };
    let name = identifier(name);
    let is_in_public = around.starts_with("pub ") && (around.contains("trait ") || around.contains("enum "));
    // A field without `struct` around it belongs to a variant, which may be public.
    let may_be_public = is_in_public || is_field && !around.contains("struct ");
    let is_private = visibility.starts_with("pub(") || visibility.is_empty() && !may_be_public;
    (!name.is_empty()).then(|| Item { name: name.to_owned(), is_constant, is_private })
}

/// Splits a line after `pub` or `pub(...)`.
fn split_visibility(line: &str) -> (&str, &str) {
    let end = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => line.find(')').map_or(0, |end| end + 1),
        Some(rest) if rest.starts_with(' ') => 3,
        _ => 0,
    };
    line.split_at(end)
}

/// Returns the last line before `index` with a smaller indentation; an empty one for top-level items.
fn enclosing<'a>(code: &[&'a str], index: usize) -> &'a str {
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let own = indentation(code[index]);
    if own == 0 {
        return "";
    }
    let before = code[..index].iter().rev().filter(|line| !line.trim().is_empty());
    before.map(|line| (indentation(line), line.trim())).find(|(of_line, _)| *of_line < own).map_or("", |(_, line)| line)
}

/// Returns the identifier at the start of a text.
fn identifier(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_'));
    &text[..end.unwrap_or(text.len())]
}

/// Splits a name or sentence into words in lower case.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut previous = ' ';
    for c in text.chars() {
        let is_start = !previous.is_alphanumeric() || previous.is_lowercase() && c.is_uppercase();
        if c.is_alphanumeric() {
            if is_start {
                words.push(String::new());
            }
            words.last_mut().expect("a word has started").extend(c.to_lowercase());
        }
        previous = c;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(code: &str) -> Option<(String, bool, bool)> {
        let lines: Vec<&str> = code.lines().collect();
        item_at(&lines, lines.len() - 1).map(|item| (item.name, item.is_constant, item.is_private))
    }

    #[test]
    fn items_have_names_and_visibility() {
        let found = |name: &str, is_constant, is_private| Some((name.to_owned(), is_constant, is_private));
        assert_eq!(item("const MAX_DISCS: usize = 5;"), found("MAX_DISCS", true, true));
        assert_eq!(item("pub(super) static mut STATE: usize = 5;"), found("STATE", true, true));
        assert_eq!(item("pub const fn unit(&self)"), found("unit", false, false));
        assert_eq!(item("struct Disc<T> {\n    radius: T,"), found("radius", false, true));
        assert_eq!(item("pub enum Shape {\n    Disc {\n        radius: T,"), found("radius", false, false));
        assert_eq!(item("pub enum Shape {\n    Disc,"), found("Disc", false, false));
        assert_eq!(item("enum Shape {\n    Disc(f32),"), found("Disc", false, true));
        assert_eq!(item("pub trait Shape {\n    fn area(&self);"), found("area", false, false));
        assert_eq!(item("impl Shape {\n\n    const fn area(&self)"), found("area", false, true));
        assert_eq!(item("let a = b;"), None);
        assert_eq!(item("a.b(c)"), None);
        let lines = ["#[test]", "fn a() {}"];
        assert_eq!(item_at(&lines, 0).unwrap().name, "a");
        assert_eq!(item_at(&lines, 2), None);
    }

    #[test]
    fn names_and_sentences_are_split_into_words() {
        assert_eq!(words("ReadFile"), ["read", "file"]);
        assert_eq!(words("read_file"), words("Read  [`File`]."));
        assert_eq!(words("MAX_2D"), ["max", "2d"]);
    }
}
