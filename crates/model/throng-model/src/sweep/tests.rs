//! Sweeps of small models that fail, panic, or run in batches.

mod designs;
mod statistics;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use throng_core::{Change, NoProgress, Verified};
use throng_device::{DeviceInfo, Executor};
use throng_output::{Codec, OutputError, TextFile};

use super::*;
use crate::flags::Flags;
use crate::scenario_file::{AnyScenario, SCENARIO_NAME};
use crate::sweep::Batch;
use crate::{Check, Failure, Figure, Loaded, Measured, Output, Quantity, Run, Scenario, Series, Simulated};
use throng_core::InputError;

const LEVEL: Quantity = Quantity::real("level", "water level", "m", "at the end");

/// A level that rises day by day. Fails with a rise of 13 in the second replicate, and panics with a rise of 14. Each
/// run writes a table of boats, in which boats have a name if the rise is below 5; with a rise of 9 it writes no table.
struct Lakes {
    batch: Option<Together>,
}

/// Runs all replicates of a batch together, and counts batches.
struct Together(AtomicUsize, usize);

struct Lake {
    rise: i64,
    seed: i64,
    request: crate::ScenarioRequest,
}

impl Lake {
    fn of(request: &crate::ScenarioRequest) -> Result<Self, InputError> {
        let mut problems = Problems::new();
        let mut lake = Self { rise: 0, seed: request.seed.unwrap_or(40), request: request.clone() };
        for Change { assignment, origin, .. } in &request.changes {
            match assignment.split_once('=') {
                Some(("rise", value)) => match value.parse() {
                    Ok(rise) if rise >= 0 => lake.rise = rise,
                    _ => problems.push(format!("{origin} {assignment}"), "the rise is wrong", "give 0 or more"),
                },
                Some(("name", _)) => {}
                _ => problems.push(format!("{origin} {assignment}"), "unknown key", "did you mean \"rise\"?"),
            }
        }
        problems.into_result().map(|()| lake)
    }

    fn measured(&self) -> Result<Measured, Failure> {
        if self.rise == 13 && self.seed == 41 {
            return Err(Failure::resource("no water", "wait for rain"));
        }
        assert!(self.rise != 14, "the dam breaks");
        let level = |day: i64| (self.rise * day + self.seed) as f64;
        let mut figures = vec![Figure::new(LEVEL, level(3))];
        if self.rise > 20 {
            figures.push(Figure::new(Quantity::count("flood", "", ""), 1.0));
        }
        let series = Series {
            over: Quantity::count("day", "", ""),
            quantities: vec![LEVEL],
            rows: (0..4).map(|day| (day as f64, vec![level(day)])).collect(),
        };
        Ok(Measured { hash: Some(self.seed as u64), figures, series })
    }
}

impl Check for Lakes {
    fn name(&self) -> &'static str {
        "lakes"
    }

    fn verify(&self, _: &Executor, _: &mut dyn FnMut(Verified)) {}
}

impl Model for Lakes {
    fn about(&self) -> &'static str {
        "Lakes"
    }

    fn template(&self) -> String {
        String::new()
    }

    fn schema(&self) -> String {
        String::new()
    }

    fn batch(&self) -> Option<&dyn Batch> {
        self.batch.as_ref().map(|batch| batch as &dyn Batch)
    }

    fn scenario(&self, request: &crate::ScenarioRequest) -> Result<Box<dyn AnyScenario>, Failure> {
        Ok(Box::new(Lake::of(request)?))
    }
}

impl Scenario for Lake {
    type Loaded = Self;

    fn model(&self) -> &'static str {
        "lakes"
    }

    fn seed(&self) -> i64 {
        self.seed
    }

    fn effective(&self) -> Result<String, Failure> {
        Ok(format!("rise = {}\n", self.rise))
    }

    fn output(&self) -> Output {
        let names = vec!["level.txt", "boats.csv", "fish.csv"];
        let prefix = if self.rise == 7 { "r7".to_owned() } else { String::new() };
        Output { folder: self.request.out.clone().unwrap_or_default(), names, prefix, ..Output::default() }
    }

    fn threads(&self) -> usize {
        1
    }

    fn load(self, _: &mut Warnings, _: &dyn Progress) -> Result<Self, Failure> {
        Ok(self)
    }
}

impl Loaded for Lake {
    type Results = ();

    fn suits_cpu(&self) -> Option<String> {
        Some("it is small".to_owned())
    }

    fn unsuitable(&self, _: &DeviceInfo) -> Option<String> {
        None
    }

    fn simulate(self, run: &mut Run<'_>) -> Result<Simulated<()>, Failure> {
        run.folder.write("level.txt", b"1")?;
        // A file in the folder of the sweep simulates a full disk.
        if self
            .request
            .out
            .as_deref()
            .and_then(|out| out.ancestors().nth(2))
            .is_some_and(|of_sweep| of_sweep.join("full").exists())
        {
            return Err(OutputError::io("write", Path::new("level.txt"), std::io::ErrorKind::StorageFull.into()).into());
        }
        let mut files = Vec::new();
        if self.rise != 9 && !run.request.without_files {
            let mut boats =
                TextFile::create(run.folder, "boats.csv", if self.rise == 7 { Codec::Gzip } else { Codec::None })?;
            let (header, name) = if self.rise < 5 { ("boat;seed;name", ";\"a;b\"") } else { ("boat;seed", "") };
            boats.text().extend_from_slice(format!("{header}\r\n").as_bytes());
            for boat in 0..2 {
                boats.text().extend_from_slice(format!("{boat};{}{name}\r\n", 10 * self.seed + boat).as_bytes());
            }
            files.push(boats.finish()?);
        }
        Ok(Simulated { measured: self.measured()?, files, ..Simulated::new(()) })
    }
}

impl Batch for Together {
    fn max_runs(&self, _: &RunRequest) -> usize {
        self.1
    }

    fn run(&self, scenarios: &[crate::ScenarioRequest], _: &RunRequest) -> Vec<Result<Measured, Failure>> {
        self.0.fetch_add(1, Ordering::SeqCst);
        scenarios.iter().map(|request| Lake::of(request)?.measured()).collect()
    }
}

const ONE_BY_ONE: Lakes = Lakes { batch: None };

fn request(folder: &Path, vary: &[&str], seeds: u64) -> SweepRequest {
    SweepRequest {
        vary: vary.iter().map(|&text| text.to_owned()).collect(),
        seeds,
        folder: folder.to_owned(),
        jobs: Some(2),
        ..SweepRequest::default()
    }
}

fn sweep(model: &dyn Model, request: &SweepRequest) -> Result<SweepOutcome, Failure> {
    Sweep::prepare(model, request, &NoProgress)?.run(&NoProgress)
}

fn text(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn tables_have_a_row_for_each_run_and_each_day() {
    let dir = tempfile::tempdir().unwrap();
    let swept = sweep(&ONE_BY_ONE, &request(dir.path(), &["rise=2,30", "name=a"], 2)).unwrap();
    assert_eq!((swept.runs, swept.executed, swept.failed), (4, 4, 0));
    let runs = "run;set;rise;name;replicate;seed;status;state_hash;level_m;flood;error\r\n\
                1;1;2;a;1;40;done;0000000000000028;46;;\r\n2;1;2;a;2;41;done;0000000000000029;47;;\r\n\
                3;2;30;a;1;40;done;0000000000000028;130;1;\r\n4;2;30;a;2;41;done;0000000000000029;131;1;\r\n";
    assert_eq!(text(dir.path(), "runs.csv"), runs);
    let series = text(dir.path(), "series.csv");
    assert!(
        series
            .starts_with("run;set;rise;name;replicate;seed;day;level_m\r\n1;1;2;a;1;40;0;40\r\n1;1;2;a;1;40;1;42\r\n"),
        "{series}"
    );
    assert_eq!(series.lines().count(), 1 + 4 * 4);
    assert_eq!(text(dir.path(), "wall_times.csv").lines().count(), 5);
    let mut names: Vec<String> =
        std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(
        names,
        [
            "columns.csv",
            "differences.csv",
            "report.html",
            "runs.csv",
            "runs.journal",
            "runs.parquet",
            "series.csv",
            "series.parquet",
            "summary.csv",
            "summary.parquet",
            "sweep.toml",
            "wall_times.csv"
        ],
        "no folder of a run is left"
    );
    let report = text(dir.path(), "report.html");
    for part in ["Water level, m", "Water level over day, m", "Parameter set 2: rise = 30, name = a", "At the end."] {
        assert!(report.contains(part), "{part}");
    }
    // The answer comes first, and two parameter sets need no chart.
    let answer =
        "The mean of water level changes most: from 46.5 m with rise = 2, name = a to 130 m with rise = 30, name = a.";
    let [first, second] = [answer, "Means and quantiles as a table"].map(|part| report.find(part));
    assert!(first.is_some() && second.is_none(), "{report}");
}

#[test]
fn columns_are_ordered_by_value_and_figures_by_change() {
    let dir = tempfile::tempdir().unwrap();
    sweep(&ONE_BY_ONE, &request(dir.path(), &["rise=30,4,21", "name=b,a"], 3)).unwrap();
    let report = text(dir.path(), "report.html");
    let places =
        ["4, b", "4, a", "21, b", "21, a", "30, b", "30, a"].map(|label| report.find(&format!(">{label}</text>")));
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}");
    assert!(report.contains("<td>Flood</td><td class=\"n\">1</td><td>4 sets</td>"), "{report}");
    assert!(!report.contains("<h2>Flood</h2>"), "a figure that is the same everywhere has no chart");
    let long = "a".repeat(120);
    let other = dir.path().join("long");
    sweep(&ONE_BY_ONE, &request(&other, &["rise=2,3,5", &format!("name={long}")], 1)).unwrap();
    assert!(!text(&other, "report.html").contains(&format!("{long}</text>")), "long labels are truncated");
}

#[test]
fn samples_are_plotted_over_the_most_influential_parameter() {
    let dir = tempfile::tempdir().unwrap();
    let mut sampled = request(dir.path(), &["name=1..9", "rise=0..12"], 1);
    sampled.latin_hypercube = Some(8);
    sweep(&ONE_BY_ONE, &sampled).unwrap();
    let report = text(dir.path(), "report.html");
    assert!(report.contains("aria-label=\"Water level over rise\"") && report.contains("rise 1.00"), "{report}");
}

#[test]
fn failed_and_panicking_runs_are_recorded_and_the_others_continue() {
    let dir = tempfile::tempdir().unwrap();
    let mut request = request(dir.path(), &["rise=1,13,14"], 2);
    let swept = sweep(&ONE_BY_ONE, &request).unwrap();
    assert_eq!((swept.executed, swept.failed), (6, 3));
    assert_eq!(swept.first_failed, Some((4, "no water\n    wait for rain".to_owned())));
    let runs = text(dir.path(), "runs.csv");
    assert!(runs.contains("3;2;13;1;40;done;0000000000000028;79;"), "{runs}");
    assert!(runs.contains("4;2;13;2;41;failed;;;\"no water\n    wait for rain\""), "{runs}");
    assert!(runs.contains("5;3;14;1;40;failed;;;\"the dam breaks\n    this is a bug, please report it\""), "{runs}");
    let again = sweep(&ONE_BY_ONE, &request).unwrap();
    assert_eq!((again.executed, again.failed), (0, 3), "finished runs are not repeated");
    request.retry_failed = true;
    assert_eq!(sweep(&ONE_BY_ONE, &request).unwrap().executed, 3);
    assert_eq!(text(dir.path(), "runs.csv"), runs);
    assert!(text(dir.path(), "report.html").contains("3 runs failed"));
}

#[test]
fn a_full_disk_is_not_recorded_as_a_result() {
    let dir = tempfile::tempdir().unwrap();
    let request = request(dir.path(), &["rise=1,2"], 3);
    let prepared = Sweep::prepare(&ONE_BY_ONE, &request, &NoProgress).unwrap();
    std::fs::write(dir.path().join("full"), "").unwrap();
    let failure = prepared.run(&NoProgress).unwrap_err();
    assert!(failure.exit_code() == 3 && failure.to_string().contains("level.txt"), "{failure}");
    std::fs::remove_file(dir.path().join("full")).unwrap();
    let swept = sweep(&ONE_BY_ONE, &request).unwrap();
    assert_eq!((swept.runs, swept.executed, swept.failed), (6, 6, 0));
}

#[test]
fn sets_with_equal_settings_cause_a_warning() {
    let dir = tempfile::tempdir().unwrap();
    let warnings = |vary: &[&str]| {
        let prepared =
            Sweep::prepare(&ONE_BY_ONE, &request(&dir.path().join(vary.len().to_string()), vary, 1), &NoProgress);
        prepared.unwrap().warnings().lines().collect::<Vec<_>>().join("\n")
    };
    assert_eq!(warnings(&["rise=1,2"]), "");
    // The name does not affect a lake.
    let found = warnings(&["rise=1,2", "name=a,b"]);
    assert!(found.contains("2 times: a parameter set has the same settings in effect as an earlier one"), "{found}");
    assert!(found.contains("2 (rise = 1, name = b) as 1 (rise = 1, name = a)"), "{found}");
}

#[test]
fn batches_have_the_results_of_single_runs() {
    let dir = tempfile::tempdir().unwrap();
    let (one, many) = (dir.path().join("one"), dir.path().join("many"));
    let vary = ["rise=1,13,30"];
    sweep(&ONE_BY_ONE, &request(&one, &vary, 5)).unwrap();
    let lakes = Lakes { batch: Some(Together(AtomicUsize::new(0), 4)) };
    sweep(&lakes, &request(&many, &vary, 5)).unwrap();
    assert_eq!(lakes.batch.as_ref().unwrap().0.load(Ordering::SeqCst), 4, "15 runs, 4 at once");
    for name in ["runs.csv", "runs.parquet", "series.csv", "series.parquet", "report.html"] {
        assert!(std::fs::read(one.join(name)).unwrap() == std::fs::read(many.join(name)).unwrap(), "{name}");
    }
    // A panic fails all runs of its batch.
    let swept = sweep(&lakes, &request(&dir.path().join("panic"), &["rise=14,1"], 4)).unwrap();
    assert_eq!((swept.runs, swept.failed), (8, 4));
}

#[test]
fn extending_the_seeds_gives_the_tables_of_a_single_sweep() {
    let dir = tempfile::tempdir().unwrap();
    let (grown, whole) = (dir.path().join("grown"), dir.path().join("whole"));
    for (folder, seeds, executed) in [(&grown, 2, 4), (&grown, 5, 6), (&whole, 5, 10)] {
        assert_eq!(sweep(&ONE_BY_ONE, &request(folder, &["rise=1,2"], seeds)).unwrap().executed, executed);
    }
    for name in ["runs.csv", "series.parquet", "summary.parquet", "differences.csv", "report.html", "sweep.toml"] {
        assert!(std::fs::read(grown.join(name)).unwrap() == std::fs::read(whole.join(name)).unwrap(), "{name}");
    }
    // Until the additional runs are finished, the old report is outdated.
    drop(Sweep::prepare(&ONE_BY_ONE, &request(&grown, &["rise=1,2"], 6), &NoProgress).unwrap());
    assert!(!grown.join("report.html").exists() && grown.join("runs.csv").exists());
    assert_eq!(sweep(&ONE_BY_ONE, &request(&grown, &["rise=1,2"], 6)).unwrap().executed, 2);
    assert!(grown.join("report.html").exists());
    let error = sweep(&ONE_BY_ONE, &request(&grown, &["rise=1,2"], 5)).unwrap_err().to_string();
    assert!(error.contains("seeds: the sweep there has 6, this one 5\n    give --seeds 6 or more"), "{error}");
}

#[test]
fn all_mistakes_are_reported_together_and_nothing_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("a");
    let mut wrong = request(&folder, &["rise=1,-2,x", "nme=a,b", "name="], 0);
    wrong.jobs = Some(0);
    let error = sweep(&ONE_BY_ONE, &wrong).unwrap_err().to_string();
    for part in [
        "--seeds: 0\n    give a whole number",
        "--jobs: 0\n    give a whole number",
        "--vary name=: there are 0 values",
        "--vary nme=a: unknown key\n    did you mean \"rise\"?",
        "--vary rise=-2: the rise is wrong (in 4 of 6 parameter sets, first in 3: rise = -2, nme = a)\n    give 0 or more",
    ] {
        assert!(error.contains(part), "{part}: {error}");
    }
    assert!(!folder.exists());
    std::fs::write(dir.path().join(SCENARIO_NAME), "").unwrap();
    let error = sweep(&ONE_BY_ONE, &request(dir.path(), &[], 1)).unwrap_err().to_string();
    assert!(error.contains("holds no sweep, and it is not empty: it holds \"scenario.toml\""), "{error}");
    let mut sampled = request(&folder, &["rise=1..5"], 1);
    sampled.latin_hypercube = Some(0);
    assert!(sweep(&ONE_BY_ONE, &sampled).unwrap_err().to_string().contains("--latin-hypercube: 0"));
    sampled.vary.clear();
    sampled.latin_hypercube = Some(3);
    assert!(sweep(&ONE_BY_ONE, &sampled).unwrap_err().to_string().contains("no parameter is varied"));
}

#[test]
fn a_parameter_cannot_be_both_set_and_varied() {
    let dir = tempfile::tempdir().unwrap();
    let mut request = request(dir.path(), &["rise=1,2"], 1);
    request.scenario.changes = vec![Change::typed("rise=3")];
    request.scenario.flags = Flags::default();
    let error = sweep(&ONE_BY_ONE, &request).unwrap_err().to_string();
    assert_eq!(error, "--set rise=3: --vary varies rise\n    leave one of them out");
}

#[test]
fn the_plan_counts_seeds_and_finished_runs() {
    let dir = tempfile::tempdir().unwrap();
    let plan = |request: &SweepRequest| Sweep::prepare(&ONE_BY_ONE, request, &NoProgress).unwrap().plan();
    let mut failing = request(&dir.path().join("failing"), &["rise=1,14"], 1);
    assert_eq!(sweep(&ONE_BY_ONE, &failing).unwrap().failed, 1);
    assert_eq!(plan(&failing), "2 runs: 2 parameter sets x seed 40; 2 are finished");
    failing.retry_failed = true;
    assert_eq!(plan(&failing), "2 runs: 2 parameter sets x seed 40; 1 is finished");
    for (seeds, expected) in [
        (2, "4 runs: 2 parameter sets x 2 seeds (first: 40)"),
        (12, "at most 24 runs: 2 parameter sets x 10 to 12 seeds (first: 40)"),
    ] {
        let until = vec!["level=1".to_owned()];
        let folder = dir.path().join(seeds.to_string());
        assert_eq!(plan(&SweepRequest { until, ..request(&folder, &["rise=1,2"], seeds) }), expected);
    }
}

#[test]
fn a_folder_in_use_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let request = request(dir.path(), &["rise=1"], 2);
    let first = Sweep::prepare(&ONE_BY_ONE, &request, &NoProgress).unwrap();
    assert_eq!(first.plan(), "2 runs: 1 parameter set x 2 seeds (first: 40)");
    let error = sweep(&ONE_BY_ONE, &request).unwrap_err().to_string();
    assert!(error.contains("another run is writing"), "{error}");
}
