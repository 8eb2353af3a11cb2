//! Paths in commands that are printed.

use std::path::Path;

/// A path as one word of a command for a POSIX shell: quoted if it contains spaces or other characters with a meaning there.
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

/// An argument as a shell takes it, in quotes where it needs them. Options stay options.
pub fn shell_argument(text: &str) -> String {
    // Only a text with a NUL has no quoted form, and no such argument exists.
    shlex::try_quote(text).map_or_else(|_| text.to_owned(), std::borrow::Cow::into_owned)
}
