//! Opening a page in the browser of the user.

use std::env;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use throng_core::InputError;

/// The time in which a program that opens pages says that it cannot.
const PATIENCE: Duration = Duration::from_secs(1);

/// Opens a page in the browser that the system has chosen for pages.
///
/// # Errors
/// When there is no such program or no display, or when the program fails within a second. The message contains the
/// address, for the user to open.
pub fn open_browser(url: &str) -> Result<(), InputError> {
    let failed = |reason: String| {
        Err(InputError::one("browser", format!("it cannot be opened: {reason}"), format!("open {url} in a browser")))
    };
    if !has_display() {
        return failed("there is no display".to_owned());
    }
    let (program, before): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        // The first argument in quotes would be the title of a window.
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    // What browsers write must not end up between the lines of ours.
    command.args(before).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match ended(&mut command) {
        Err(error) => failed(format!("{program}: {error}")),
        Ok(Some(status)) if !status.success() => failed(format!("{program}: {status}")),
        Ok(_) => Ok(()),
    }
}

/// Without a display, `xdg-open` would start a browser in the terminal.
fn has_display() -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(all(unix, not(target_os = "macos")))
        || ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "WSL_DISTRO_NAME"].into_iter().any(is_set)
}

/// Starts a program. Its end, unless it is still running when the patience is: then it has become the browser itself.
fn ended(command: &mut Command) -> std::io::Result<Option<ExitStatus>> {
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
    fn the_end_of_a_program_is_seen() {
        if cfg!(unix) {
            assert!(!ended(&mut Command::new("false")).unwrap().unwrap().success());
            assert!(ended(&mut Command::new("true")).unwrap().unwrap().success());
        }
        assert!(ended(&mut Command::new("/nowhere/at/all")).is_err());
    }
}
