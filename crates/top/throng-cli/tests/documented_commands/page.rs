//! The steps that a page tells its reader to take, extracted from its Markdown code blocks in order.
//!
//! Every block has a kind. `sh` contains commands. `console` contains commands after `$ `, each followed by lines of
//! its output, in which `...` matches any text. Blocks of other kinds are ignored, unless the comment
//! `<!-- file: NAME -->` precedes them: the reader saves such a block as a file with that name. The comment
//! `<!-- not run: REASON -->` above a block gives the reason why the test skips it.

/// An action of the reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Saves text in a file.
    Save { name: String, text: String },
    /// Types a command.
    Type(Typed),
}

/// A command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Typed {
    /// Line of the page, starting at 1.
    pub line: usize,
    /// The command in shell syntax.
    pub command: String,
    /// Lines of its output.
    pub prints: Vec<String>,
}

/// Returns the steps of a page.
///
/// # Errors
/// When a block has no kind, or a `not run` comment gives no reason; the error names the line.
pub fn steps(page: &str) -> Result<Vec<Step>, String> {
    let (mut steps, mut comment) = (Vec::new(), None);
    let mut lines = (1..).zip(page.lines());
    while let Some((number, line)) = lines.next() {
        let Some(kind) = line.strip_prefix("```") else {
            if !line.trim().is_empty() {
                comment = line.strip_prefix("<!-- ").and_then(|line| line.strip_suffix(" -->"));
            }
            continue;
        };
        let block: Vec<(usize, &str)> = lines.by_ref().take_while(|(_, line)| *line != "```").collect();
        match (kind, comment.take().and_then(|comment| comment.split_once(": "))) {
            ("", _) => {
                return Err(format!(
                    "line {number}: the block has no kind; begin it with ```sh, ```console or ```text"
                ));
            }
            (_, Some(("not run", ""))) => return Err(format!("line {number}: give the reason why it is not run")),
            (_, Some(("not run", _))) => {}
            (_, Some(("file", name))) => {
                let text = block.iter().flat_map(|(_, line)| [line, "\n"]).collect();
                steps.push(Step::Save { name: name.to_owned(), text });
            }
            ("sh", _) => steps.extend(commands(block.into_iter())),
            ("console", _) => steps.extend(session(block.into_iter())),
            _ => {}
        }
    }
    Ok(steps)
}

/// Returns the commands of a block.
fn commands<'p>(mut lines: impl Iterator<Item = (usize, &'p str)>) -> Vec<Step> {
    let mut commands = Vec::new();
    while let Some((line, first)) = lines.next() {
        let command = whole(first, &mut lines);
        if !command.trim().is_empty() {
            commands.push(Step::Type(Typed { line, command, prints: Vec::new() }));
        }
    }
    commands
}

/// Returns the commands of a session with their output.
fn session<'p>(mut lines: impl Iterator<Item = (usize, &'p str)>) -> Vec<Step> {
    let mut typed: Vec<Typed> = Vec::new();
    while let Some((line, text)) = lines.next() {
        if let Some(first) = text.strip_prefix("$ ") {
            typed.push(Typed { line, command: whole(first, &mut lines), prints: Vec::new() });
        } else if let Some(typed) = typed.last_mut() {
            typed.prints.push(text.to_owned());
        }
    }
    typed.into_iter().map(Step::Type).collect()
}

/// Returns a command; if its first line ends with a backslash, the continuation lines are appended.
fn whole<'p>(first: &str, lines: &mut impl Iterator<Item = (usize, &'p str)>) -> String {
    let mut command = first.to_owned();
    while command.ends_with('\\') {
        command.pop();
        let Some((_, next)) = lines.next() else { break };
        command.push_str(next.trim_start());
    }
    command
}

/// Returns the first line that is missing from the printed text, in which all lines must occur in the given order.
pub fn not_printed<'l>(lines: &'l [String], printed: &str) -> Option<&'l String> {
    let mut printed = printed.lines();
    lines.iter().find(|line| !printed.any(|printed| is_like(printed.trim_end(), line.trim_end())))
}

/// Whether a line matches a pattern in which `...` stands for any text.
fn is_like(line: &str, pattern: &str) -> bool {
    let Some((start, pattern)) = pattern.split_once("...") else { return line == pattern };
    let Some(mut rest) = line.strip_prefix(start) else { return false };
    let (parts, end) = pattern.rsplit_once("...").unwrap_or(("", pattern));
    for part in parts.split("...") {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    rest.ends_with(end)
}

#[test]
fn code_blocks_of_a_page_are_parsed() {
    let typed = |line, command: &str, prints: &[&str]| {
        let prints = prints.iter().map(|&line| line.to_owned()).collect();
        Step::Type(Typed { line, command: command.to_owned(), prints })
    };
    let page = "Save this:\n\n<!-- file: a.toml -->\n```toml\na = 1\n```\n\n```sh\nthrong run \\\n    a.toml  # so\n\nthrong list\n\
                ```\n<!-- not run: no files -->\n```sh\nthrong run b\n```\n```text\nthrong\n```\n```console\n$ throng x\n\
                error: ...\n$ throng y\n```\n";
    let save = Step::Save { name: "a.toml".to_owned(), text: "a = 1\n".to_owned() };
    let expected = [
        save,
        typed(9, "throng run a.toml  # so", &[]),
        typed(12, "throng list", &[]),
        typed(22, "throng x", &["error: ..."]),
        typed(24, "throng y", &[]),
    ];
    assert_eq!(steps(page).unwrap(), expected);
    for (faulty, error) in
        [("a\n```\nb\n```\n", "line 2: the block has no kind"), ("<!-- not run:  -->\n```sh\n```\n", "line 2: give")]
    {
        assert!(steps(faulty).unwrap_err().starts_with(error), "{:?}", steps(faulty));
    }
}

#[test]
fn printed_lines_are_compared_in_order() {
    let lines = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>();
    let printed = "seed: 1\ntrips 12 in 3.4 s\nreport a";
    for (expected, missing) in [
        (&["seed: 1", "report a"][..], None),
        (&["trips ... in ... s", "..."], None),
        (&["trips ... in 3"], Some("trips ... in 3")),
        (&["report a", "seed: 1"], Some("seed: 1")),
        (&["seed"], Some("seed")),
    ] {
        assert_eq!(not_printed(&lines(expected), printed).map(String::as_str), missing, "{expected:?}");
    }
}
