//! Designs from files, stopping conditions, and collected tables.

use super::*;

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn assert_same(a: &Path, b: &Path, names: &[&str]) {
    for name in names {
        assert!(std::fs::read(a.join(name)).unwrap() == std::fs::read(b.join(name)).unwrap(), "{name}");
    }
}

/// The files that are equal for sweeps with the same results.
const TABLES_OF_RESULTS: [&str; 6] =
    ["runs.csv", "runs.parquet", "series.csv", "summary.csv", "differences.csv", "columns.csv"];

#[test]
fn a_design_from_a_file_has_the_runs_of_its_rows() {
    let dir = tempfile::tempdir().unwrap();
    let (typed, read, file) = (dir.path().join("typed"), dir.path().join("read"), dir.path().join("d.csv"));
    std::fs::write(&file, "rise,name\n1,a\n1,b\n2,a\n2,b\n").unwrap();
    sweep(&ONE_BY_ONE, &request(&typed, &["rise=1,2", "name=a,b"], 2)).unwrap();
    let of_file = SweepRequest { design: Some(file.clone()), ..request(&read, &[], 2) };
    assert_eq!(sweep(&ONE_BY_ONE, &of_file).unwrap().executed, 8);
    assert_same(&typed, &read, &TABLES_OF_RESULTS);
    assert_eq!(text(&read, "design.csv"), text(dir.path(), "d.csv"), "the folder has a copy");
    let described = text(&read, "sweep.toml");
    assert!(described.contains("design = \"from a file\"") && described.contains("[design_file]"), "{described}");
    assert!(text(&read, "report.html").contains("d.csv"));
    // The sweep can be continued, also with the copy of the file, but not with another file.
    let more = SweepRequest { seeds: 3, ..of_file.clone() };
    assert_eq!(sweep(&ONE_BY_ONE, &more).unwrap().executed, 4);
    let with_copy = SweepRequest { design: Some(read.join("design.csv")), ..more.clone() };
    assert_eq!(sweep(&ONE_BY_ONE, &with_copy).unwrap().executed, 0);
    std::fs::write(&file, "rise,name\n1,a\n1,b\n2,a\n3,b\n").unwrap();
    let error = sweep(&ONE_BY_ONE, &more).unwrap_err().to_string();
    assert!(
        error.contains("design_file: ") && error.contains("d.csv has changed since\n    choose another folder"),
        "{error}"
    );
    let error = sweep(&ONE_BY_ONE, &request(&read, &["rise=1,2", "name=a,b"], 3)).unwrap_err().to_string();
    assert!(error.contains("design: the sweep there has \"from a file\", this one \"full factorial\""), "{error}");
}

#[test]
fn mistakes_in_a_design_file_have_line_and_column() {
    let dir = tempfile::tempdir().unwrap();
    let (folder, file) = (dir.path().join("out"), dir.path().join("d.csv"));
    let refused = |text: &str, change: &dyn Fn(&mut SweepRequest)| {
        std::fs::write(&file, text).unwrap();
        let mut request = SweepRequest { design: Some(file.clone()), ..request(&folder, &[], 2) };
        change(&mut request);
        let error = sweep(&ONE_BY_ONE, &request).unwrap_err().to_string();
        assert!(!folder.exists(), "nothing is written");
        error.replace(&format!("{}/", dir.path().display()), "")
    };
    for (text, part) in [
        (
            "name;rise\na;1\na;-2\n",
            "d.csv:3, column 2: rise=-2: the rise is wrong (in parameter set 2: name = a, rise = -2)\n    give 0 or more",
        ),
        ("rise;nme\n1;a\n2;b\n", "d.csv:2, column 2: nme=a: unknown key\n    did you mean \"rise\"?"),
        ("rise;name\n1\n", "d.csv:2: 1 value, and the first line has 2 keys"),
        ("rise\n1\n1\n", "d.csv:3: repeats the parameter set of line 2"),
    ] {
        let error = refused(text, &|_| {});
        assert!(error.contains(part), "{part}: {error}");
        assert_eq!(error.matches("d.csv").count(), 1, "each problem once: {error}");
    }
    let error = refused("rise\n1\n2\n", &|request| {
        request.vary = vec!["name=a,b".to_owned()];
        request.latin_hypercube = Some(2);
        request.scenario.changes = vec![Change::typed("rise=3")];
    });
    for part in
        ["--vary: --design has all values", "--latin-hypercube: --design has", "--set rise=3: --design varies rise"]
    {
        assert!(error.contains(part), "{part}: {error}");
    }
    let error = refused("rise\n1\n", &|request| request.seeds = 1);
    assert!(error.contains("--design: nothing varies") && error.contains("add rows"), "{error}");
}

fn until(folder: &Path, vary: &[&str], seeds: u64, until: &str) -> SweepRequest {
    SweepRequest { until: vec![until.to_owned()], min_seeds: Some(2), ..request(folder, vary, seeds) }
}

/// Returns the number of runs of each parameter set.
fn runs_of_sets(folder: &Path, sets: usize) -> Vec<usize> {
    let runs = text(folder, "runs.csv");
    let set_of = |line: &str| line.split(';').nth(1).and_then(|set| set.parse::<usize>().ok());
    (1..=sets).map(|set| runs.lines().filter(|line| set_of(line) == Some(set)).count()).collect()
}

#[test]
fn a_parameter_set_stops_once_its_mean_is_precise_enough() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    // Levels of consecutive seeds n, n + 1, ...: 2 to 7 runs have half widths 6.35, 2.48, 2.05, 1.96, 1.96, 2.00.
    for (width, runs) in [("2.5", 3), ("2.0", 5), ("7", 2), ("1", 9)] {
        let swept = sweep(&ONE_BY_ONE, &until(&path(width), &["rise=1,2"], 9, &format!("level_m={width}"))).unwrap();
        assert_eq!((swept.runs, runs_of_sets(&path(width), 2)), (2 * runs as u64, vec![runs; 2]), "{width}");
        let is_met = runs < 9;
        assert_eq!(swept.unmet, if is_met { vec![] } else { vec![1, 2] });
        let unmet = format!(
            "After all 9 runs of a parameter set, not every condition (level_m={width}) is met in these sets: 1, 2."
        );
        assert_eq!(text(&path(width), "report.html").contains(&unmet), !is_met);
        assert_eq!(
            text(&path(width), "runs.csv").lines().last().unwrap().split(';').next(),
            Some((2 * runs).to_string().as_str())
        );
        let sweep_toml = text(&path(width), "sweep.toml");
        assert!(sweep_toml.contains(&format!("until = [\"level_m={width}\"]")) && sweep_toml.contains("min_seeds = 2"));
    }
    assert!(text(&path("2.0"), "report.html").contains("2 to 9"));
    // The second run with a rise of 13 fails and has no value. Levels 79, 81, 82 have a half width of 3.79; adding 83
    // reduces it to 2.72.
    sweep(&ONE_BY_ONE, &until(&path("failed"), &["rise=1,13"], 9, "level=3")).unwrap();
    assert_eq!(runs_of_sets(&path("failed"), 2), [3, 5]);
}

#[test]
fn the_number_of_runs_does_not_depend_on_threads_or_earlier_work() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let vary = ["rise=1,2,13"];
    let mut requests = [("one", 1), ("two", 2), ("seven", 7)]
        .map(|(name, jobs)| SweepRequest { jobs: Some(jobs), ..until(&path(name), &vary, 12, "level_m=2.0") });
    let swept: Vec<SweepOutcome> = requests.iter().map(|request| sweep(&ONE_BY_ONE, request).unwrap()).collect();
    assert_eq!(swept[0].surplus, 0);
    assert!(swept.iter().all(|swept| swept.executed == swept.runs + swept.surplus), "{swept:?}");
    for other in ["two", "seven"] {
        assert_same(&path("one"), &path(other), &TABLES_OF_RESULTS);
        assert_same(&path("one"), &path(other), &["report.html", "sweep.toml"]);
    }
    // A sweep with another condition continues in the same folder: fewer runs first, then all, then fewer again.
    let grown = until(&path("grown"), &vary, 12, "level_m=7");
    sweep(&ONE_BY_ONE, &grown).unwrap();
    assert_eq!(runs_of_sets(&path("grown"), 3), [2, 2, 4]);
    let all = SweepRequest { until: Vec::new(), min_seeds: None, ..grown.clone() };
    assert_eq!(sweep(&ONE_BY_ONE, &all).unwrap().runs, 36);
    requests[0].folder = path("grown");
    let swept = sweep(&ONE_BY_ONE, &requests[0]).unwrap();
    assert_eq!((swept.executed, swept.runs + swept.surplus), (0, 36));
    assert_same(&path("one"), &path("grown"), &TABLES_OF_RESULTS);
}

#[test]
fn a_condition_on_an_unknown_figure_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let error = sweep(&ONE_BY_ONE, &until(dir.path(), &["rise=1,2"], 5, "levl=1")).unwrap_err().to_string();
    assert!(error.contains("--until levl=1: a run has no figure of this name\n    "), "{error}");
    assert!(error.contains("runs have these: level_m"), "{error}");
}

#[test]
fn collected_tables_have_the_rows_of_all_runs() {
    let dir = tempfile::tempdir().unwrap();
    let (out, whole) = (dir.path().join("out"), dir.path().join("whole"));
    let collect = |folder: &Path, seeds| SweepRequest {
        collect: vec!["boats.csv".to_owned()],
        ..request(folder, &["rise=7,1", "name=x"], seeds)
    };
    let swept = sweep(&ONE_BY_ONE, &collect(&out, 1)).unwrap();
    assert!(swept.files.iter().any(|file| file.name == "collected_boats.csv"));
    let expected = "run;set;rise;name;replicate;seed;boat;seed_result;name_result\r\n\
                    1;1;7;x;1;40;0;400;\r\n1;1;7;x;1;40;1;401;\r\n\
                    2;2;1;x;1;40;0;400;\"a;b\"\r\n2;2;1;x;1;40;1;401;\"a;b\"\r\n";
    assert_eq!(text(&out, "collected_boats.csv"), expected);
    assert!(!names(&out).contains(&UNDER_WAY.to_owned()), "no folder of a run is left");
    // More seeds continue the sweep; other tables define another sweep.
    assert_eq!(sweep(&ONE_BY_ONE, &collect(&out, 3)).unwrap().executed, 4);
    sweep(&ONE_BY_ONE, &SweepRequest { jobs: Some(1), ..collect(&whole, 3) }).unwrap();
    assert_same(&out, &whole, &["collected_boats.csv", "runs.csv", "report.html", "sweep.toml"]);
    assert_eq!(text(&out, "collected_boats.csv").lines().count(), 1 + 6 * 2);
    let error = sweep(&ONE_BY_ONE, &request(&out, &["rise=7,1", "name=x"], 3)).unwrap_err().to_string();
    assert!(error.contains("collect: the sweep there has \"boats.csv\", this one none"), "{error}");
    // Runs with damaged tables are repeated, and the table of an unfinished run is dropped.
    let mut bytes = std::fs::read(out.join(TABLES)).unwrap();
    bytes[20] ^= 1;
    bytes.extend_from_slice(b"boat;seed\r\n0;");
    std::fs::write(out.join(TABLES), bytes).unwrap();
    assert_eq!(sweep(&ONE_BY_ONE, &collect(&out, 3)).unwrap().executed, 1);
    assert_same(&out, &whole, &["collected_boats.csv", "runs.csv"]);
}

#[test]
fn unknown_tables_are_refused_with_the_available_tables() {
    let dir = tempfile::tempdir().unwrap();
    let refused = |folder: &str, vary: &str, tables: &[&str]| {
        let collect = tables.iter().map(|&table| table.to_owned()).collect();
        let request = SweepRequest { collect, ..request(&dir.path().join(folder), &[vary], 2) };
        sweep(&ONE_BY_ONE, &request).unwrap_err().to_string()
    };
    let error = refused("a", "rise=1,2", &["boat.csv", "level.txt", "fish.csv", "fish.csv"]);
    for part in [
        "--collect boat.csv: no run writes a table of this name\n    did you mean \"boats.csv\"? the model has these: boats.csv, fish.csv",
        "--collect level.txt: no run writes a table",
        "--collect fish.csv: is given twice",
    ] {
        assert!(error.contains(part), "{part}: {error}");
    }
    assert!(!dir.path().join("a").exists(), "nothing is executed");
    // The model has this table, but no run with these settings writes it.
    let error = refused("b", "rise=1,2", &["fish.csv"]);
    assert!(
        error.contains("--collect fish.csv: a run has not written this table\n    ")
            && error.contains("it writes: boats.csv"),
        "{error}"
    );
    let error = refused("c", "rise=9", &["boats.csv"]);
    assert!(error.contains("it writes: none"), "{error}");
}

#[test]
fn a_plain_sweep_has_the_description_of_earlier_versions() {
    let dir = tempfile::tempdir().unwrap();
    sweep(&ONE_BY_ONE, &request(dir.path(), &["rise=1,2"], 2)).unwrap();
    let described = text(dir.path(), "sweep.toml");
    assert!(
        !["until", "min_seeds", "collect", "design_file"].iter().any(|key| described.contains(&format!("{key} =")))
    );
    assert!(!names(dir.path()).iter().any(|name| name == TABLES || name == DESIGN_COPY));
}
