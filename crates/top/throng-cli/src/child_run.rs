//! Runs in separate processes, for measurements that include the start of the program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value;
use throng::model::Failure;
use throng::output::{MANIFEST_NAME, MAX_MANIFEST_BYTES};
use throng_core::read_input_text;

/// A phase of a run and its seconds.
pub(crate) type Phase = (String, f64);

/// Maximum difference between the clock of the file system and that of the program.
const CLOCK_STEP: Duration = Duration::from_millis(100);

/// Time of a run outside its phases.
const REST: &str = "starting and ending the program";

/// A completed run of a separate process.
pub(crate) struct ChildRun {
    /// Its phases, and the time outside them.
    pub phases: Vec<Phase>,
    /// Its manifest.
    pub manifest: Value,
}

impl ChildRun {
    /// Runs `throng` with the given arguments, which name the output folder `out`.
    pub(crate) fn start(out: &Path, arguments: impl FnOnce(&mut Command) -> &mut Command) -> Result<Self, Failure> {
        let (since, began) = (Instant::now(), SystemTime::now());
        throng(arguments)?;
        Self::in_folder(out, began, since.elapsed().as_secs_f64())
    }

    /// Reads the run in `folder`, which began at `began` and took `seconds` until its end.
    fn in_folder(folder: &Path, began: SystemTime, seconds: f64) -> Result<Self, Failure> {
        let path = manifest_of(folder, began);
        let unreadable = |error: &dyn std::fmt::Display| {
            let remedy = "give another output folder";
            Failure::input(path.display().to_string(), format!("cannot be read: {error}"), remedy)
        };
        let text = read_input_text(&path, MAX_MANIFEST_BYTES).map_err(|error| unreadable(&error))?;
        let manifest: Value = serde_json::from_str(&text).map_err(|error| unreadable(&error))?;
        let timings = manifest["timings"].as_array().map_or(&[][..], Vec::as_slice);
        let phase = |phase: &Value| Some((phase["phase"].as_str()?.to_owned(), phase["seconds"].as_f64()?));
        let mut phases: Vec<Phase> = timings.iter().filter_map(phase).collect();
        let inside: f64 = phases.iter().map(|(_, seconds)| seconds).sum();
        phases.push((REST.to_owned(), (seconds - inside).max(0.0)));
        Ok(Self { phases, manifest })
    }
}

/// Runs this program with other arguments in a separate process.
pub(crate) fn throng(arguments: impl FnOnce(&mut Command) -> &mut Command) -> Result<(), Failure> {
    let not_started = |error| Failure::resource(format!("throng cannot start itself: {error}"), "");
    let mut command = Command::new(std::env::current_exe().map_err(not_started)?);
    let status = arguments(&mut command).status().map_err(not_started)?;
    if status.success() {
        return Ok(());
    }
    let (message, remedy) = (format!("it ended with {status}"), "its message is printed above");
    let name = command.get_args().next().map_or_else(String::new, |name| format!("throng {}", name.to_string_lossy()));
    Err(if status.code() == Some(2) {
        Failure::input(name, message, remedy)
    } else {
        Failure::resource(format!("{name}: {message}"), remedy)
    })
}

/// Returns the manifest of the run in `folder` that began at `began`. Its name may have a prefix, as by
/// `controller.runId`.
fn manifest_of(folder: &Path, began: SystemTime) -> PathBuf {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut named = entries.filter(|path| path.to_string_lossy().ends_with(MANIFEST_NAME));
    let is_of_run = |path: &PathBuf| {
        let modified = fs::metadata(path).and_then(|metadata| metadata.modified());
        modified.is_ok_and(|at| at + CLOCK_STEP >= began && at <= SystemTime::now() + CLOCK_STEP)
    };
    named.find(is_of_run).unwrap_or_else(|| folder.join(MANIFEST_NAME))
}
