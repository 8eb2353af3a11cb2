//! Templates of scenario files, derived from the declaration that reads them.

use std::collections::HashSet;
use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Serialize;

use crate::Failure;
use crate::scenario_file::schema::{Key, keys};
use crate::scenario_file::written;

/// Maximum line length of a comment.
const WIDTH: usize = 100;

/// Returns a scenario file of `model` with all keys of a declaration, each below its doc comment: keys with their
/// default values, and keys without a default as comments.
///
/// ```
/// #[derive(Default, serde::Serialize, schemars::JsonSchema)]
/// struct Scenario {
///     /// Steps of the simulation.
///     steps: u32,
///     /// Metres.
///     width: Option<f64>,
/// }
/// let text = throng_model::scenario_file::template_text::<Scenario>("rivers", "Rivers that rise")?;
/// assert!(text.starts_with("# Rivers that rise\nmodel = \"rivers\"\n# Steps of the simulation.\nsteps = 0\n"));
/// assert!(text.ends_with("# Metres.\n# width = (a number)\n"));
/// # Ok::<(), throng_model::Failure>(())
/// ```
///
/// # Errors
/// When TOML cannot express a value.
pub fn template_text<T: Serialize + JsonSchema + Default>(model: &str, about: &str) -> Result<String, Failure> {
    let mut text = format!("# {about}\n");
    let file = written(model, &T::default())?;
    let headings: HashSet<&str> = file.lines().filter_map(heading).collect();
    // Tables have separate headings.
    let keys_of = |path: &[&str]| {
        let name = |key: &Key| [path, &[&key.name]].concat().join(".");
        keys::<T>(path).into_iter().filter(|key| !headings.contains(&*name(key))).collect()
    };
    let mut unset: Vec<Key> = keys_of(&[]);
    let mut in_long_text = false;
    // The root keys precede the first heading, and each heading precedes the keys of its table.
    for line in file.lines() {
        let was_in_long_text = in_long_text;
        in_long_text ^= line.matches("\"\"\"").count() % 2 == 1;
        if was_in_long_text {
            let _ = writeln!(text, "{line}");
            continue;
        }
        if let Some(heading) = heading(line) {
            write_unset(&mut text, &unset);
            let path: Vec<&str> = heading.split('.').collect();
            let (last, tables) = path.split_last().unwrap_or((&heading, &[]));
            let meaning = keys::<T>(tables).into_iter().find(|key| key.name == *last);
            text.push('\n');
            write_meaning(&mut text, meaning.as_ref().map_or("", |key| &key.meaning));
            unset = keys_of(&path);
        } else if let Some((name, _)) = line.split_once(" = ")
            && let Some(at) = unset.iter().position(|key| key.name == name)
        {
            write_meaning(&mut text, &unset.remove(at).meaning);
        }
        // Blank lines occur only before headings.
        if !line.is_empty() {
            text.push_str(line);
            text.push('\n');
        }
    }
    write_unset(&mut text, &unset);
    Ok(text)
}

/// Returns the path in a line that starts a table.
fn heading(line: &str) -> Option<&str> {
    line.strip_prefix('[').map(|rest| rest.trim_matches(['[', ']']))
}

/// Writes the keys without a value, as comments.
fn write_unset(text: &mut String, keys: &[Key]) {
    for Key { name, meaning, kind } in keys {
        write_meaning(text, meaning);
        let _ = writeln!(text, "# {name} = ({kind})");
    }
}

fn write_meaning(text: &mut String, meaning: &str) {
    for line in wrapped(meaning) {
        let _ = writeln!(text, "# {line}");
    }
}

/// Wraps a text into lines of at most [`WIDTH`] columns, unless a word is longer.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut().filter(|line| line.chars().count() + 1 + word.chars().count() <= WIDTH) {
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default, Serialize, JsonSchema)]
    struct River {
        /// Cubic metres in a second.
        flow: f64,
        name: String,
        /// Its bed.
        bed: Bed,
    }

    #[derive(Default, Serialize, JsonSchema)]
    struct Bed {
        /// Metres.
        width: f64,
    }

    #[test]
    fn keys_of_tables_have_their_comments() {
        let text = template_text::<River>("rivers", "Rivers").unwrap();
        let expected = "# Rivers\nmodel = \"rivers\"\n# Cubic metres in a second.\nflow = 0.0\nname = \"\"\n\n\
                        # Its bed.\n[bed]\n# Metres.\nwidth = 0.0\n";
        assert_eq!(text, expected);
    }

    #[derive(Serialize, JsonSchema)]
    struct Delta {
        /// What it is.
        about: String,
        /// Metres above the sea.
        height: Option<f64>,
        /// Its arms.
        arms: Vec<Bed>,
        /// Cubic metres in a second.
        flow: Option<f64>,
    }

    impl Default for Delta {
        fn default() -> Self {
            let arms = vec![Bed { width: 1.0 }, Bed { width: 2.0 }];
            Self { about: "two arms,\n[no bed]\nname = mud\n".into(), height: None, arms, flow: None }
        }
    }

    #[test]
    fn keys_without_a_value_are_comments_and_lists_of_tables_have_theirs() {
        let text = template_text::<Delta>("deltas", "Deltas").unwrap();
        let expected = "# Deltas\nmodel = \"deltas\"\n# What it is.\nabout = \"\"\"\ntwo arms,\n[no bed]\nname = mud\n\"\"\"\n\
                        # Cubic metres in a second.\n# flow = (a number)\n# Metres above the sea.\n# height = (a number)\n\n\
                        # Its arms.\n[[arms]]\n# Metres.\nwidth = 1.0\n\n# Its arms.\n[[arms]]\n# Metres.\nwidth = 2.0\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn long_comments_wrap_between_words() {
        let lines = wrapped(&"word ".repeat(40));
        assert_eq!(lines.iter().map(String::len).collect::<Vec<_>>(), [99, 99]);
        assert_eq!(wrapped(""), [""; 0]);
        assert_eq!(wrapped(&"x".repeat(120)).len(), 1);
    }
}
