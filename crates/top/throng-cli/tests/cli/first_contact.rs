//! A new user's first attempts: no arguments, a folder, a typo. The answer lists scenarios, runs and commands.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use throng_testing::{program, repository};

use super::{code, err, out};

/// Runs the program in a folder.
fn throng_in(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(program(env!("CARGO_BIN_EXE_throng")));
    command.args(args).current_dir(folder).output().expect("the binary was built for this test")
}

/// Returns standard error of a command that must end with exit code 2.
fn refused(folder: &Path, args: &[&str]) -> String {
    let output = throng_in(folder, args);
    assert_eq!(code(&output), 2, "{args:?}: {}{}", out(&output), err(&output));
    err(&output)
}

/// Creates a folder with two examples from the repository.
fn clone() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for example in ["kalah", "fields"] {
        let from = repository().join("examples").join(example).join("scenario.toml");
        let to = dir.path().join("examples").join(example);
        fs::create_dir_all(&to).unwrap();
        fs::copy(from, to.join("scenario.toml")).unwrap();
    }
    dir
}

/// Like [`clone`], after a tournament of two games whose results are in `folder`.
fn with_run(folder: &str) -> tempfile::TempDir {
    let dir = clone();
    let players = "players=[\"random\", \"greedy\"]";
    let args = ["run", "examples/kalah", "--out", folder, "--set", players, "--set", "openings=1", "-q"];
    let output = throng_in(dir.path(), &args);
    assert_eq!(code(&output), 0, "{}", err(&output));
    dir
}

const SCENARIOS: [&str; 2] = ["throng run examples/fields", "throng run examples/kalah"];

#[test]
fn commands_without_a_scenario_list_nearby_scenarios() {
    let dir = clone();
    for (args, heading) in [
        (&[][..], "Scenarios here:\n  throng run examples/fields  "),
        (&["run"], "SCENARIO: is missing\n    scenarios here:\n      throng run examples/fields  "),
        (&["sweep"], "scenarios here; add --vary KEY=V1,V2,... or --seeds N:\n      throng sweep examples/fields  "),
        (&["run", "examples"], "examples: the folder is not a scenario\n    it has scenarios below it:\n"),
        (&["view"], "There is no run to view here. Scenarios to run first:\n  throng run examples/fields  "),
        (&["render", "."], "has no manifest.json, so it holds no complete run\n    there is no run to view here"),
        (&["view", "examples/kalah"], "run it first: throng run examples/kalah"),
        (&["render", "examples/kalah"], "run it first: throng run examples/kalah"),
    ] {
        let text = refused(dir.path(), args);
        assert!(text.contains(heading), "{args:?}: {text}");
        assert!(text.contains("kalah"), "{args:?}: {text}");
    }
    let text = refused(dir.path(), &["run", "examples"]);
    assert!(SCENARIOS.iter().all(|command| text.contains(command)), "{text}");
    assert!(text.contains("kalah: A tournament of five players of Kalah"), "{text}");
}

#[test]
fn nearby_runs_are_listed_with_the_command_to_view_them() {
    let dir = with_run("output/kalah");
    for (args, part) in [
        (&[][..], "Runs here, the newest first:\n  throng view output/kalah  "),
        (&["view"], "Runs here, the newest first:\n  throng view output/kalah  "),
        (&["render"], "Runs here, the newest first:\n  throng render output/kalah  "),
        (&["render", "--at", "3"], "\n  throng render --at 3 output/kalah  "),
        (&["view", "output"], "it has runs below it:\n      throng view output/kalah  "),
        (&["render", "output"], "it has runs below it:\n      throng render output/kalah  "),
        (
            &["view", "output/kalah/report.html"],
            "is a result of a run\n    give the folder of the run: throng view output/kalah",
        ),
        (
            &["run", "output/kalah"],
            "is the folder of a run, not a scenario\n    to look at it: throng view output/kalah",
        ),
        (&["run", "output/kalah/report.html"], "is a result of a run, not a scenario"),
        (
            &["view", "examples/kalah"],
            "run it first: throng run examples/kalah; or, the newest first:\n      throng view output/kalah",
        ),
        (&["view", "output/kalha"], "did you mean output/kalah?"),
        (&["render", "kalah"], "did you mean output/kalah?"),
        (&["output/kalah"], "output/kalah is the folder of a run: throng view output/kalah"),
    ] {
        let text = refused(dir.path(), args);
        assert!(text.contains(part), "{args:?}: {text}");
    }
}

#[test]
fn compare_with_one_run_lists_other_runs_of_the_model() {
    let dir = with_run("output/kalah");
    let text = refused(dir.path(), &["compare"]);
    assert!(text.contains("There is no other run of the model kalah here to compare output/kalah with."), "{text}");
    let nothing = refused(clone().path(), &["compare"]);
    assert!(nothing.contains("There is no run to compare here. Scenarios to run first:\n"), "{nothing}");
    let players = ["--set", "players=[\"random\", \"greedy\"]", "--set", "openings=1", "-q"];
    let run = |args: &[&str]| {
        let output = throng_in(dir.path(), args);
        assert_eq!(code(&output), 0, "{args:?}: {}", err(&output));
    };
    run(&[&["run", "examples/kalah", "--out", "runs/b", "--seed", "9"], &players[..]].concat());
    run(&["run", "examples/fields", "--steps", "1", "--out", "runs/other", "-q"]);
    let text = refused(dir.path(), &["compare", "runs/b"]);
    let part = "Runs of the same model here:\n  throng compare runs/b output/kalah  kalah: examples/kalah, ";
    assert!(text.contains(part) && !text.contains("runs/other"), "{text}");
    let text = refused(dir.path(), &["compare", "./runs/b/", "--show", "3"]);
    assert!(text.contains("  throng compare ./runs/b/ --show 3 output/kalah  "), "{text}");
    assert!(!refused(dir.path(), &["compare", "nosuch"]).contains("throng compare nosuch"));
    let text = refused(dir.path(), &["compare", "runs/b", "runs/other"]);
    assert!(text.contains("runs/other: is a run of fields, and the other is one of kalah"), "{text}");
    let text = refused(dir.path(), &["compare", "runs/b", "examples/kalah"]);
    assert!(text.contains("run it first: throng run examples/kalah"), "{text}");
    let text = refused(dir.path(), &["compare", "runs/b/report.html", "output/kalah/report.html"]);
    assert!(text.contains("is neither a file of events (.xml) nor a table (.csv)"), "{text}");
    // Tournaments can only be compared by the results in their manifests; another seed plays other games.
    let differs = throng_in(dir.path(), &["compare", "output/kalah", "runs/b"]);
    let text = out(&differs);
    assert!(code(&differs) == 1 && text.contains(" results in the manifests\n"), "{text}");
    assert!(text.contains("settings that differ") && text.contains("\nhash "), "{text}");
    let equal = throng_in(dir.path(), &["compare", "output/kalah", "output/kalah/"]);
    assert!(code(&equal) == 0 && out(&equal).starts_with("equal: "), "{}", out(&equal));
}

#[test]
fn control_characters_of_arguments_are_written_out() {
    let text = refused(Path::new("."), &["ru\u{1b}]0;title\u{7}n"]);
    assert!(!text.contains('\u{1b}') && text.contains("unrecognized subcommand"), "{text:?}");
}

#[test]
fn a_sweep_is_listed_by_its_report_and_is_neither_scenario_nor_run() {
    let dir = clone();
    let set = ["--set", "players=[\"random\", \"greedy\"]", "--set", "openings=1", "-q"];
    let sweep = |args: &[&str]| throng_in(dir.path(), &[&["sweep", "examples/kalah"], args, &set].concat());
    let single = sweep(&[]);
    assert!(code(&single) == 2 && err(&single).contains("nothing varies"), "{}", err(&single));
    let done = sweep(&["--seeds", "2", "--out", "sweeps/k"]);
    assert_eq!(code(&done), 0, "{}", err(&done));
    let remedy = "\n    to look at it, open sweeps/k/report.html in a browser\n    to run its scenario: throng run examples/kalah\n";
    for (args, wrong) in [
        (["run", "sweeps/k/sweep.toml"], "describes a sweep, not a scenario"),
        (["run", "sweeps/k"], "is the folder of a sweep, not a scenario"),
        (["sweep", "sweeps/k"], "is the folder of a sweep, not a scenario"),
        (["view", "sweeps/k"], "is the folder of a sweep, not of a run"),
    ] {
        let text = refused(dir.path(), &args);
        assert!(text.contains(&format!("{wrong}{remedy}")), "{args:?}: {text}");
    }
    let listed = out(&throng_in(dir.path(), &["list"]));
    let part = "Sweeps here; open the report in a browser:\n  sweeps/k/report.html  sweep of examples/kalah\n";
    assert!(listed.contains(part), "{listed}");
}

#[test]
fn typos_are_answered_with_the_nearest_name() {
    let dir = clone();
    for (args, part) in [
        (&["rnu", "examples/kalah"][..], "a similar subcommand exists: 'run'"),
        (&["compar", "a", "b"], "a similar subcommand exists: 'compare'"),
        (&["help", "rnu"], "a similar subcommand exists: 'run'"),
        (&["generate", "ctiy"], "a similar subcommand exists: 'city'"),
        (&["help", "run", "rnu"], "unrecognized subcommand 'rnu'"),
        (&["help", "generate", "ctiy"], "a similar subcommand exists: 'city'"),
        (&["run", "examples/kalah", "--threads", "two"], "'two' for '--threads <N>': give a whole number"),
        (&["run", "examples/kalah", "--threads=-1"], "give a whole number, 0 or more"),
        (&["run", "examples/kalah", "--steps", "0"], "give a whole number 1 or more"),
        (&["run", "examples/kalah", "--seed", "99999999999999999999"], "give a smaller whole number"),
        (&["examples/kalah"], "examples/kalah may be a scenario: throng run examples/kalah"),
        (&["run", "exampels/kalah"], "did you mean examples/kalah?"),
        (&["run", "kalha"], "did you mean examples/kalah?"),
        (&["run", "examples/kalah", "--set", "opnings=1"], "did you mean \"openings\"?"),
        (&["run", "examples/fields", "--set", "agents.planners.cuont=1"], "did you mean \"count\"?"),
        (&["run", "examples/kalah", "--sett", "openings=1"], "a similar argument exists: '--set'"),
        (&["config", "--schema", "kalha"], "did you mean \"kalah\"?"),
    ] {
        let text = refused(dir.path(), args);
        assert!(text.contains(part), "{args:?}: {text}");
    }
    // A similar command exists, but not among the generators.
    assert!(!refused(dir.path(), &["generate", "chek"]).contains("similar"));
    // Of fifty keys, only the similar ones are listed.
    let text = refused(dir.path(), &["run", "examples/fields", "--set", "agents.planners.cuont=1"]);
    assert!(text.lines().all(|line| line.chars().count() < 200), "{text}");
}

#[test]
fn the_list_has_models_scenarios_and_runs() {
    let dir = with_run("my runs/it's");
    let list = throng_in(dir.path(), &["list"]);
    assert_eq!(code(&list), 0, "{}", err(&list));
    for part in [
        "\n  traffic       ",
        "\nScenarios here:\n  throng run examples/fields  ",
        "\nRuns here, the newest first:\n  throng view \"my runs/it's\"  kalah: examples/kalah, 20",
    ] {
        assert!(out(&list).contains(part), "{part}: {}", out(&list));
    }
    assert!(out(&throng_in(dir.path(), &["list", "my runs"])).contains("Scenarios in 'my runs': none."));
    assert!(refused(dir.path(), &["list", "my rnus"]).contains("there is no such folder\n    did you mean my runs?"));
    let empty = tempfile::tempdir().unwrap();
    let list = throng_in(empty.path(), &["list"]);
    assert!(code(&list) == 0 && out(&list).contains("throng generate city --out city"), "{}", out(&list));
    let bare = refused(empty.path(), &["run"]);
    assert!(bare.contains("there is no scenario here; `throng generate city --out city` creates one"), "{bare}");
}

#[test]
fn completions_and_man_pages_have_all_commands() {
    let dir = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        let script = throng_in(dir.path(), &["completions", shell]);
        assert!(code(&script) == 0 && out(&script).contains("hash-every"), "{shell}");
    }
    let written = throng_in(dir.path(), &["man", "pages"]);
    assert_eq!(code(&written), 0, "{}", err(&written));
    for name in ["throng.1", "throng-run.1", "throng-generate-city.1", "throng-render.1"] {
        let page = fs::read_to_string(dir.path().join("pages").join(name)).unwrap();
        assert!(page.contains(".TH ") && page.contains("throng"), "{name}");
    }
    assert_eq!(code(&throng_in(dir.path(), &["man", "pages"])), 0, "pages are replaced");
}

#[test]
fn the_version_names_the_commit_of_a_repository() {
    let version = out(&throng_in(Path::new("."), &["--version"]));
    assert!(version.starts_with(concat!("throng ", env!("CARGO_PKG_VERSION"))), "{version}");
    if repository().join(".git").exists() {
        assert!(version.contains(" (commit "), "{version}");
    }
    assert!(out(&throng_in(Path::new("."), &["doctor"])).contains(version.trim_start_matches("throng ").trim()));
}
