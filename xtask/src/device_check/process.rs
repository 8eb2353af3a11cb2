//! Runs a program with a log file and a deadline.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::at;

/// Status and output of a program that ended or was stopped.
#[derive(Debug)]
pub(super) struct ProcessResult {
    /// Whether it succeeded; `false` if it was stopped.
    pub(super) succeeded: bool,
    /// Exit status or reason, for a message.
    pub(super) how: String,
    /// Standard output and standard error, interleaved.
    pub(super) output: String,
}

/// Runs a program until it ends or is stopped at `deadline`.
pub(super) fn run(mut command: Command, log: &Path, deadline: Instant) -> Result<ProcessResult, String> {
    let file = File::create(log).map_err(at(log))?;
    command.stdin(Stdio::null()).stdout(file.try_clone().map_err(at(log))?).stderr(file);
    let program = command.get_program().display().to_string();
    let mut child = command.spawn().map_err(|error| format!("{program} cannot be started: {error}"))?;
    let mut in_time = true;
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|error| format!("{program}: {error}"))? {
            break status;
        }
        if in_time && Instant::now() >= deadline {
            in_time = false;
            // It may have ended in the meantime.
            let _ = child.kill();
        }
        sleep(Duration::from_millis(10));
    };
    let mut bytes = Vec::new();
    File::open(log).and_then(|mut file| file.read_to_end(&mut bytes)).map_err(at(log))?;
    let how = if in_time { status.to_string() } else { "stopped at the time limit".to_owned() };
    Ok(ProcessResult {
        succeeded: in_time && status.success(),
        how,
        output: String::from_utf8_lossy(&bytes).into_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, name: &str, limit: Duration) -> ProcessResult {
        let log = std::env::temp_dir().join(format!("throng-xtask-{name}-{}", std::process::id()));
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let ended = run(command, &log, Instant::now() + limit).unwrap();
        std::fs::remove_file(log).unwrap();
        ended
    }

    #[cfg(unix)]
    #[test]
    fn programs_are_stopped_at_the_time_limit() {
        let ended = shell("echo out; echo err >&2; exit 3", "ends", Duration::from_mins(1));
        assert!(!ended.succeeded && ended.how.contains('3') && ended.output == "out\nerr\n", "{ended:?}");
        assert!(shell("true", "well", Duration::from_mins(1)).succeeded);
        let ended = shell("echo begun; exec sleep 600", "stopped", Duration::from_millis(300));
        assert!(!ended.succeeded && ended.how.contains("time limit"), "{ended:?}");
    }
}
