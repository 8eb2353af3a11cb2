//! Opening of input files named by the user.

use std::fs::{self, File, FileType};
use std::io::{self, ErrorKind, Read as _};
use std::path::Path;

use crate::{InputError, hint_for_missing};

/// Remedy for a [`special_file`].
pub const STORE_IT: &str = "store its content in a file, and name that";

/// Describes `path` if it is neither a file nor a folder, as text that follows its name (for example "is a socket, not
/// a file"). `None` for files and folders, and for paths that do not exist or cannot be examined.
///
/// Inputs are read more than once: to detect their format, to load them and to copy them to the results. A device such
/// as `/dev/zero` never ends, and opening a pipe blocks until another program writes to it.
///
/// ```
/// use std::path::Path;
///
/// assert_eq!(throng_core::special_file(Path::new("/nowhere")), None);
/// ```
pub fn special_file(path: &Path) -> Option<&'static str> {
    name_of_special(fs::metadata(path).ok()?.file_type())
}

/// Opens an input for reading like [`File::open`], but rejects anything other than a regular file. [`unreadable_input`]
/// turns the error into a report with a remedy.
///
/// # Errors
/// If the file does not exist or cannot be read, or if it is a folder, pipe, socket or device.
pub fn open_input(path: &Path) -> io::Result<File> {
    // Checked before opening, because opening a pipe blocks.
    check_kind(fs::metadata(path)?.file_type())?;
    let file = File::open(path)?;
    check_kind(file.metadata()?.file_type())?;
    Ok(file)
}

/// Reads an input of at most `max_bytes` bytes. Memory use depends on the bytes actually read, not on the size reported
/// by the file system.
///
/// # Errors
/// As for [`open_input`], and if the file is larger.
pub fn read_input(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_input(path)?.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(io::Error::new(ErrorKind::FileTooLarge, format!("it has more than {max_bytes} bytes")));
    }
    Ok(bytes)
}

/// Reads a UTF-8 input of at most `max_bytes` bytes.
///
/// # Errors
/// As for [`read_input`], and if the bytes are not UTF-8.
pub fn read_input_text(path: &Path, max_bytes: u64) -> io::Result<String> {
    let not_text = |error: std::string::FromUtf8Error| {
        let byte = error.utf8_error().valid_up_to();
        io::Error::new(ErrorKind::InvalidData, format!("byte {byte} is not valid UTF-8"))
    };
    String::from_utf8(read_input(path, max_bytes)?).map_err(not_text)
}

/// Returns the error for an input that [`open_input`] or a later read rejected: path, reason and remedy.
pub fn unreadable_input(path: &Path, error: &io::Error) -> InputError {
    let remedy = match error.kind() {
        ErrorKind::NotFound => hint_for_missing(path),
        ErrorKind::IsADirectory => "name a file in it".to_owned(),
        ErrorKind::Unsupported => STORE_IT.to_owned(),
        ErrorKind::FileTooLarge => "name a smaller file".to_owned(),
        ErrorKind::InvalidData => "name a text file in UTF-8".to_owned(),
        ErrorKind::PermissionDenied => "change its access rights, or run as its owner".to_owned(),
        _ => "check the disk and the permissions of the file".to_owned(),
    };
    InputError::one(path.display().to_string(), format!("cannot be read: {error}"), remedy)
}

fn check_kind(kind: FileType) -> io::Result<()> {
    if kind.is_dir() {
        return Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder"));
    }
    match name_of_special(kind) {
        Some(special) => Err(io::Error::new(ErrorKind::Unsupported, format!("it {special}"))),
        None => Ok(()),
    }
}

fn name_of_special(kind: FileType) -> Option<&'static str> {
    if kind.is_file() || kind.is_dir() { None } else { Some(special(kind)) }
}

#[cfg(unix)]
fn special(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt as _;

    if kind.is_fifo() {
        "is a pipe, which can be read only once"
    } else if kind.is_socket() {
        "is a socket, not a file"
    } else {
        "is a device, not a file"
    }
}

#[cfg(not(unix))]
fn special(_: FileType) -> &'static str {
    "is not a regular file"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(path: &Path) -> String {
        unreadable_input(path, &read_input_text(path, 4).unwrap_err()).to_string()
    }

    #[test]
    fn only_utf_8_files_up_to_the_size_limit_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.toml");
        for (content, expected) in [
            (&b"four"[..], Ok("four")),
            (b"five5", Err("cannot be read: it has more than 4 bytes\n    name a smaller file")),
            (b"a\xff", Err("cannot be read: byte 1 is not valid UTF-8\n    name a text file in UTF-8")),
        ] {
            fs::write(&path, content).unwrap();
            match expected {
                Ok(text) => assert_eq!(read_input_text(&path, 4).unwrap(), text),
                Err(text) => assert_eq!(refusal(&path), format!("{}: {text}", path.display())),
            }
        }
        // A sparse file: it has a size, but no data.
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        assert!(refusal(&path).contains("more than 4 bytes"));
        assert!(refusal(dir.path()).ends_with("cannot be read: it is a folder\n    name a file in it"));
        let missing = refusal(&dir.path().join("a.tml"));
        assert!(
            missing.contains("a.tml: cannot be read: No such file") && missing.contains("did you mean "),
            "{missing}"
        );
    }

    #[cfg(unix)]
    #[test]
    fn pipes_sockets_and_devices_are_refused_before_they_are_opened() {
        let dir = tempfile::tempdir().unwrap();
        let [socket, link] = ["socket", "link"].map(|name| dir.path().join(name));
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
        assert!(refusal(&socket).ends_with(
            "socket: cannot be read: it is a socket, not a file\n    store its content in a file, and name that"
        ));
        assert!(refusal(&link).contains("link: cannot be read: it is a device, not a file"));
        let pipe = dir.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success(), "mkfifo is part of POSIX");
        assert!(refusal(&pipe).contains("pipe: cannot be read: it is a pipe, which can be read only once"));
        assert_eq!(special_file(dir.path()), None);
    }
}
