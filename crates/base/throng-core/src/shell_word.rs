//! Quoting of paths and arguments in printed commands.

use std::path::Path;

/// Formats a path as one word of a POSIX shell command, quoted if it contains spaces or other special characters.
///
/// ```
/// use throng_core::shell_word;
///
/// assert_eq!(shell_word("output/city".as_ref()), "output/city");
/// assert_eq!(shell_word("my runs/it's".as_ref()), r#""my runs/it's""#);
/// assert_eq!(shell_word("-v.toml".as_ref()), "./-v.toml", "not an option");
/// ```
pub fn shell_word(path: &Path) -> String {
    let text = path.display().to_string();
    let text = if text.starts_with('-') { format!("./{text}") } else { text };
    shell_argument(&text)
}

/// Quotes an argument for a POSIX shell where necessary. Options stay options.
pub fn shell_argument(text: &str) -> String {
    // Only text with a NUL cannot be quoted, and no such argument exists.
    shlex::try_quote(text).map_or_else(|_| text.to_owned(), std::borrow::Cow::into_owned)
}
