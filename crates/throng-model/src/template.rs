//! A scenario file to begin with, from the declaration that reads it.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Serialize;

use crate::schema::meaning;
use crate::{Failure, written};

/// Columns of a comment.
const WIDTH: usize = 100;

/// A scenario file of `model` with all keys of a declaration: the default values, each with its doc comment.
///
/// ```
/// #[derive(Default, serde::Serialize, schemars::JsonSchema)]
/// struct Scenario {
///     /// Steps of the simulation.
///     steps: u32,
/// }
/// let text = throng_model::template_text::<Scenario>("rivers", "Rivers that rise")?;
/// assert_eq!(text, "# Rivers that rise\nmodel = \"rivers\"\n# Steps of the simulation.\nsteps = 0\n");
/// # Ok::<(), throng_model::Failure>(())
/// ```
///
/// # Errors
/// When TOML cannot express a value.
pub fn template_text<T: Serialize + JsonSchema + Default>(model: &str, about: &str) -> Result<String, Failure> {
    let mut text = format!("# {about}\n");
    let mut table: Vec<String> = Vec::new();
    for line in written(model, &T::default())?.lines() {
        let heading = line.strip_prefix('[').map(|rest| rest.trim_matches(['[', ']']));
        if let Some(heading) = heading {
            table = heading.split('.').map(ToOwned::to_owned).collect();
        }
        let key = line.split_once(" = ").filter(|_| heading.is_none()).map(|(key, _)| key.to_owned());
        let path: Vec<&str> = table.iter().chain(&key).map(String::as_str).collect();
        for comment in wrapped(&meaning::<T>(&path)) {
            let _ = writeln!(text, "# {comment}");
        }
        text.push_str(line);
        text.push('\n');
    }
    Ok(text)
}

/// The words of a text in lines of at most [`WIDTH`] columns, unless a word is longer.
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

    #[test]
    fn long_comments_wrap_between_words() {
        let lines = wrapped(&"word ".repeat(40));
        assert_eq!(lines.iter().map(String::len).collect::<Vec<_>>(), [99, 99]);
        assert_eq!(wrapped(""), [""; 0]);
        assert_eq!(wrapped(&"x".repeat(120)).len(), 1);
    }
}
