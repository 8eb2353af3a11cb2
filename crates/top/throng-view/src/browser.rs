//! Opens a page in the user's browser.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use std::{env, fs, io};

use tempfile::TempDir;
use throng_core::InputError;

/// How long a program that opens pages may take to report failure.
const PATIENCE: Duration = Duration::from_secs(1);
/// Time after which a browser has certainly read the redirect file.
const KEPT: Duration = Duration::from_mins(1);

/// A page that was opened, and its redirect file. The file is removed when this value is dropped, or after a minute.
#[derive(Debug)]
#[must_use = "the browser may not have read the file yet"]
pub struct Opened {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Opened {
    fn new(folder: TempDir) -> Result<Self, InputError> {
        let (end, ended) = channel();
        let thread = throng_core::spawn("file of the browser", move || {
            // Nothing is ever sent: this returns after the time, or when the sender is dropped.
            let _ = ended.recv_timeout(KEPT);
            drop(folder);
        })?;
        Ok(Self { end: Some(end), thread: Some(thread) })
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        self.end = None;
        if let Some(thread) = self.thread.take() {
            // The thread cannot fail.
            let _ = thread.join();
        }
    }
}

/// Opens a page in the system's default browser.
///
/// Command lines are visible to other users of the computer. So the browser gets the path of a file that only this user
/// can read and that redirects to the page.
///
/// # Errors
/// If there is no display, temporary file or thread, or the program that opens pages is missing or fails in a second.
/// The message contains the address, which the user can open.
pub fn open_browser(url: &str) -> Result<Opened, InputError> {
    let failed = |reason: String| {
        Err(InputError::one("browser", format!("it cannot be opened: {reason}"), format!("open {url} in a browser")))
    };
    if !has_display() {
        return failed("there is no display".to_owned());
    }
    let (program, before): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        // `start` would take a first argument in quotes as the window title.
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let (folder, file) = match redirect(url) {
        Ok(both) => both,
        Err(error) => return failed(format!("a temporary file cannot be written: {error}")),
    };
    let opened = match Opened::new(folder) {
        Ok(opened) => opened,
        Err(error) => return failed(error.to_string()),
    };
    let mut command = Command::new(program);
    // Keeps the output of browsers out of ours.
    command.args(before).arg(file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match exit_within_patience(&mut command) {
        Err(error) => failed(format!("{program}: {error}")),
        Ok(Some(status)) if !status.success() => failed(format!("{program}: {status}")),
        Ok(_) => Ok(opened),
    }
}

/// Writes a file that redirects to an address, in a new folder. On Unix, only this user may read them; on Windows, this
/// is true of the user's temporary folder.
fn redirect(url: &str) -> io::Result<(TempDir, PathBuf)> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("throng-view-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o700));
    }
    let folder = builder.tempdir()?;
    let file = folder.path().join("open.html");
    write_private(&file, &redirecting(url))?;
    Ok((folder, file))
}

fn write_private(file: &Path, text: &str) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    io::Write::write_all(&mut options.open(file)?, text.as_bytes())
}

/// An HTML page that redirects to an address.
fn redirecting(url: &str) -> String {
    let mut escaped = url.to_owned();
    for (character, entity) in [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;")] {
        escaped = escaped.replace(character, entity);
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Throng</title>\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<meta http-equiv=\"refresh\" content=\"0; url={escaped}\">\n\
         <p><a href=\"{escaped}\">The live page</a></p>\n"
    )
}

/// Whether there is a display. Without one, `xdg-open` would start a browser in the terminal.
fn has_display() -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(all(unix, not(target_os = "macos")))
        || ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "WSL_DISTRO_NAME"].into_iter().any(is_set)
}

/// Starts a program. Returns its exit status, or `None` if it is still running after [`PATIENCE`] (it has become the
/// browser).
fn exit_within_patience(command: &mut Command) -> io::Result<Option<ExitStatus>> {
    let mut program = command.spawn()?;
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if let Some(status) = program.try_wait()? {
            return Ok(Some(status));
        }
        thread::sleep(Duration::from_millis(20));
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exit_status_of_a_program_is_detected() {
        if cfg!(unix) {
            assert!(!exit_within_patience(&mut Command::new("false")).unwrap().unwrap().success());
            assert!(exit_within_patience(&mut Command::new("true")).unwrap().unwrap().success());
        }
        assert!(exit_within_patience(&mut Command::new("/nowhere/at/all")).is_err());
    }

    #[test]
    fn addresses_are_escaped() {
        let page = redirecting("http://127.0.0.1:1/a\"><b>&c/");
        assert!(page.contains("content=\"0; url=http://127.0.0.1:1/a&quot;&gt;&lt;b&gt;&amp;c/\""), "{page}");
    }
}
