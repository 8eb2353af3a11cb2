//! Whole runs of the example city: the files, their contents, and files that must never be lost.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use throng_core::{NoProgress, Problems, Warnings};
use throng_matsim::formats::open::TextInput;
use throng_matsim::formats::person::{ElementRecord, PersonRecord};
use throng_matsim::formats::population::PopulationReader;
use throng_model::{Done, Failure, RunRequest};
use throng_testing::repository;
use throng_traffic::config::{self, Change};
use throng_traffic::results::FILE_NAMES;
use throng_traffic::{Day, Results, Settings, run};

fn city(file: &str) -> PathBuf {
    repository().join("examples/city").join(file)
}

/// Returns the settings of the example, with results in `out`; only the early morning is simulated.
fn settings(out: &Path, changes: &[&str]) -> Settings {
    let out = format!("controller.outputDirectory={}", out.display());
    let fixed = [out.as_str(), "qsim.endTime=06:45:00", "controller.overwriteFiles=failIfDirectoryExists"];
    let changes: Vec<Change> = fixed.iter().chain(changes).map(|change| Change::typed(*change)).collect();
    config::from_file_with(&city("config.xml"), &changes).unwrap().settings
}

fn run_city(out: &Path, changes: &[&str]) -> Done<Results> {
    run(Day::new(settings(out, changes)), &RunRequest::default(), &NoProgress).unwrap()
}

fn files_in(folder: &Path) -> BTreeSet<String> {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    names.map(|name| name.into_string().unwrap()).collect()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

const LOGS: [&str; 2] = ["logfile.log", "logfileWarningsErrors.log"];

const TABLES: [&str; 18] = [
    "leg_histogram.csv",
    "leg_times.csv.gz",
    "link_stats.csv.gz",
    "link_stats.parquet",
    "manifest.json",
    "modestats.csv",
    "output_activities.csv.gz",
    "output_config.xml",
    "output_legs.csv.gz",
    "output_network.xml.gz",
    "output_persons.csv.gz",
    "output_trips.csv.gz",
    "output_vehicles.xml.gz",
    "ph_modestats.csv",
    "pkm_modestats.csv",
    "stuck_agents.csv",
    "traveldistancestats.csv",
    "trip_times.csv.gz",
];

#[test]
fn a_run_writes_the_expected_files_and_lists_them_in_the_manifest() {
    let dir = TempDir::new().unwrap();
    let out = dir.path().join("a");
    let done =
        run(Day::new(settings(&out, &[])), &RunRequest { hash_every: 600, ..RunRequest::default() }, &NoProgress)
            .unwrap();
    let mut expected = set(&TABLES);
    expected.extend(set(&LOGS));
    expected.extend(set(&[
        "dashboard-1-throng.yaml",
        "output_events.parquet",
        "output_events.xml.gz",
        "output_plans.xml.gz",
    ]));
    expected.extend(set(&["report.html", "state_hashes.txt"]));
    assert_eq!(files_in(&out), expected);

    let manifest = std::fs::read_to_string(out.join("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let listed = manifest["files"].as_array().unwrap();
    let listed: BTreeSet<String> = listed.iter().map(|file| file["name"].as_str().unwrap().to_owned()).collect();
    expected.remove("manifest.json");
    assert_eq!(listed, expected);
    // Before a run begins, inputs with these names are rejected.
    let of_all_models = [throng_model::report::REPORT_NAME, throng_model::record::HASHES_NAME];
    let names: Vec<&str> = FILE_NAMES.into_iter().chain(of_all_models).collect();
    let announced = |name: &String| names.contains(&name.trim_end_matches(".gz"));
    assert!(listed.iter().all(announced), "{listed:?}");
    assert_eq!(manifest["options"]["hash-every"], "600");
    assert_eq!(manifest["results"]["events"], done.results.outcome.stats.events);
    assert_eq!(manifest["results"]["stuck"], done.results.outcome.stats.aborted_at_end);
    assert!(done.results.outcome.stats.aborted_at_end > 0, "the run ends in the middle of the morning");
    let phases: Vec<_> = manifest["timings"].as_array().unwrap().iter().map(|t| t["phase"].clone()).collect();
    assert_eq!(
        phases,
        [
            "loading",
            "starting the device",
            "simulation",
            "completing events and tables",
            "completing plans",
            "completing inputs in effect"
        ]
    );
}

#[test]
fn prefix_compression_and_disabled_files_follow_the_settings() {
    let dir = TempDir::new().unwrap();
    let out = dir.path().join("zst");
    run_city(&out, &["controller.runId=r1", "controller.compressionType=zst", "throng.eventsParquet=false"]);
    let names = TABLES.into_iter().chain(LOGS).map(|name| format!("r1.{}", name.replace(".gz", ".zst")));
    let mut expected: BTreeSet<String> = names.collect();
    expected.extend(set(&["r1.output_events.xml.zst", "r1.output_plans.xml.zst", "r1.report.html"]));
    assert_eq!(files_in(&out), expected);
    let read = |name: &str| std::fs::read_to_string(out.join(name)).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&read("r1.manifest.json")).unwrap();
    for file in manifest["files"].as_array().unwrap() {
        let name = file["name"].as_str().unwrap();
        assert_eq!(std::fs::metadata(out.join(name)).unwrap().len(), file["bytes"], "{name}");
    }
    // The report uses the actual names of the files.
    for part in ["in r1.link_stats.parquet and r1.link_stats.csv.zst.", "in r1.leg_histogram.csv."] {
        assert!(read("r1.report.html").contains(part), "{part}");
    }

    let out = dir.path().join("few");
    let few = [
        "controller.writeEventsInterval=0",
        "controller.writePlansInterval=0",
        "controller.dumpDataAtEnd=false",
        "throng.analysis=false",
    ];
    let done = run_city(&out, &few);
    assert_eq!(files_in(&out), &set(&["manifest.json", "output_config.xml"]) | &set(&LOGS));
    let manifest = std::fs::read_to_string(out.join("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    // Quantities that were not counted are null, not 0.
    assert_eq!(manifest["results"]["trips"], serde_json::Value::Null);
    assert_eq!(manifest["results"]["moves_over_nodes"], done.results.outcome.stats.moves);
    assert!(done.results.outcome.stats.moves > 0);
}

#[test]
fn the_number_of_threads_changes_no_result() {
    let dir = TempDir::new().unwrap();
    let [one, two] = ["1", "2"].map(|threads| {
        let out = dir.path().join(threads);
        let threads_of_steps = format!("qsim.numberOfThreads={threads}");
        let settings = settings(&out, &[&threads_of_steps, "scoring.writeExperiencedPlans=true"]);
        let done =
            run(Day::new(settings), &RunRequest { hash_every: 60, ..RunRequest::default() }, &NoProgress).unwrap();
        assert_eq!(done.results.outcome.threads.to_string(), threads);
        assert!(done.results.outcome.stats.events > 1000);
        out
    });
    // These contain durations, the folder, or the number of threads.
    let others = &set(&["manifest.json", "output_config.xml", "report.html"]) | &set(&LOGS);
    assert_eq!(files_in(&one), files_in(&two));
    let same: BTreeSet<String> = &files_in(&one) - &others;
    for name in &same {
        let [a, b] = [&one, &two].map(|folder| std::fs::read(folder.join(name)).unwrap());
        assert!(a == b, "{name} differs");
    }
    for table in TABLES.iter().filter(|name| name.contains(".csv")) {
        let lines = lines_of(&one.join(table)).len();
        assert!(same.contains(*table) && lines > 1, "{table}: {lines} lines");
    }
    assert!(same.contains("output_events.parquet") && same.contains("state_hashes.txt"), "{same:?}");
}

#[test]
fn link_volumes_without_events_match_the_event_analysis() {
    let dir = TempDir::new().unwrap();
    let [with, without] = ["with", "without"].map(|name| dir.path().join(name));
    run_city(&with, &[]);
    let settings = settings(&without, &["controller.writeEventsInterval=0", "throng.analysis=false"]);
    let done = run(Day { link_volumes: true, ..Day::new(settings) }, &RunRequest::default(), &NoProgress).unwrap();
    assert_eq!(done.results.outcome.stats.events, 0);
    let volumes = lines_of(&without.join("link_volumes.csv.gz"));
    let expected: Vec<String> = lines_of(&with.join("link_stats.csv.gz"))
        .iter()
        .map(|line| line.split(';').take(6).collect::<Vec<_>>().join(";"))
        .collect();
    assert!(volumes.len() > 100, "{}", volumes.len());
    assert_eq!(volumes, expected);
}

fn lines_of(packed: &Path) -> Vec<String> {
    let input = TextInput::open(packed).unwrap();
    std::io::BufRead::lines(input).map(Result::unwrap).collect()
}

#[test]
fn the_config_in_the_folder_repeats_the_run() {
    let dir = TempDir::new().unwrap();
    let first = dir.path().join("first");
    run_city(&first, &["global.randomSeed=7", "routing.teleportedModeSpeed_walk=2", "qsim.stuckTime=30"]);
    let again = dir.path().join("again");
    let change = Change::typed(format!("controller.outputDirectory={}", again.display()));
    let configured = config::from_file_with(&first.join("output_config.xml"), &[change]).unwrap();
    assert!(configured.warnings.is_empty(), "{:?}", configured.warnings);
    // The config has activity types, which are written for iterations.
    assert!(configured.notices.len() == 1 && configured.notices[0].contains("(module scoring)"), "{configured:?}");
    run(Day::new(configured.settings), &RunRequest::default(), &NoProgress).unwrap();
    let events = "output_events.xml.gz";
    let read = |folder: &Path| std::fs::read(folder.join(events)).unwrap();
    assert!(read(&first) == read(&again), "the event files differ");
}

/// Returns for each selected plan: person, number of elements, and whether all legs have routes and activities links.
fn persons(file: &Path) -> Vec<(String, usize, bool)> {
    let mut reader = PopulationReader::open(file).unwrap();
    let (mut person, mut problems, mut warnings) = (PersonRecord::new(), Problems::new(), Warnings::new());
    let mut list = Vec::new();
    while reader.read_person(&mut person, &mut problems, &mut warnings) {
        let plan = person.selected_plan().unwrap();
        let elements = &person.plans()[plan];
        let elements = person.elements(elements);
        let routed = elements.iter().all(|element| match element {
            ElementRecord::Leg(leg) => leg.route.is_some(),
            ElementRecord::Activity(activity) => !activity.link.is_none(),
        });
        list.push((person.id().to_owned(), elements.len(), routed));
    }
    assert!(problems.is_empty(), "{problems}");
    list
}

#[test]
fn output_plans_keeps_the_order_of_persons_and_completes_routes() {
    let dir = TempDir::new().unwrap();
    let out = dir.path().join("a");
    run_city(&out, &[]);
    let (given, written) = (persons(&city("plans.xml.gz")), persons(&out.join("output_plans.xml.gz")));
    assert_eq!(given.len(), 3000);
    assert!(written.iter().all(|person| person.2), "each leg has a route and each activity a link");
    let names = |list: &[(String, usize, bool)]| list.iter().map(|p| (p.0.clone(), p.1)).collect::<Vec<_>>();
    assert_eq!(names(&given), names(&written));
}

#[test]
fn a_run_never_deletes_its_inputs() {
    let dir = TempDir::new().unwrap();
    for file in ["network.xml.gz", "plans.xml.gz"] {
        std::fs::copy(city(file), dir.path().join(file)).unwrap();
    }
    let plans = dir.path().join("plans.xml.gz");
    let mut settings = settings(dir.path(), &["controller.overwriteFiles=deleteDirectoryIfExists"]);
    settings.files.plans = Some(plans.clone());
    let error = run(Day::new(settings), &RunRequest::default(), &NoProgress).unwrap_err();
    assert!(matches!(error, Failure::Output(_)), "{error}");
    assert!(error.to_string().contains("is not deleted: the run reads"), "{error}");
    assert!(plans.exists());
}

#[test]
fn results_are_deleted_only_when_the_next_run_is_certain() {
    let dir = TempDir::new().unwrap();
    let out = dir.path().join("a");
    run_city(&out, &[]);
    let before = files_in(&out);
    let mut broken = settings(&out, &["controller.overwriteFiles=deleteDirectoryIfExists"]);
    let plans = dir.path().join("plans.xml");
    std::fs::write(&plans, "<population><person id='1'></population>").unwrap();
    broken.files.plans = Some(plans);
    let error = run(Day::new(broken), &RunRequest::default(), &NoProgress).unwrap_err();
    assert!(matches!(error, Failure::Input(_)), "{error}");
    assert_eq!(files_in(&out), before);
}

#[test]
fn a_run_that_cannot_begin_leaves_no_folder() {
    let dir = TempDir::new().unwrap();
    let out = dir.path().join("a");
    let mut settings = settings(&out, &[]);
    settings.files.network = Some(dir.path().join("nowhere.xml"));
    assert!(matches!(run(Day::new(settings), &RunRequest::default(), &NoProgress), Err(Failure::Input(_))));
    assert!(!out.exists());
}
