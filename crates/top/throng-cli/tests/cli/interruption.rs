//! Ctrl-C: no unfinished file is left, and the next command continues.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use throng_testing::{program, repository};

use super::{code, err, example, out, throng};

/// Starts a program as a terminal does, even if a script started these tests in the background, ignoring SIGINT.
const FOREGROUND: &[&str] = if cfg!(target_os = "linux") { &["env", "--default-signal=INT"] } else { &["env"] };
/// Starts a program as a script does with `&`: SIGINT is ignored.
const BACKGROUND: &[&str] = &["sh", "-c", "trap '' INT; exec \"$@\"", "sh"];

/// Starts a command, and sends SIGINT, like Ctrl-C, as soon as `has_started` returns true.
fn interrupted(start: &[&str], args: &[&str], has_started: impl Fn() -> bool) -> Output {
    let mut command = Command::new(start[0]);
    command.args(&start[1..]).arg(program(env!("CARGO_BIN_EXE_throng"))).args(args);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let started = Instant::now();
    while !has_started() {
        assert!(started.elapsed() < Duration::from_mins(4), "nothing was started");
        assert!(child.try_wait().unwrap().is_none(), "it ended before the interruption");
        sleep(Duration::from_millis(1));
    }
    interrupt(&child);
    child.wait_with_output().unwrap()
}

fn interrupt(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success(), "it was still running");
}

fn partial_files(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_name().to_string_lossy().ends_with(".partial")).count()
}

#[test]
fn an_interrupted_run_leaves_no_unfinished_file_and_can_be_repeated() {
    let dir = tempfile::tempdir().unwrap();
    let to = dir.path().join("run");
    let (city, to_text) = (example(""), to.display().to_string());
    let args = ["run", &city, "--device", "cpu", "--hash-every", "1", "--out", &to_text];
    let output = interrupted(FOREGROUND, &args, || to.join("output_events.xml.gz.partial").exists());
    assert_eq!(code(&output), 130, "{}", err(&output));
    let text = err(&output);
    assert!(text.contains("interrupted: ") && text.contains("unfinished"), "{text}");
    assert!(text.trim_end().ends_with("the same command starts again from the beginning"), "{text}");
    assert_eq!(partial_files(&to), 0);
    assert!(!to.join("manifest.json").exists());
    let again = throng(&["run", &city, "--device", "cpu", "-q", "--out", &to_text, "--set", "qsim.endTime=06:05:00"]);
    assert_eq!(code(&again), 0, "{}", err(&again));
    assert!(!to.join(".throng.lock").exists());
}

#[test]
fn a_background_run_of_a_script_ignores_the_interrupt() {
    let dir = tempfile::tempdir().unwrap();
    let to = dir.path().join("run");
    let (city, to_text) = (example(""), to.display().to_string());
    let short = ["--device", "cpu", "--hash-every", "1", "--set", "qsim.endTime=08:00:00", "--out", &to_text];
    let args = [&["run", city.as_str()][..], &short].concat();
    let output = interrupted(BACKGROUND, &args, || to.join("output_events.xml.gz.partial").exists());
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert!(to.join("manifest.json").exists());
}

#[test]
fn an_interrupted_sweep_continues_with_the_remaining_runs() {
    let dir = tempfile::tempdir().unwrap();
    let to = dir.path().join("my sweep");
    let (scenario, to_text) =
        (repository().join("examples/evacuation").display().to_string(), to.display().to_string());
    let args =
        ["sweep", &scenario, "--device", "cpu", "--seeds", "5", "--jobs", "1", "--steps", "40", "--out", &to_text];
    // Waits for the header of the journal and one record.
    let output =
        interrupted(FOREGROUND, &args, || fs::metadata(to.join("runs.journal")).is_ok_and(|file| file.len() > 100));
    assert_eq!(code(&output), 130, "{}", err(&output));
    let text = err(&output);
    assert!(text.contains(&format!("interrupted: finished runs are kept in '{to_text}'")), "{text}");
    assert!(!to.join("runs.csv").exists());
    let rest = throng(&args);
    assert_eq!(code(&rest), 0, "{}", err(&rest));
    assert!(out(&rest).contains(" before"), "{}", out(&rest));
}
