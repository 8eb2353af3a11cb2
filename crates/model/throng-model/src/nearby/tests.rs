use super::*;
use crate::scenario_file::tests::MODELS;

/// Creates a folder with scenarios, other files, runs with results, runs that cannot be shown, and entries that are not
/// searched.
fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("examples/ice/scenario.toml", "# Ice that flows: slowly. And more.\nmodel = \"glaciers\"\nfolder = \"out\""),
        ("examples/ice/steep.toml", "steps = 3\nmodel='glaciers' # as above\n"),
        ("examples/ice/notes.toml", "[table]\nmodel = \"glaciers\"\n"),
        ("examples/ice/map.toml", "model = \"deserts\"\n"),
        ("sweeps/bridge/sweep.toml", &format!("{}\nmodel = \"glaciers\"", crate::sweep::description::HEAD)),
        ("examples/rhine/rivers.xml", "<rivers/>"),
        ("examples/rhine/README.md", "![a](b)\n# A river\n"),
        ("output/old/manifest.json", &manifest("rivers", "examples/ice", "2026-01-01T00:00:00Z")),
        ("output/new one/manifest.json", &manifest("rivers", "examples/rhine", "2026-01-02T12:30:00Z")),
        ("output/new one/report.html", ""),
        ("output/not shown/manifest.json", &manifest("glaciers", "examples/ice", "2026-01-03T00:00:00Z")),
        ("output/not shown/report.html", ""),
        ("output/paper/manifest.json", &manifest("melting", "examples/ice", "2026-01-03T00:00:00Z")),
        ("output/new one/scenario.toml", "model = \"glaciers\""),
        (".hidden/scenario.toml", "model = \"glaciers\""),
        ("target/a/scenario.toml", "model = \"glaciers\""),
    ] {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

fn manifest(model: &str, scenario: &str, finished: &str) -> String {
    format!(
        r#"{{"program": "throng", "model": "{model}", "scenario": "{scenario}", "finished": "{finished}", "files": []}}"#
    )
}

fn error_text(result: Result<(), throng_core::InputError>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn scenarios_have_a_title_and_runs_are_sorted_by_time() {
    let dir = folder();
    let found = Nearby::search(&MODELS, dir.path());
    let scenarios = found.scenarios.iter().map(|scenario| {
        let path = scenario.path.strip_prefix(dir.path()).unwrap().display().to_string();
        (path, scenario.model.as_str(), scenario.title.as_str())
    });
    let expected = [
        ("examples/ice".to_owned(), "glaciers", "Ice that flows"),
        ("examples/ice/steep.toml".to_owned(), "glaciers", ""),
        ("examples/rhine".to_owned(), "rivers", "A river"),
    ];
    assert_eq!(scenarios.collect::<Vec<_>>(), expected);
    let runs: Vec<_> = found.runs.iter().map(|run| run.path.strip_prefix(dir.path()).unwrap()).collect();
    assert_eq!(runs, [Path::new("output/new one"), Path::new("output/old")]);
    // Some editors save files with these line ends.
    let description = dir.path().join("sweeps/bridge/sweep.toml");
    fs::write(&description, fs::read_to_string(&description).unwrap().replace('\n', "\r\n")).unwrap();
    let sweeps = |name: &str| Nearby::search(&MODELS, &dir.path().join(name)).sweep_reports();
    assert!(sweeps("").ends_with("sweeps/bridge  a sweep, not finished\n"), "{}", sweeps(""));
    fs::write(dir.path().join("sweeps/bridge/report.html"), "").unwrap();
    for folder in ["", "sweeps/bridge"] {
        assert!(sweeps(folder).ends_with("sweeps/bridge/report.html  a sweep\n"), "{}", sweeps(folder));
    }
    let here = Nearby { runs: vec![NearbyRun { path: "new one".into(), ..found.runs[0].clone() }], ..found };
    assert_eq!(
        here.run_commands("throng view", 12),
        "  throng view 'new one'  rivers: examples/rhine, 2026-01-02 12:30:00\n"
    );
}

#[test]
fn other_files_and_hidden_folders_do_not_count_towards_the_limit() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    fs::create_dir_all(path("data")).unwrap();
    fs::create_dir_all(path("ice")).unwrap();
    // With a byte order mark, as saved by some editors.
    fs::write(path("ice/scenario.toml"), "\u{feff}model = \"glaciers\"\n").unwrap();
    for i in 0..MAX_ENTRIES {
        fs::write(path(&format!("data/{i}.png")), "").unwrap();
        fs::create_dir(path(&format!(".{i}"))).unwrap();
    }
    let found = Nearby::search(&MODELS, dir.path());
    assert_eq!(found.scenarios.iter().map(|scenario| &scenario.path).collect::<Vec<_>>(), [&path("ice")]);
}

#[test]
fn a_wrong_scenario_path_is_answered_with_nearby_scenarios() {
    let dir = folder();
    let path = |name: &str| dir.path().join(name);
    let check = |name: &str| check_scenario(&MODELS, "throng run", &path(name));
    for good in ["examples/ice", "examples/rhine/rivers.xml", "output/new one/scenario.toml"] {
        assert_eq!(check(good), Ok(()), "{good}");
    }
    let of_folder = error_text(check("examples"));
    assert!(of_folder.contains("the folder is not a scenario\n    it has scenarios below it:\n"), "{of_folder}");
    let command = format!("      throng run {}  ", path("examples/rhine").display());
    assert!(of_folder.contains(&command) && of_folder.contains("rivers: A river"), "{of_folder}");
    assert!(error_text(check("exmaples")).contains(&format!("did you mean {}?", path("examples").display())));
    let of_run = error_text(check("output/old"));
    assert!(of_run.contains("is the folder of a run, not a scenario\n    to look at it: throng view "), "{of_run}");
    assert!(of_run.ends_with("to run its scenario: throng run examples/ice"), "{of_run}");
    let of_sweep = error_text(check("sweeps/bridge"));
    let unfinished = "is the folder of a sweep, not a scenario\n    it is not finished: the command that started it";
    assert!(of_sweep.contains(unfinished), "{of_sweep}");
    assert!(error_text(check("sweeps/bridge/sweep.toml")).contains("describes a sweep, not a scenario\n"));
    assert!(error_text(check("output/new one/report.html")).contains("is a result of a run, not a scenario"));
    let not_shown = error_text(check("output/not shown"));
    assert!(not_shown.ends_with("not a scenario\n    to run its scenario: throng run examples/ice"), "{not_shown}");
    let of_paper = error_text(check("output/paper"));
    assert!(!of_paper.contains("to look at it") && !of_paper.contains("to run its scenario"), "{of_paper}");
}

#[test]
fn a_wrong_run_path_is_answered_with_nearby_runs() {
    let dir = folder();
    let path = |name: &str| dir.path().join(name);
    let check = |name: &str| check_run(&MODELS, "throng view", &path(name));
    assert_eq!(check("output/old"), Ok(()));
    let of_folder = error_text(check("output"));
    let quoted = format!("      throng view '{}'  ", path("output/new one").display());
    assert!(of_folder.contains("it has runs below it:\n") && of_folder.contains(&quoted), "{of_folder}");
    let of_report = error_text(check("output/new one/report.html"));
    assert!(of_report.ends_with(&format!("throng view '{}'", path("output/new one").display())), "{of_report}");
    assert!(!error_text(check("output/not shown/report.html")).contains("give the folder of the run"));
    let of_scenario = error_text(check("examples/ice"));
    assert!(of_scenario.contains(&format!("run it first: throng run {}", path("examples/ice").display())));
    assert!(error_text(check("nowhere/run")).contains("there is no such file or folder"));
}

/// The model `rivers` accepts any file.
#[test]
fn only_what_looks_like_a_scenario_is_called_one() {
    let dir = folder();
    let found = |name: &str| {
        let path = dir.path().join(name);
        let error = error_text(Err(neither_scene_nor_run(&MODELS, "throng view", &path, MODELS[0])));
        error.replace(&format!("{}/", dir.path().display()), "")
    };
    for name in ["examples/rhine", "examples/a.toml", "examples/old_rivers.xml", "a.river"] {
        let expected = format!("{name}: is a scenario of rivers, not a scene or a run\n    run it first: throng run ");
        assert!(found(name).starts_with(&expected), "{}", found(name));
    }
    for name in ["a.py", "examples/a", "bridges.xml", "a.throng"] {
        let expected = format!("{name}: is not a scene or a run\n    ");
        assert!(found(name).starts_with(&expected) && !found(name).contains("run it first"), "{}", found(name));
    }
}

#[test]
fn long_lists_and_titles_are_truncated() {
    let scenario = |i: usize| NearbyScenario { path: format!("s{i}").into(), model: "m".into(), title: String::new() };
    let of_folder = |folder: &str, count| {
        let scenarios = (0..count).map(scenario).collect();
        Nearby { folder: folder.into(), scenarios, ..Nearby::default() }.scenario_commands("run", 12)
    };
    let of = |count| of_folder(".", count);
    assert_eq!(of(13).lines().count(), 13);
    assert!(of(20).ends_with("  and 8 more: `throng list`\n") && of(20).lines().count() == 13, "{}", of(20));
    assert!(of_folder("my scenarios", 20).ends_with("  and 8 more: `throng list 'my scenarios'`\n"));
    assert_eq!(of(0), "");
    assert_eq!(shortened(&"word, ".repeat(20)), format!("{}word...", "word, ".repeat(9)));
    let comment = "# Two streams\n# that cross. With 5 persons\n";
    assert_eq!(first_comment(comment), "Two streams that cross");
}
