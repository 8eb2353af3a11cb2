//! `cargo xtask words`: finds unidiomatic phrases in comments, Markdown pages and names of constants.

mod items;
mod lines;
mod prose;
mod rules;

use std::fmt;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

use self::rules::Finding;
use crate::{at, root};

/// Exempted lines: `PATH | LINE | REASON`, one per line.
const ALLOWED: &str = include_str!("allowed.txt");
/// Files with the text of others, or that record the past.
const EXCLUDED: [&str; 2] = ["CHANGELOG.md", "fuzz/seeds/"];

/// A finding with its location.
#[derive(Debug)]
struct Located {
    path: String,
    finding: Finding,
    /// The whole line, without indentation.
    source: String,
}

impl fmt::Display for Located {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { line, text, advice } = &self.finding;
        write!(f, "{}:{line}: \"{text}\": {advice}", self.path)
    }
}

/// Checks all files, and returns an error that lists the findings.
pub(crate) fn run() -> Result<(), String> {
    let mut findings = Vec::new();
    for path in files()? {
        match std::fs::read_to_string(root().join(&path)) {
            Ok(text) => findings.extend(check(&path, &text)),
            // Removed, but not yet in the index.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(at(Path::new(&path))(error)),
        }
    }
    report(&findings, ALLOWED)
}

/// Returns the paths of the tracked files to check, relative to the root.
fn files() -> Result<Vec<String>, String> {
    let mut command = Command::new("git");
    // The folder may belong to another user, as in containers.
    command.args(["-c", "safe.directory=*", "ls-files", "*.rs", "*.md", "*.toml"]);
    let output = command.current_dir(root()).output().map_err(|error| format!("git cannot be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("`git ls-files` failed ({})", output.status));
    }
    let paths = String::from_utf8_lossy(&output.stdout);
    let is_excluded = |path: &str| EXCLUDED.iter().any(|start| path.starts_with(start));
    Ok(paths.lines().filter(|path| !is_excluded(path)).map(str::to_owned).collect())
}

/// Checks a file.
fn check(path: &str, text: &str) -> Vec<Located> {
    let code: Vec<&str> = text.lines().collect();
    let comments = prose::lines(path, text);
    let mut findings: Vec<Finding> = comments.iter().filter_map(lines::check_line).collect();
    let is_rust = Path::new(path).extension().is_some_and(|extension| extension == "rs");
    for paragraph in prose::paragraphs(&comments) {
        let item = if is_rust { items::item_at(&code, paragraph.end) } else { None };
        findings.extend(rules::check_paragraph(&paragraph, item.as_ref()));
        findings.extend(lines::check_width(&paragraph, &code));
    }
    if is_rust {
        let lines =
            (0..code.len()).filter(|index| ["const ", "static "].iter().any(|word| code[*index].contains(word)));
        let items = lines.filter_map(|index| Some((items::item_at(&code, index)?, index + 1)));
        findings.extend(items.filter_map(|(item, line)| rules::check_name(&item, line)));
    }
    findings.sort_by_key(|finding| finding.line);
    let located = |finding: Finding| {
        let source = code[finding.line - 1].trim().to_owned();
        Located { path: path.to_owned(), finding, source }
    };
    findings.into_iter().map(located).collect()
}

/// Returns an error that lists the findings that are not allowed, and the entries of `allowed` without a finding.
fn report(findings: &[Located], allowed: &str) -> Result<(), String> {
    let mut problems = Vec::new();
    let mut exempted = Vec::new();
    for entry in allowed.lines() {
        let parts = entry.split_once(" | ").and_then(|(path, rest)| Some((path, rest.rsplit_once(" | ")?.0)));
        let (path, line) = parts.ok_or_else(|| format!("allowed.txt: `{entry}` is not PATH | LINE | REASON"))?;
        if !findings.iter().any(|found| found.path == path && found.source == line) {
            problems.push(format!("allowed.txt: no finding in {path}: {line}"));
        }
        exempted.push((path, line));
    }
    let is_allowed = |found: &&Located| exempted.contains(&(found.path.as_str(), found.source.as_str()));
    problems.extend(findings.iter().filter(|found| !is_allowed(found)).map(Located::to_string));
    if problems.is_empty() { Ok(()) } else { Err(format!("words:\n{}", problems.join("\n"))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_pass() {
        if root().join(".git").exists() {
            run().unwrap_or_else(|findings| panic!("{findings}"));
        }
    }

    #[test]
    fn the_list_of_exempted_lines_stays_short() {
        assert!(ALLOWED.lines().count() < 30, "fix the lines instead");
    }

    #[test]
    fn findings_have_line_numbers_unless_exempted() {
        let findings = check("a.md", "One.\n\nSuch\nones, anew.\n");
        let all = "words:\na.md:3: \"Such ones\": repeat the noun\n\
                   a.md:4: \"anew\": \"again\", \"new\", or a verb with \"re-\"";
        assert_eq!(report(&findings, "").unwrap_err(), all);
        let allowed = "a.md | Such | quoted\na.md | ones, anew. | quoted\n";
        assert_eq!(report(&findings, allowed), Ok(()));
        assert_eq!(report(&[], allowed).unwrap_err().lines().count(), 3);
        assert!(report(&[], "a.md | Such").unwrap_err().contains("is not PATH | LINE | REASON"));
    }
}
