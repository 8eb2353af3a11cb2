//! Paragraphs of prose: comments of Rust and TOML files, and Markdown.

/// Location of a paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// In the doc comment of an item or module.
    Doc,
    /// In another comment.
    Comment,
    /// On a Markdown page.
    Page,
}

/// A line of a comment or page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// Line number, from 1.
    pub number: usize,
    pub kind: Kind,
    /// Text after the comment marker, without blanks around it.
    pub text: &'a str,
    /// Whether no code precedes the comment.
    pub is_alone: bool,
}

/// Consecutive lines of prose.
pub(super) struct Paragraph<'a> {
    pub kind: Kind,
    /// Whether this is the first paragraph of a comment.
    pub is_first: bool,
    pub lines: Vec<Line<'a>>,
    /// Number of the last line of the comment.
    pub end: usize,
}

impl Paragraph<'_> {
    /// Joins the lines and masks code and link targets with backticks, which preserves byte offsets.
    pub(super) fn text(&self) -> String {
        masked(&self.text_with_code())
    }

    /// Joins the lines.
    pub(super) fn text_with_code(&self) -> String {
        let lines: Vec<&str> = self.lines.iter().map(|line| line.text).collect();
        lines.join(" ")
    }

    /// Whether the comment has no other paragraphs.
    pub(super) fn is_whole_comment(&self) -> bool {
        self.is_first && self.lines.last().is_some_and(|line| line.number == self.end)
    }

    /// Returns the number of the line that contains a byte of the text.
    pub(super) fn line_at(&self, byte: usize) -> usize {
        let mut end = 0;
        let contains = |line: &&Line<'_>| {
            end += line.text.len() + 1;
            byte < end
        };
        self.lines.iter().find(contains).map_or(self.end, |line| line.number)
    }
}

/// Replaces code spans and link targets by backticks.
fn masked(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(start) = rest.find("](").into_iter().chain(rest.find('`')).min() {
        let (before, after) = rest.split_at(start);
        let (opening, closing) = if after.starts_with('`') { (1, '`') } else { (2, ')') };
        let end = after[opening..].find(closing).map(|end| opening + end + 1);
        out += before;
        out += &"`".repeat(end.unwrap_or(opening));
        rest = &after[end.unwrap_or(opening)..];
    }
    out + rest
}

/// Returns all comment lines of a Rust or TOML file, or all lines of a page.
pub(super) fn lines<'a>(path: &str, text: &'a str) -> Vec<Line<'a>> {
    match path.rsplit_once('.') {
        Some((_, "rs")) => rust_comments(text),
        Some((_, "toml")) => toml_comments(text),
        _ => page_lines(text),
    }
}

/// Groups lines into paragraphs. Code blocks are left out.
pub(super) fn paragraphs<'a>(lines: &[Line<'a>]) -> Vec<Paragraph<'a>> {
    let continues = |line: &Line<'_>, next: &Line<'_>| {
        line.kind == next.kind && line.number + 1 == next.number && line.is_alone && next.is_alone
    };
    lines.chunk_by(continues).flat_map(paragraphs_of_comment).collect()
}

/// Splits a comment into paragraphs at empty lines, list items, table rows and code blocks.
fn paragraphs_of_comment<'a>(lines: &[Line<'a>]) -> Vec<Paragraph<'a>> {
    let end = lines.last().map_or(0, |line| line.number);
    let mut paragraphs: Vec<Paragraph<'a>> = Vec::new();
    let (mut is_code, mut is_open) = (false, false);
    for line in lines {
        let text = line.text;
        let is_fence = text.starts_with("```");
        is_code ^= is_fence;
        if is_code || is_fence || text.is_empty() {
            is_open = false;
            continue;
        }
        is_open &= !["* ", "- ", "|"].iter().any(|start| text.starts_with(start));
        match paragraphs.last_mut() {
            Some(last) if is_open => last.lines.push(*line),
            _ => {
                let is_first = paragraphs.is_empty();
                paragraphs.push(Paragraph { kind: line.kind, is_first, lines: vec![*line], end });
            }
        }
        is_open = !text.starts_with('#');
    }
    paragraphs
}

/// Returns all lines of a Markdown page.
fn page_lines(text: &str) -> Vec<Line<'_>> {
    text.lines()
        .zip(1..)
        .map(|(text, number)| Line { number, kind: Kind::Page, text: text.trim(), is_alone: true })
        .collect()
}

/// Returns the comments of a TOML file. A `#` after an odd number of quotes counts as part of a string.
fn toml_comments(text: &str) -> Vec<Line<'_>> {
    let mut comments = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let mut starts = line.match_indices('#').map(|(at, _)| at);
        if let Some(start) = starts.find(|at| line[..*at].matches('"').count() % 2 == 0) {
            let is_alone = line[..start].trim().is_empty();
            comments.push(Line { number, kind: Kind::Comment, text: line[start + 1..].trim(), is_alone });
        }
    }
    comments
}

/// Returns the comments of a Rust file, but not those in `/*` and `*/`, which the sources do not use.
fn rust_comments(text: &str) -> Vec<Line<'_>> {
    let mut comments = Vec::new();
    let (mut at, mut number) = (0, 1);
    let mut line_start = 0;
    while at < text.len() {
        let rest = &text[at..];
        let length = if rest.starts_with("//") {
            let end = rest.find('\n').unwrap_or(rest.len());
            let (kind, comment) = without_marker(&rest[..end]);
            let is_alone = text[line_start..at].trim().is_empty();
            comments.push(Line { number, kind, text: comment.trim(), is_alone });
            end
        } else {
            token_length(&text[..at], rest)
        };
        let passed = &rest[..length];
        if let Some(end) = passed.rfind('\n') {
            number += passed.matches('\n').count();
            line_start = at + end + 1;
        }
        at += length;
    }
    comments
}

fn without_marker(comment: &str) -> (Kind, &str) {
    match comment.strip_prefix("///").or_else(|| comment.strip_prefix("//!")) {
        Some(text) => (Kind::Doc, text),
        None => (Kind::Comment, comment.trim_start_matches('/')),
    }
}

/// Returns the length of the literal at the start of `rest`, or the number of bytes to the next possible comment or
/// literal.
fn token_length(before: &str, rest: &str) -> usize {
    let to_next = 1 + rest.bytes().skip(1).take_while(|byte| !b"/\"'".contains(byte)).count();
    let mut chars = rest.chars();
    match chars.next() {
        Some('"') => match hashes_of_raw_string(before) {
            Some(hashes) => {
                let end = format!("\"{}", "#".repeat(hashes));
                rest[1..].find(&end).map_or(rest.len(), |at| 1 + at + end.len())
            }
            None => quoted_length(rest, '"').unwrap_or(rest.len()),
        },
        Some('\'') if rest[1..].starts_with('\\') => quoted_length(rest, '\'').unwrap_or(to_next),
        // Lifetimes have no second quote.
        Some('\'') if chars.next().is_some() && chars.next() == Some('\'') => {
            quoted_length(rest, '\'').unwrap_or(to_next)
        }
        _ => to_next,
    }
}

/// Returns the number of `#` before the quote of a raw string, or `None` for another string.
fn hashes_of_raw_string(before: &str) -> Option<usize> {
    let start = before.trim_end_matches('#');
    let prefix = start.strip_suffix('r')?.trim_end_matches(['b', 'c']);
    let is_in_word = prefix.ends_with(|c: char| c.is_alphanumeric() || c == '_');
    (!is_in_word).then_some(before.len() - start.len())
}

/// Returns the length of a literal between two quotes, with escapes.
fn quoted_length(rest: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    rest.char_indices().skip(1).find_map(|(at, c)| {
        let is_end = c == quote && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end.then_some(at + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<(usize, String)> {
        let lines = lines(path, text);
        paragraphs(&lines).iter().map(|paragraph| (paragraph.lines[0].number, paragraph.text())).collect()
    }

    fn expected(paragraphs: &[(usize, &str)]) -> Vec<(usize, String)> {
        paragraphs.iter().map(|(number, text)| (*number, (*text).to_owned())).collect()
    }

    #[test]
    fn comments_of_rust_files_are_outside_of_literals() {
        let text = "//! Module.\n\nlet a = \"// no\\\" // no\"; // yes\nlet b = r#\"\n// no\"\n\"#; let c = ['\"', '\\'', 'ö'];\n// one\n// two\n\
                    fn f<'a>(a: &'a str) {} // three\n//";
        let comments = [(1, "Module."), (3, "yes"), (7, "one two"), (9, "three")];
        assert_eq!(found("a.rs", text), expected(&comments));
    }

    #[test]
    fn comments_of_toml_files_are_outside_of_strings() {
        let text = "# one\n# two\na = \"#3\" # four\nb = 5\n";
        assert_eq!(found("a.toml", text), expected(&[(1, "one two"), (3, "four")]));
    }

    #[test]
    fn paragraphs_of_pages_are_split_at_items_and_code() {
        let text = "# Title\nOne\ntwo.\n\n* three\n- four\n\n```\ncode\n```\n| row |\n";
        let paragraphs = [(1, "# Title"), (2, "One two."), (5, "* three"), (6, "- four"), (11, "| row |")];
        assert_eq!(found("a.md", text), expected(&paragraphs));
    }

    #[test]
    fn code_and_link_targets_are_masked() {
        assert_eq!(masked("a `b c` d [e](f g) `h"), "a ````` d [e`````` `h");
        assert_eq!(masked("`ö` ü](x) [y]"), "```` ü```` [y]");
    }

    #[test]
    fn bytes_of_a_paragraph_are_mapped_to_lines() {
        let lines = lines("a.rs", "// one\n// two\n");
        let paragraph = &paragraphs(&lines)[0];
        assert_eq!([0, 3, 4, 8].map(|byte| paragraph.line_at(byte)), [1, 1, 2, 2]);
    }
}
