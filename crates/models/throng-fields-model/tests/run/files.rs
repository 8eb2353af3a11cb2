//! The files of a run during the run, and after a failure.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tempfile::TempDir;
use throng_core::{NoProgress, Progress};
use throng_device::DeviceChoice;
use throng_fields_model::{Change, FieldsRun, Scenario, run};
use throng_model::{Failure, RunRequest};

use super::written;

/// Reads the output folder after a step.
struct At<F: Fn(&Path) + Send + Sync> {
    step: u64,
    folder: PathBuf,
    look: F,
}

impl<F: Fn(&Path) + Send + Sync> Progress for At<F> {
    fn at(&self, done: u64, _: &str) {
        if done == self.step {
            (self.look)(&self.folder);
        }
    }
}

/// The small scenario with changes, on the CPU.
fn small(dir: &TempDir, changes: &[&str]) -> FieldsRun {
    let changes: Vec<Change> = changes.iter().map(|change| Change::typed(*change)).collect();
    let scenario = Scenario::read(&written(dir, &[]), &changes).unwrap();
    let folder = Some(dir.path().join("out"));
    FieldsRun { folder, ..FieldsRun::new(scenario) }
}

fn on_the_cpu(hash_every: u64) -> RunRequest {
    RunRequest { device: DeviceChoice::Cpu, hash_every, ..RunRequest::default() }
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn hashes_are_written_during_the_run() {
    let dir = TempDir::new().unwrap();
    let changes = ["run.steps=1000", "output.frame_every=0", "output.first_and_last=false", "output.agents_every=0"];
    let found = Mutex::new(String::new());
    let folder = dir.path().join("out");
    let look = |folder: &Path| {
        *found.lock().unwrap() = fs::read_to_string(folder.join("state_hashes.txt.partial")).unwrap();
    };
    let done = run(small(&dir, &changes), &on_the_cpu(2), &At { step: 1000, folder: folder.clone(), look }).unwrap();
    let whole = fs::read_to_string(folder.join("state_hashes.txt")).unwrap();
    let partial = found.into_inner().unwrap();
    assert!(partial.lines().count() > 300 && whole.starts_with(&partial), "{}", partial.lines().count());
    assert_eq!((whole.lines().next(), whole.lines().count()), (Some("# step hash"), 502));
    assert_eq!(whole.lines().last().unwrap(), format!("1000 {:016x}", done.results.summary.hash));
}

#[test]
fn failed_runs_leave_no_results() {
    let dir = TempDir::new().unwrap();
    // Images are written during the run if the range of their colours is known.
    let small = small(&dir, &["output.range=[-2, 2]"]);
    let folder = dir.path().join("out");
    // A directory occupies a name that a file needs at the end.
    for taken in ["last.png", "field.npy", "influence.png"] {
        let look = |folder: &Path| {
            assert!(names(folder).contains(&"first.png.partial".to_owned()), "{:?}", names(folder));
            fs::create_dir(folder.join(taken)).unwrap();
        };
        let error = run(small.clone(), &on_the_cpu(1), &At { step: 3, folder: folder.clone(), look }).unwrap_err();
        assert!(matches!(error, Failure::Output(_)) && error.to_string().contains(taken), "{error}");
        // Beside the directory, the record of the scenario stays, so that the next run is accepted.
        assert_eq!(names(&folder), [".throng.lock", taken]);
        fs::remove_dir(folder.join(taken)).unwrap();
    }
    run(small, &on_the_cpu(1), &NoProgress).unwrap();
    assert_eq!(names(&folder).len(), 14);
}
