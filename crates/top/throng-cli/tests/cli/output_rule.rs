//! Output that is replaced without `--overwrite`, and output that is not.

use std::fs;
use std::path::Path;
use std::process::Output;

use throng_testing::repository;

use super::{code, err, example, out, throng};

/// Plays a tournament of two games into a folder.
fn tournament(scenario: &Path, folder: &Path, more: &[&str]) -> Output {
    let (scenario, folder) = (scenario.display().to_string(), folder.display().to_string());
    let players = "players=[\"random\", \"greedy\"]";
    let fixed = ["run", &scenario, "--out", &folder, "--set", players, "--set", "openings=1"];
    throng(&[&fixed[..], more].concat())
}

fn succeeds(output: &Output) {
    assert_eq!(code(output), 0, "{}", err(output));
}

#[test]
fn a_run_replaces_an_earlier_run_of_the_same_scenario() {
    let dir = tempfile::tempdir().unwrap();
    let (scenario, to) = (repository().join("examples/kalah"), dir.path().join("run"));
    succeeds(&tournament(&scenario, &to, &["--hash-every", "1"]));
    fs::write(to.join("notes.txt"), "mine").unwrap();
    // The same scenario under another path, with other settings.
    let again = tournament(&scenario.join("scenario.toml"), &to, &["--seed", "5"]);
    succeeds(&again);
    assert!(
        err(&again).contains(&format!("note: the earlier results in {} will be deleted and replaced\n", to.display()))
    );
    assert!(!to.join("state_hashes.txt").exists(), "it belonged to the earlier run");
    assert_eq!(fs::read(to.join("notes.txt")).unwrap(), b"mine");
    // A user's file with a name that the run needs.
    fs::write(to.join("state_hashes.txt"), "mine").unwrap();
    let refused = tournament(&scenario, &to, &["--hash-every", "1"]);
    let expected = "state_hashes.txt: not replaced: it is not a file of the earlier run\n    move it, or allow it with --overwrite";
    assert!(code(&refused) == 2 && err(&refused).contains(expected), "{}", err(&refused));
    assert!(to.join("manifest.json").exists(), "nothing was removed");
}

#[test]
fn other_outputs_are_refused_with_the_flag_that_allows_overwriting() {
    let dir = tempfile::tempdir().unwrap();
    let (scenario, to) = (repository().join("examples/kalah"), dir.path().join("run"));
    let other = dir.path().join("other.toml");
    fs::copy(scenario.join("scenario.toml"), &other).unwrap();
    succeeds(&tournament(&scenario, &to, &[]));
    let before = fs::read(to.join("manifest.json")).unwrap();
    let refused = tournament(&other, &to, &[]);
    let expected = format!(
        "is not empty: it holds a run of {}\n    choose another folder with --out, or allow",
        scenario.display()
    );
    assert!(code(&refused) == 2 && err(&refused).contains(&expected), "{}", err(&refused));
    assert!(!err(&refused).contains("will be deleted"), "{}", err(&refused));
    assert_eq!(fs::read(to.join("manifest.json")).unwrap(), before);
    succeeds(&tournament(&other, &to, &["--overwrite"]));
    succeeds(&tournament(&other, &to, &[]));
    let notes = dir.path().join("notes");
    fs::create_dir(&notes).unwrap();
    fs::write(notes.join("a.txt"), "mine").unwrap();
    assert_eq!(code(&tournament(&scenario, &notes, &[])), 2);
}

#[test]
fn the_overwrite_setting_of_matsim_keeps_its_meaning() {
    let dir = tempfile::tempdir().unwrap();
    let to = dir.path().join("run").display().to_string();
    let run = |more: &[&str]| {
        let (city, end) = (example(""), "qsim.endTime=06:05:00");
        let fixed = ["run", &city, "--device", "cpu", "-q", "--set", end, "--out", &to];
        throng(&[&fixed[..], more].concat())
    };
    succeeds(&run(&[]));
    succeeds(&run(&[]));
    let refused = run(&["--set", "controller.overwriteFiles=failIfDirectoryExists"]);
    assert!(code(&refused) == 2 && err(&refused).contains("it holds a run of "), "{}", err(&refused));
    // Without a config, the network and plans files identify the scenario.
    let (network, plans) = (example("network.xml.gz"), example("plans.xml.gz"));
    let files = ["run", "--network", &network, "--plans", &plans, "--set", "qsim.endTime=06:05:00", "--device", "cpu"];
    let run = || throng(&[&files[..], &["-q", "--out", &format!("{to}_files")]].concat());
    succeeds(&run());
    succeeds(&run());
}

#[test]
fn images_replace_images_and_are_refused_before_the_run_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let run = dir.path().join("run");
    succeeds(&tournament(&repository().join("examples/kalah"), &run, &["-q"]));
    let run_path = run.display().to_string();
    let render = |more: &[&str]| {
        let small = ["render", &run_path, "--width", "32", "--height", "18", "--samples", "1", "--device", "cpu"];
        throng(&[&small[..], more].concat())
    };
    let path = |name: &str| dir.path().join(name).display().to_string();
    let (picture, frames) = (path("picture.png"), path("frames"));
    for more in [
        &["--at", "1", "--out", &picture][..],
        &["--at", "2", "--out", &picture],
        &["--to", "2", "--film", &picture],
        &["--to", "3", "--frames", &frames],
        &["--to", "1", "--frames", &frames],
    ] {
        succeeds(&render(more));
    }
    assert_eq!(fs::read_dir(&frames).unwrap().count(), 2, "the surplus frames of the longer animation are removed");
    fs::write(&picture, "mine").unwrap();
    fs::write(dir.path().join("frames/notes.txt"), "mine").unwrap();
    // This makes the run unreadable.
    fs::remove_file(run.join("games.txt")).unwrap();
    for more in [&["--out", &picture][..], &["--film", &picture], &["--frames", &frames]] {
        let refused = render(more);
        assert_eq!(code(&refused), 2, "{more:?}: {}", out(&refused));
        let text = err(&refused);
        assert!(
            text.contains("exists, and is not an image of `throng render`") && text.contains("--overwrite"),
            "{text}"
        );
    }
    assert_eq!(fs::read(&picture).unwrap(), b"mine");
}

#[test]
fn figures_of_a_paper_replace_its_earlier_figures() {
    let dir = tempfile::tempdir().unwrap();
    let to = dir.path().join("figures").display().to_string();
    let reproduce = |paper: &str| {
        let small: &[&str] = match paper {
            "yu" => {
                &["--quick", "--sizes", "20", "--flows", "2", "--ticks", "5", "--densities", "0.4", "--threads", "2"]
            }
            _ => &[],
        };
        throng(&[&["reproduce", paper, "--device", "cpu", "--out", &to, "-q"][..], small].concat())
    };
    succeeds(&reproduce("yu"));
    succeeds(&reproduce("yu"));
    let refused = reproduce("elmir");
    assert!(code(&refused) == 2 && err(&refused).contains("is not empty"), "{}", err(&refused));
}
