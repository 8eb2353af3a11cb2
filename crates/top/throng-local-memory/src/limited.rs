//! Runs another program with limits. They stop a preprocessor whose input includes a device file, or endlessly includes
//! itself.

use std::fs::File;
use std::io::{self, Read as _, Seek as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Resource limits for running a program.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub time: Duration,
    /// Maximum size of its output, and of its messages, bytes.
    pub output_bytes: u64,
    /// Maximum size of its address space in bytes, on systems where a shell can limit it.
    pub memory_bytes: u64,
}

/// The output of a program that ended within its limits.
#[derive(Debug)]
pub(crate) struct Output {
    pub status: ExitStatus,
    pub text: String,
    pub messages: String,
}

/// The reason why a program has no result.
#[derive(Debug)]
pub(crate) enum Failed {
    /// The program does not exist.
    NotFound,
    Io(io::Error),
    /// It was killed at the time limit.
    TooLong,
    /// It was killed at the output limit.
    TooMuch,
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::NotFound { Self::NotFound } else { Self::Io(error) }
    }
}

/// Maximum time between two polls of a program.
const PAUSE: Duration = Duration::from_millis(20);
/// The exit status of a shell if the program does not exist.
const NOT_FOUND: i32 = 127;

/// Builds a command with a memory limit. Child processes, such as the compiler that a driver starts, inherit the limit.
pub(crate) fn command(program: &str, limits: Limits) -> Command {
    if cfg!(not(unix)) {
        return Command::new(program);
    }
    let mut command = Command::new("sh");
    let script = format!("ulimit -v {} 2>/dev/null || :; exec \"$@\"", limits.memory_bytes >> 10);
    command.arg("-c").arg(script).args(["sh", program]);
    command
}

/// Runs a [`command`] until it ends or reaches a limit.
///
/// # Errors
/// If the program does not exist, the system reports an error, or a limit is reached.
pub(crate) fn run(mut command: Command, limits: Limits) -> Result<Output, Failed> {
    let (mut text, mut messages) =
        (tempfile::tempfile().map_err(Failed::Io)?, tempfile::tempfile().map_err(Failed::Io)?);
    command.stdout(text.try_clone().map_err(Failed::Io)?).stderr(messages.try_clone().map_err(Failed::Io)?);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn()?;
    let status = wait(&mut child, [&text, &messages], limits).inspect_err(|_| end(&mut child))?;
    if cfg!(unix) && status.code() == Some(NOT_FOUND) {
        return Err(Failed::NotFound);
    }
    let [text, messages] = [&mut text, &mut messages].map(read);
    Ok(Output { status, text: text.map_err(Failed::Io)?, messages: messages.map_err(Failed::Io)? })
}

fn wait(child: &mut Child, outputs: [&File; 2], limits: Limits) -> Result<ExitStatus, Failed> {
    let (began, mut pause) = (Instant::now(), Duration::from_millis(1));
    loop {
        let status = child.try_wait().map_err(Failed::Io)?;
        for output in outputs {
            if output.metadata().map_err(Failed::Io)?.len() > limits.output_bytes {
                return Err(Failed::TooMuch);
            }
        }
        if let Some(status) = status {
            return Ok(status);
        }
        if began.elapsed() >= limits.time {
            return Err(Failed::TooLong);
        }
        sleep(pause);
        pause = (2 * pause).min(PAUSE);
    }
}

/// Kills a program together with the processes that it has started.
fn end(child: &mut Child) {
    if cfg!(unix) {
        let script = "kill -s KILL -- -\"$0\"";
        let group = child.id().to_string();
        // If this fails for lack of a shell, at least the process itself is killed.
        let _ = Command::new("sh").args(["-c", script, &group]).stderr(Stdio::null()).status();
    }
    let _ = child.kill();
    let _ = child.wait();
}

fn read(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { time: Duration::from_mins(1), output_bytes: 1000, memory_bytes: 1 << 30 };

    fn run_script(script: &str, limits: Limits) -> Result<Output, Failed> {
        let mut command = command("sh", limits);
        command.args(["-c", script]);
        run(command, limits)
    }

    #[test]
    fn a_program_ends_by_itself_or_at_a_limit() {
        let output = run_script("echo a; echo b >&2; exit 3", LIMITS).unwrap();
        assert_eq!((output.status.code(), output.text.as_str(), output.messages.as_str()), (Some(3), "a\n", "b\n"));
        let short = Limits { time: Duration::from_millis(50), ..LIMITS };
        assert!(matches!(run_script("sleep 1000 & sleep 1000", short), Err(Failed::TooLong)));
        for script in ["yes", "yes >&2", "yes | head -c 2000"] {
            assert!(matches!(run_script(script, LIMITS), Err(Failed::TooMuch)), "{script}");
        }
        assert!(matches!(run(command("no such program", LIMITS), LIMITS), Err(Failed::NotFound)));
    }

    /// The processes that a program has started are killed, too.
    #[test]
    fn no_process_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pid");
        let script = format!("sleep 1000 & echo $! > '{0}.new'; mv '{0}.new' '{0}'; yes", file.display());
        assert!(matches!(run_script(&script, LIMITS), Err(Failed::TooMuch)));
        let process = std::fs::read_to_string(&file).unwrap();
        let is_running = || Command::new("kill").args(["-0", process.trim()]).stderr(Stdio::null()).status();
        // It disappears once the system has processed the signal.
        while is_running().is_ok_and(|status| status.success() && !is_ended(process.trim())) {
            sleep(PAUSE);
        }
    }

    /// Whether a process has ended but remains as a zombie, because its parent has not collected its status.
    fn is_ended(process: &str) -> bool {
        let output = Command::new("ps").args(["-o", "stat=", "-p", process]).output();
        output.is_ok_and(|output| output.stdout.starts_with(b"Z"))
    }
}
