//! Checks of the path of a new file.

#[cfg(unix)]
use std::fs::Metadata;
use std::fs::{self, File, FileType};
use std::path::Path;

use crate::OutputError;

/// Rejects the path of a new file if an existing file must not be replaced: an input of the program, under any name or
/// link, or anything but a regular file.
///
/// # Errors
/// [`OutputError::NotReplaced`].
pub fn check_target<'a>(target: &Path, inputs: impl IntoIterator<Item = &'a Path>) -> Result<(), OutputError> {
    // Without metadata, the file does not exist, or creating it fails with its own message.
    let Ok(metadata) = fs::symlink_metadata(target) else { return Ok(()) };
    let refused = |reason: String, remedy: &str| {
        Err(OutputError::NotReplaced { path: target.to_owned(), reason, remedy: remedy.to_owned() })
    };
    if let Some(input) = inputs.into_iter().find(|input| same_file(target, input)) {
        let reason = if input == target {
            "it is also read".to_owned()
        } else {
            format!("it is the same file as {}, which is also read", input.display())
        };
        return refused(reason, "write to another file or folder");
    }
    if metadata.is_symlink() {
        let to = fs::read_link(target).map_or_else(|_| "another file".to_owned(), |to| to.display().to_string());
        return refused(
            format!("it is a symbolic link to {to}"),
            "write to that file by its own name, or remove the link",
        );
    }
    if !metadata.is_file() {
        return refused(
            format!("it is {}", kind(metadata.file_type())),
            "write to another file or folder, or remove it",
        );
    }
    Ok(())
}

/// Whether two paths refer to the same file; false if either does not exist.
pub(crate) fn same_file(a: &Path, b: &Path) -> bool {
    identity(a).is_some_and(|a| identity(b) == Some(a))
}

#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    fs::metadata(path).ok().as_ref().map(identity_of)
}

/// Device and inode, which are the same for all names of the file.
#[cfg(unix)]
fn identity_of(metadata: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt as _;
    (metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<std::path::PathBuf> {
    fs::canonicalize(path).ok()
}

/// Whether `path` still refers to the open `file`.
#[cfg(unix)]
pub(crate) fn leads_to(path: &Path, file: &File) -> bool {
    file.metadata().is_ok_and(|metadata| identity(path) == Some(identity_of(&metadata)))
}

/// Whether `path` still refers to the open `file`. On other systems an open file cannot be removed.
#[cfg(not(unix))]
pub(crate) fn leads_to(_: &Path, _: &File) -> bool {
    true
}

#[cfg(unix)]
fn kind(file: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt as _;
    match file {
        kind if kind.is_dir() => "a folder",
        kind if kind.is_fifo() => "a named pipe",
        kind if kind.is_socket() => "a socket",
        kind if kind.is_char_device() || kind.is_block_device() => "a device",
        _ => "not a regular file",
    }
}

#[cfg(not(unix))]
fn kind(file: FileType) -> &'static str {
    if file.is_dir() { "a folder" } else { "not a regular file" }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn refusal(target: &Path, inputs: &[&Path]) -> String {
        check_target(target, inputs.iter().copied()).err().map_or_else(String::new, |error| error.to_string())
    }

    #[test]
    fn only_regular_files_that_are_not_read_may_be_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        let (plain, read, hard, soft) = (path("plain"), path("read"), path("hard"), path("soft"));
        fs::write(&plain, "a").unwrap();
        fs::write(&read, "b").unwrap();
        fs::hard_link(&read, &hard).unwrap();
        symlink(&read, &soft).unwrap();
        symlink("nowhere", path("dangling")).unwrap();
        fs::create_dir(path("sub")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(path("socket")).unwrap();

        assert_eq!((refusal(&plain, &[&read]), refusal(&path("new"), &[&read])), (String::new(), String::new()));
        assert!(refusal(&read, &[&plain, &read]).contains("read: not replaced: it is also read\n    write to another"));
        let through = path("sub/../read");
        for (target, input) in [(&hard, &read), (&read, &soft), (&read, &through), (&soft, &read)] {
            let text = refusal(target, &[input]);
            assert!(text.contains(&format!("the same file as {}, which is also read", input.display())), "{text}");
        }
        for (name, reason) in [
            ("dangling", "it is a symbolic link to nowhere\n    write to that file by its own name"),
            ("sub", "it is a folder\n"),
            ("socket", "it is a socket\n"),
        ] {
            assert!(refusal(&path(name), &[]).contains(reason), "{}", refusal(&path(name), &[]));
        }
        assert!(refusal(Path::new("/dev/null"), &[]).contains("it is a device"));
    }
}
