//! Tests sweeps with the real binary: complete, interrupted, resumed and rejected.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use throng_testing::{program, repository};

use crate::common::{code, err, throng};

/// A scenario whose runs take milliseconds.
const DISCS: &str = "model = \"collision\"\ndiscs = 40\nwidth_m = 20.0\nheight_m = 10.0\nsteps = 12\nframe_every = 3\n";

/// Files that must be identical, even after interruptions.
const COMPARED: [&str; 10] = [
    "columns.csv",
    "differences.csv",
    "report.html",
    "runs.csv",
    "runs.parquet",
    "series.csv",
    "series.parquet",
    "summary.csv",
    "summary.parquet",
    "sweep.toml",
];

/// Creates a folder with the scenario.
fn scenario() -> (tempfile::TempDir, String) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("discs.toml");
    std::fs::write(&path, DISCS).unwrap();
    let path = path.display().to_string();
    (dir, path)
}

/// Runs a sweep and expects success.
fn sweep(scenario: &str, folder: &Path, args: &[&str]) {
    let output = throng(&[&["sweep", scenario, "-q", "--output", folder.to_str().unwrap()], args].concat());
    assert_eq!(code(&output), 0, "{args:?}: {}", err(&output));
    assert!(output.stdout.is_empty() && output.stderr.is_empty(), "{args:?}: {}", err(&output));
}

fn table(folder: &Path, name: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    text.lines().map(|line| line.split(';').map(str::to_owned).collect()).collect()
}

fn assert_equal(a: &Path, b: &Path) {
    for name in COMPARED {
        let [a, b] = [a, b].map(|folder| std::fs::read(folder.join(name)).unwrap());
        assert!(a == b, "{name} differs");
    }
}

#[test]
fn a_full_factorial_design_has_every_combination_with_every_seed() {
    let (dir, scenario) = scenario();
    let out = dir.path().join("out");
    let vary = ["--vary", "step_m=0.05,0.1", "--vary", "rule=sequential,following", "--vary", "discs=20,30"];
    sweep(&scenario, &out, &[&vary[..], &["--seeds", "3", "--seed", "7", "--steps", "9"]].concat());
    let runs = table(&out, "runs.csv");
    assert_eq!(runs[0][..9], ["run", "set", "step_m", "rule", "discs", "replicate", "seed", "status", "state_hash"]);
    assert_eq!(runs[0][9..], ["accepted", "least_gap_m", "gap_10_m", "gap_50_m", "gap_90_m", "error"]);
    let mut expected = Vec::new();
    for step in ["0.05", "0.1"] {
        for rule in ["sequential", "following"] {
            for discs in ["20", "30"] {
                let seeds = [("1", "7"), ("2", "8"), ("3", "9")];
                expected.extend(seeds.map(|(replicate, seed)| [step, rule, discs, replicate, seed].map(str::to_owned)));
            }
        }
    }
    let found: Vec<[String; 5]> =
        runs[1..].iter().map(|row| [&row[2], &row[3], &row[4], &row[5], &row[6]].map(Clone::clone)).collect();
    assert_eq!(found, expected);
    for (number, row) in (1..).zip(&runs[1..]) {
        assert_eq!((row[0].as_str(), row[7].as_str()), (number.to_string().as_str(), "done"));
        assert_eq!(row[1], ((number + 2) / 3).to_string());
    }
    // Steps 0, 3, 6 and 9 of each run.
    let series = table(&out, "series.csv");
    assert_eq!(series.len(), 1 + 24 * 4);
    assert_eq!(series[4][5..8], ["1", "7", "9"]);
    assert_eq!(table(&out, "wall_times.csv").len(), 25);
}

#[test]
fn a_run_of_a_sweep_equals_a_single_run() {
    let (dir, scenario) = scenario();
    let (out, single) = (dir.path().join("out"), dir.path().join("single"));
    sweep(&scenario, &out, &["--vary", "discs=25,35", "--seeds", "2", "--seed", "5", "--device", "cpu"]);
    let run = ["run", &scenario, "-q", "--device", "cpu", "--set", "discs=35", "--seed", "6", "--out"];
    assert_eq!(code(&throng(&[&run[..], &[single.to_str().unwrap()]].concat())), 0);
    let measures = table(&single, "measures.csv");
    let (last, row) = (measures.last().unwrap(), table(&out, "runs.csv").pop().unwrap());
    assert_eq!([&row[2], &row[3], &row[4]], ["35", "2", "6"]);
    assert_eq!(last.last(), Some(&row[6]), "state hash");
}

#[test]
fn a_latin_hypercube_sample_has_each_stratum_once() {
    let (dir, scenario) = scenario();
    let out = dir.path().join("out");
    let ranges = ["--vary", "step_m=0.05..0.25", "--vary", "discs=11..20", "--latin-hypercube", "10"];
    sweep(&scenario, &out, &ranges);
    let runs = table(&out, "runs.csv");
    let strata = |stratum: &dyn Fn(&Vec<String>) -> i64| runs[1..].iter().map(stratum).collect::<BTreeSet<_>>();
    let ten: BTreeSet<i64> = (0..10).collect();
    assert_eq!(strata(&|row| ((row[2].parse::<f64>().unwrap() - 0.05) / 0.02) as i64), ten);
    assert_eq!(strata(&|row| row[3].parse::<i64>().unwrap() - 11), ten, "whole numbers stay whole");
    assert_eq!(runs.len(), 11);
    let again = dir.path().join("again");
    sweep(&scenario, &again, &ranges);
    assert_equal(&out, &again);
}

#[test]
fn results_do_not_depend_on_jobs_and_threads() {
    let (dir, scenario) = scenario();
    let folders: Vec<PathBuf> = ["1", "2", "7"]
        .into_iter()
        .map(|jobs| {
            let out = dir.path().join(jobs);
            let threads = if jobs == "2" { "3" } else { "1" };
            sweep(&scenario, &out, &["--vary", "discs=20,30", "--seeds", "12", "--jobs", jobs, "--threads", threads]);
            out
        })
        .collect();
    assert_equal(&folders[0], &folders[1]);
    assert_equal(&folders[0], &folders[2]);
}

#[test]
fn more_seeds_continue_a_sweep_and_a_different_sweep_is_refused() {
    let (dir, scenario) = scenario();
    let (out, whole) = (dir.path().join("out"), dir.path().join("whole"));
    sweep(&scenario, &out, &["--vary", "discs=20,30", "--seeds", "2"]);
    sweep(&scenario, &out, &["--vary", "discs=20,30", "--seeds", "4"]);
    sweep(&scenario, &whole, &["--vary", "discs=20,30", "--seeds", "4"]);
    assert_equal(&out, &whole);
    let to = out.display().to_string();
    let refused = |args: &[&str]| {
        let output = throng(&[&["sweep", &scenario, "--output", &to], args].concat());
        assert_eq!(code(&output), 2, "{args:?}: {}", err(&output));
        err(&output)
    };
    let vary = "--vary";
    for (args, part) in [
        (
            vec![vary, "discs=20,31", "--seeds", "4"],
            "sweep.toml: vary: the sweep there has \"discs=20,30\", this one \"discs=20,31\"",
        ),
        (
            vec![vary, "discs=20,30", "--seeds", "3"],
            "sweep.toml: seeds: the sweep there has 4, this one 3\n    give --seeds 4 or more",
        ),
        (
            vec![vary, "discs=20,30", "--seeds", "4", "--seed", "9"],
            "sweep.toml: seed: the sweep there has \"1\", this one \"9\"",
        ),
        (
            vec![vary, "discs=20,30", "--seeds", "4", "--set", "steps=3"],
            "sweep.toml: set: the sweep there has none, this one \"steps=3\"",
        ),
        (
            vec![vary, "discs=20,30", "--seeds", "4", "--steps", "3"],
            "sweep.toml: steps: the sweep there has none, this one \"3\"",
        ),
    ] {
        let message = refused(&args);
        assert!(message.contains(part) && message.contains("choose another folder"), "{part}: {message}");
    }
    std::fs::write(&scenario, DISCS.replace("width_m = 20.0", "width_m = 21.0")).unwrap();
    let message = refused(&[vary, "discs=20,30", "--seeds", "4"]);
    let part = "sweep.toml: settings: the sweep there has \"width_m = 20.0\", this one \"width_m = 21.0\"";
    assert!(message.contains(part), "{message}");
}

#[test]
fn bad_input_is_refused_before_the_first_run() {
    let (dir, scenario) = scenario();
    let used = dir.path().display().to_string();
    let (out, last) = (dir.path().join("out").display().to_string(), u32::MAX.to_string());
    for (args, parts) in [
        (vec!["--vary", "dics=1,2"], vec!["--vary dics=1: unknown key \"dics\"\n    did you mean \"discs\"?"]),
        (vec!["--vary", "discs="], vec!["--vary discs=: there are 0 values\n    give one or more"]),
        (vec!["--vary", "discs"], vec!["--vary: \"discs\" has no values\n    write KEY=VALUE"]),
        (vec!["--vary", "discs=1,2", "--vary", "discs=3"], vec!["--vary discs=3: discs is varied twice"]),
        (
            vec!["--vary", "step_m=0.1,much", "--vary", "discs=5,6"],
            vec![
                "--vary step_m=much: invalid type",
                "in 2 of 4 parameter sets, first in 3: step_m = much, discs = 5",
                "expected a number",
            ],
        ),
        (
            vec!["--vary", "discs=5,100000"],
            vec!["--vary discs=100000: discs: 100000 discs", "(in parameter set 2: discs = 100000)", "simulate fewer"],
        ),
        (vec!["--vary", "rule=sequential,none"], vec!["--vary rule=none", "unknown value \"none\"", "sequential"]),
        (vec!["--vary", "discs=7"], vec!["--vary: nothing varies"]),
        (
            vec!["--vary", "discs=1..9", "--latin-hypercube", "1"],
            vec!["--vary: nothing varies: this would be a single run\n    give --latin-hypercube 2 or more"],
        ),
        (vec!["--seeds", "5000000"], vec!["error: --seeds: 5000000"]),
        (vec![], vec!["--vary: nothing varies: this would be a single run\n    add --vary KEY=V1,V2,... or --seeds N"]),
        (vec!["--seeds", "0"], vec!["--seeds: 0\n    give a whole number from 1"]),
        (vec!["--jobs", "0"], vec!["--jobs: 0\n    give a whole number from 1"]),
        (vec!["--threads", "0"], vec!["--threads: 0\n    give a whole number from 1"]),
        (vec!["--vary", "discs=1..9"], vec!["--vary discs=1..9: is a range\n    add --latin-hypercube N"]),
        (vec!["--vary", "discs=9..1", "--latin-hypercube", "3"], vec!["--vary discs=9..1: 9 is not below 1"]),
        (vec!["--vary", "discs=1,9", "--latin-hypercube", "3"], vec!["--vary discs=1,9: not a range of numbers"]),
        (vec!["--vary", "discs=1..9", "--latin-hypercube", "0"], vec!["--latin-hypercube: 0\n    give a whole number"]),
        (
            vec!["--vary", "discs=0.5..9", "--latin-hypercube", "3"],
            vec!["--vary discs=0.5: invalid type: floating point"],
        ),
        (vec!["--latin-hypercube", "3"], vec!["--latin-hypercube: no parameter is varied"]),
        (vec!["--vary", "discs=1,2", "--set", "discs=3"], vec!["--set discs=3: --vary varies discs"]),
        (vec!["--vary", "seed=1,2"], vec!["--vary: a parameter is the seed: 1 and 2", "--seeds N"]),
        (vec!["--set", "seed=3", "--seeds", "2"], vec!["--set: the seed is set to 3", "give it with --seed"]),
        (vec!["--seed", &last, "--seeds", "2"], vec!["--seeds 2: --seed 4294967296: invalid value"]),
        (
            vec!["--vary", "folder=a,b"],
            vec![
                "a parameter sets the folder for the results: a (in parameter set 1: folder = a)",
                "a parameter sets the folder for the results: b (in parameter set 2: folder = b)",
                "--out is the folder",
            ],
        ),
        (vec!["--network", "n.xml"], vec!["--network: the scenario is one of collision"]),
        (
            vec!["--vary", "discs=", "--vary", "stps=3", "--seeds", "0", "--output", &used],
            vec![
                "error: 4 problems",
                "--seeds: 0",
                "--vary discs=",
                "did you mean \"steps\"?",
                "it holds \"discs.toml\"",
            ],
        ),
    ] {
        let to = if args.contains(&"--output") { vec![] } else { vec!["--output", &out] };
        let output = throng(&[&["sweep", &scenario], &to[..], &args].concat());
        assert_eq!(code(&output), 2, "{args:?}: {}", err(&output));
        for part in parts {
            assert!(err(&output).contains(part), "{args:?}: {part}: {}", err(&output));
        }
        assert!(!Path::new(&out).exists(), "{args:?}: nothing is written");
    }
    let output = throng(&["sweep", &scenario, "--seeds", "2", "--device", "cuda:99", "--output", &out]);
    assert_eq!((code(&output), err(&output).contains("there is no device cuda:99")), (3, true), "{}", err(&output));
    assert!(!Path::new(&out).exists(), "nothing is written");
    let output = throng(&["sweep", "nowhere.toml", "--output", &out]);
    assert_eq!(
        (code(&output), err(&output).contains("nowhere.toml: there is no such file")),
        (2, true),
        "{}",
        err(&output)
    );
}

#[test]
fn a_run_that_fails_does_not_stop_the_others() {
    let dir = tempfile::tempdir().unwrap();
    let (out, city) = (dir.path().join("out"), repository().join("examples/city"));
    let (plans, network) = (city.join("plans.xml.gz"), city.join("network.xml.gz"));
    let broken = dir.path().join("broken.xml");
    std::fs::write(&broken, "<network><nodes><node id=\"a\" x=\"0\" y=\"0\"/></nodes>").unwrap();
    let (network, broken) = (network.display().to_string(), broken.display().to_string());
    let vary = format!("network.inputNetworkFile={network},{broken}");
    let to = out.display().to_string();
    let config = city.join("config.xml").display().to_string();
    let args = ["sweep", &config, "--vary", &vary, "--set", "qsim.endTime=06:00:00", "--seeds", "2", "--output", &to];
    let output = throng(&args);
    assert_eq!(code(&output), 1, "{}", err(&output));
    assert!(err(&output).contains("2 of 4 runs failed, the first is run 3: "), "{}", err(&output));
    assert!(err(&output).contains("--retry-failed repeats them"), "{}", err(&output));
    let runs = std::fs::read_to_string(out.join("runs.csv")).unwrap();
    assert_eq!((runs.matches(";done;").count(), runs.matches(";failed;").count()), (2, 2), "{runs}");
    assert!(runs.contains("mean_trip_s") && runs.contains("broken.xml"), "{runs}");
    let series = std::fs::read_to_string(out.join("series.csv")).unwrap();
    assert!(
        series.starts_with("run;set;network.inputNetworkFile;replicate;seed;time_s;departures;arrivals;en_route\r\n"),
        "{series}"
    );
    let again = throng(&args);
    assert_eq!(code(&again), 1);
    assert!(String::from_utf8_lossy(&again.stdout).contains("0 executed, 4 before; 2 failed"));
    assert!(plans.is_file(), "inputs are kept");
}

#[test]
fn a_sweep_prints_its_number_of_runs_and_its_folder() {
    let (dir, scenario) = scenario();
    let out = dir.path().join("out").display().to_string();
    let output = throng(&["sweep", &scenario, "--seeds", "3", "--jobs", "2", "--out", &out]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let line = format!("sweep: 3 runs: 1 parameter set x 3 seeds (first: 1), 2 at a time, into {out}\n");
    assert!(err(&output).contains(&line), "{}", err(&output));
}

#[test]
fn a_design_from_a_file_stops_when_a_mean_is_known_and_collects_tables() {
    let (dir, scenario) = scenario();
    let (out, design) = (dir.path().join("out"), dir.path().join("design.csv"));
    std::fs::write(&design, "discs;rule\n20;sequential\n30;following\n").unwrap();
    let design = design.display().to_string();
    let until = ["--until", "accepted=1", "--min-seeds", "4", "--seeds", "9"];
    sweep(&scenario, &out, &[&["--design", &design, "--collect", "measures.csv"], &until[..]].concat());
    let runs = table(&out, "runs.csv");
    assert_eq!(runs.len(), 1 + 2 * 4, "a fraction is always known to plus or minus 1 with 4 runs");
    assert_eq!(runs[5][..5], ["5", "2", "30", "following", "1"]);
    let measures = table(&out, "collected_measures.csv");
    assert_eq!(measures[0][..7], ["run", "set", "discs", "rule", "replicate", "seed", "step"]);
    // Steps 0, 3, 6, 9 and 12 of each run; the last has the state hash of the run.
    assert_eq!(measures.len(), 1 + 8 * 5);
    assert_eq!(measures[5].last(), Some(&runs[1][7]));
    let to = out.display().to_string();
    let refused = |args: &[&str]| {
        let output = throng(&[&["sweep", &scenario, "--output", &to], args].concat());
        assert_eq!(code(&output), 2, "{args:?}: {}", err(&output));
        err(&output)
    };
    let message = refused(&["--seeds", "2", "--collect", "agents.csv"]);
    assert!(
        message.contains("--collect agents.csv: no run writes a table of this name")
            && message.contains("measures.csv"),
        "{message}"
    );
    let message = refused(&["--seeds", "2", "--min-seeds", "2"]);
    assert!(message.contains("--min-seeds: there is nothing to wait for"), "{message}");
    let message = refused(&["--design", "nowhere.csv"]);
    assert!(message.contains("--design nowhere.csv: cannot be read"), "{message}");
}

#[test]
fn help_of_sweep_contains_an_example() {
    let output = throng(&["sweep", "--help"]);
    let help = String::from_utf8(output.stdout.clone()).unwrap();
    for part in [
        "combinations of the values",
        "throng sweep examples/evacuation --vary",
        "--latin-hypercube",
        "--design",
        "--until",
        "--collect",
        "resumes when",
        "--network",
    ] {
        assert!(help.contains(part), "{part}: {help}");
    }
}

/// Kills and resumes sweeps at random moments until they are complete.
#[cfg(unix)]
mod killed {
    use std::collections::BTreeMap;
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::Stdio;
    use std::thread::sleep;
    use std::time::Instant;

    use throng_core::Philox;

    use super::*;

    const RUNS: usize = 120;
    const VARY: [&str; 6] = ["--vary", "discs=20,30", "--vary", "step_m=0.05,0.1", "--seeds", "30"];

    /// Counts the records of each run in the journal of a folder, ignoring a truncated record at the end.
    fn journal(folder: &Path) -> BTreeMap<(u64, u64), usize> {
        let bytes = std::fs::read(folder.join("runs.journal")).unwrap_or_default();
        let (mut rest, mut runs) = (bytes.get(16..).unwrap_or_default(), BTreeMap::new());
        while let Some((head, tail)) = rest.split_at_checked(16) {
            let length = u64::from_le_bytes(head[..8].try_into().unwrap()) as usize;
            let Some((json, tail)) = tail.split_at_checked(length) else { break };
            let record: serde_json::Value = serde_json::from_slice(json).unwrap();
            let id = (record["set"].as_u64().unwrap(), record["replicate"].as_u64().unwrap());
            *runs.entry(id).or_default() += 1;
            rest = tail;
        }
        runs
    }

    #[test]
    fn an_interrupted_sweep_ends_with_the_same_tables_and_repeats_no_run() {
        let (dir, scenario) = scenario();
        let whole = dir.path().join("whole");
        let began = Instant::now();
        sweep(&scenario, &whole, &VARY);
        let duration = began.elapsed();
        let (draws, mut kills, mut attempts, mut sweeps) = (Philox::new(31), 0, 0, 0);
        let enough = throng_testing::cases(3);
        while kills < enough && attempts < 50 * enough {
            sweeps += 1;
            let out = dir.path().join(format!("sweep {sweeps}"));
            let mut finished = BTreeMap::new();
            loop {
                attempts += 1;
                let mut command = Command::new(program(env!("CARGO_BIN_EXE_throng")));
                command.args(["sweep", &scenario, "-q", "--output", out.to_str().unwrap()]).args(VARY);
                let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
                sleep(duration.mul_f64(draws.unit(attempts, 0, 0, 0)));
                // It may already have ended.
                let _ = child.kill();
                let output = child.wait_with_output().unwrap();
                let was_killed = output.status.signal().is_some();
                kills += u32::from(was_killed);
                assert!(was_killed || code(&output) == 0, "{}", err(&output));
                let recorded = journal(&out);
                assert!(finished.iter().all(|(run, _)| recorded.contains_key(run)), "no finished run is lost");
                finished = recorded;
                if !was_killed {
                    break;
                }
            }
            assert_eq!((finished.len(), finished.values().max()), (RUNS, Some(&1)), "each run is executed once");
            assert_equal(&whole, &out);
            let listed = |folder: &Path| {
                let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
                names.collect::<BTreeSet<_>>()
            };
            assert_eq!(listed(&whole), listed(&out), "no file of an interrupted run is left");
        }
        assert!(kills >= enough, "{kills} kills in {attempts} attempts");
    }
}
