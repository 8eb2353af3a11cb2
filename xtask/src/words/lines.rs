//! Rules on single lines: their width, traces of one machine, and numbers of issues.

use super::prose::{Kind, Line, Paragraph};
use super::rules::{Finding, occurrences};

/// Maximum length of a comment line, characters.
const WIDTH: usize = 120;

/// Parts of the names of package registries, and folders of one machine.
const TRACES: [&str; 9] = [
    "registry.npmjs",
    "pypi.org",
    "static.crates.io",
    "index.crates.io",
    "artifactory",
    "/home/",
    "/root/",
    "/Users/",
    "/work/",
];

/// Checks a line of a comment or page, including those of code blocks.
pub(super) fn check_line(line: &Line<'_>) -> Option<Finding> {
    let trace = TRACES.into_iter().find(|trace| contains_trace(line.text, trace));
    let trace = trace.map(|trace| (trace, "leave out folders and servers of one machine"));
    let (text, advice) = trace.or_else(|| Some((issue_number(line.text)?, "state the facts instead of the number")))?;
    Some(Finding { line: line.number, text: text.to_owned(), advice })
}

/// Finds the lines of a comment that exceed the width, except for code, tables and addresses.
pub(super) fn check_width(paragraph: &Paragraph<'_>, file: &[&str]) -> Vec<Finding> {
    let is_long = |line: &&Line<'_>| {
        let whole = file[line.number - 1];
        let is_table = line.text.starts_with('|');
        // A second `#` belongs to a commented-out key of a TOML file.
        let may_be_long = is_table || !line.is_alone || line.text.contains("://") || line.text.contains(" # ");
        let overflow = whole.char_indices().nth(WIDTH);
        let is_in_code = |byte: usize| whole[..byte].matches('`').count() % 2 == 1;
        paragraph.kind != Kind::Page && !may_be_long && overflow.is_some_and(|(byte, _)| !is_in_code(byte))
    };
    let finding =
        |line: &Line<'_>| Finding { line: line.number, text: line.text.to_owned(), advice: "wrap at 120 columns" };
    paragraph.lines.iter().filter(is_long).map(finding).collect()
}

/// Whether a text contains a trace that is not the middle of a longer path or name.
fn contains_trace(text: &str, trace: &str) -> bool {
    text.match_indices(trace)
        .any(|(start, _)| !text[..start].ends_with(|c: char| c.is_alphanumeric() || "._-~".contains(c)))
}

/// Finds the number of an issue, with or without `#`.
fn issue_number(text: &str) -> Option<&str> {
    occurrences(&text.to_ascii_lowercase(), "issue").into_iter().find_map(|start| {
        let rest = &text[start..];
        let number = rest["issue".len()..].trim_start().trim_start_matches('#');
        let digits = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
        (digits > 0).then(|| &rest[..rest.len() - number.len() + digits])
    })
}

#[cfg(test)]
mod tests {
    use super::super::prose::{lines, paragraphs};
    use super::*;

    /// Returns the offending phrases of a Rust file.
    fn found(code: &str) -> Vec<String> {
        let lines = lines("a.rs", code);
        let (paragraphs, all) = (paragraphs(&lines), code.lines().collect::<Vec<_>>());
        let of_width = paragraphs.iter().flat_map(|paragraph| check_width(paragraph, &all));
        lines.iter().filter_map(check_line).chain(of_width).map(|finding| finding.text).collect()
    }

    #[test]
    fn long_lines_are_found() {
        let words = "word ".repeat(25);
        assert_eq!(found(&format!("// {words}")).len(), 1);
        assert_eq!(found(&format!("// {}", &words[..117])), Vec::<String>::new());
        for exempted in ["| ", "https://example.org ", "`code "] {
            assert_eq!(found(&format!("// {exempted}{words}")), Vec::<String>::new());
        }
        assert_eq!(found(&format!("f(); // {words}")), Vec::<String>::new());
    }

    #[test]
    fn traces_of_a_machine_are_found() {
        assert_eq!(found("// See /home/me/a."), ["/home/"]);
        assert_eq!(found("// ```\n// cd /work/a\n// ```"), ["/work/"]);
        assert_eq!(found("// From https://pypi.org/simple."), ["pypi.org"]);
        assert_eq!(found("// In ~/home/a, or crates/work/a."), Vec::<String>::new());
        assert_eq!(found("// As in issue #12."), ["issue #12"]);
        assert_eq!(found("// As in Issue 7"), ["Issue 7"]);
        assert_eq!(found("// An issue of 2017; 12 tissue 12"), Vec::<String>::new());
    }
}
