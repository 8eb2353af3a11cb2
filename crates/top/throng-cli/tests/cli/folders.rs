//! Output folders: removed, replaced and preserved files.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use throng_testing::{program, repository};

use super::{code, err, example, out, throng};

fn copied(folder: &Path, files: &[&str]) {
    for file in files {
        fs::copy(example(file), folder.join(file)).unwrap();
    }
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Runs the example until 06:30 into `out`.
fn run(out: &Path, more: &[&str]) -> std::process::Output {
    let (city, out) = (example(""), out.display().to_string());
    let fixed = ["run", &city, "--device", "cpu", "--set", "qsim.endTime=06:30:00", "--out", &out];
    // The config of the example allows overwriting.
    let refusing = ["--set", "controller.overwriteFiles=failIfDirectoryExists"];
    let refusing = if more.contains(&"--overwrite") { &[][..] } else { &refusing };
    throng(&[&fixed[..], refusing, more].concat())
}

#[test]
fn files_that_resemble_incomplete_files_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    let to = dir.path().join("run");
    fs::create_dir_all(to.join("photos.partial/2020")).unwrap();
    fs::write(to.join("thesis.partial"), "years").unwrap();
    let refused = run(&to, &[]);
    assert_eq!(code(&refused), 2);
    assert!(err(&refused).contains("holds 2 entries, for example \"photos.partial\""), "{}", err(&refused));
    assert_eq!(code(&run(&to, &["--overwrite"])), 0);
    assert!(to.join("photos.partial/2020").is_dir() && to.join("thesis.partial").is_file());
}

#[test]
fn files_of_a_killed_run_are_removed_by_the_next_run() {
    let dir = tempfile::tempdir().unwrap();
    let to = dir.path().join("run");
    let mut killed = Command::new(program(env!("CARGO_BIN_EXE_throng")));
    let city = example("");
    let args = [
        "run",
        &city,
        "--device",
        "cpu",
        "--hash-every",
        "1",
        "--set",
        "controller.overwriteFiles=failIfDirectoryExists",
    ];
    killed.args(args).arg("--out").arg(&to).stdout(Stdio::null()).stderr(Stdio::null());
    let mut killed = killed.spawn().unwrap();
    let started = Instant::now();
    while !to.join("output_events.xml.gz.partial").exists() {
        assert!(started.elapsed() < Duration::from_mins(4), "no file was started");
        sleep(Duration::from_millis(1));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    let left = names(&to);
    assert!(
        left.contains(&".throng.lock".to_owned()) && left.iter().any(|name| name.ends_with(".partial")),
        "{left:?}"
    );
    let again = run(&to, &[]);
    assert_eq!(code(&again), 0, "{}", err(&again));
    assert!(!names(&to).iter().any(|name| name.ends_with(".partial") || name.starts_with('.')), "{:?}", names(&to));
}

#[test]
fn a_run_never_replaces_its_inputs() {
    let dir = tempfile::tempdir().unwrap();
    let to = dir.path().join("run");
    assert_eq!(code(&run(&to, &[])), 0);
    let plans = to.join("output_plans.xml.gz");
    let before = (names(&to), fs::read(&plans).unwrap());
    let (soft, hard) = (dir.path().join("soft.xml.gz"), dir.path().join("hard.xml.gz"));
    symlink(&plans, &soft).unwrap();
    fs::hard_link(&plans, &hard).unwrap();
    for named in [&plans, &soft, &hard] {
        let refused = run(&to, &["--overwrite", "--plans", &named.display().to_string()]);
        assert_eq!(code(&refused), 2, "{}", err(&refused));
        let text = err(&refused);
        assert!(text.contains(&format!("{}: not replaced: ", plans.display())), "{text}");
        assert!(text.contains("also read") && text.contains("write to another file or folder"), "{text}");
    }
    // A config is also an input, even if only a scenario file names it.
    let config = to.join("output_config.xml").display().to_string();
    fs::write(dir.path().join("s.toml"), "model = \"traffic\"\nconfig = \"run/output_config.xml\"").unwrap();
    for scenario in [config, dir.path().join("s.toml").display().to_string()] {
        let refused = throng(&["run", &scenario, "--overwrite", "--out", &to.display().to_string()]);
        assert_eq!(code(&refused), 2);
        assert!(err(&refused).contains("output_config.xml: not replaced"), "{}", err(&refused));
    }
    assert_eq!((names(&to), fs::read(&plans).unwrap()), before);
    // Inputs may be in the folder if no result replaces them.
    let beside = dir.path().join("beside");
    fs::create_dir(&beside).unwrap();
    copied(&beside, &["config.xml", "network.xml.gz", "plans.xml.gz"]);
    let folder = beside.display().to_string();
    let args = ["run", &folder, "--out", &folder, "--overwrite", "--set", "qsim.endTime=06:10:00", "--device", "cpu"];
    let output = throng(&args);
    assert_eq!(code(&output), 0, "{}", err(&output));

    let fields = dir.path().join("fields");
    fs::create_dir(&fields).unwrap();
    for entry in fs::read_dir(repository().join("examples/fields")).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), fields.join(entry.file_name())).unwrap();
    }
    fs::rename(fields.join("scenario.toml"), fields.join("fields.png")).unwrap();
    symlink("fields.png", fields.join("scenario.toml")).unwrap();
    let before = names(&fields);
    let named = fields.display().to_string();
    let refused = throng(&["run", &named, "--overwrite", "--out", &named]);
    assert_eq!(code(&refused), 2);
    assert!(err(&refused).contains("fields.png: not replaced: it is the same file as"), "{}", err(&refused));
    assert_eq!(names(&fields), before);
}

#[test]
fn only_regular_files_are_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    fs::write(path("kept.xml"), "<a/>").unwrap();
    symlink("kept.xml", path("link.xml")).unwrap();
    fs::hard_link(path("kept.xml"), path("hard.xml")).unwrap();
    fs::create_dir(path("sub.xml")).unwrap();
    let made = Command::new("mkfifo").arg(path("pipe.xml")).status().expect("mkfifo is installed");
    assert!(made.success());
    let network = example("network.xml.gz");
    for (output, part) in [
        ("link.xml", "not replaced: it is a symbolic link to kept.xml\n    write to that file by its own name"),
        ("pipe.xml", "not replaced: it is a named pipe"),
        ("sub.xml", "not replaced: it is a folder"),
    ] {
        for more in [&["--overwrite"][..], &[]] {
            let refused = throng(&[&["convert", &network, &path(output)][..], more].concat());
            assert_eq!(code(&refused), 2);
            assert!(err(&refused).contains(part), "{}", err(&refused));
        }
    }
    for (input, output) in [("kept.xml", "kept.xml"), ("kept.xml", "hard.xml"), ("link.xml", "kept.xml")] {
        let refused = throng(&["convert", &path(input), &path(output), "--overwrite"]);
        assert_eq!(code(&refused), 2, "{input}, {output}");
        assert!(err(&refused).contains("also read"), "{}", err(&refused));
    }
    let network = path("network.xml.gz");
    copied(dir.path(), &["network.xml.gz", "plans.xml.gz"]);
    let refused =
        throng(&["convert", &path("plans.xml.gz"), &network, "--network", &network, "--to", "v6", "--overwrite"]);
    assert_eq!(code(&refused), 2);
    assert!(err(&refused).contains("network.xml.gz: not replaced: it is also read"), "{}", err(&refused));
    assert_eq!(fs::read(path("kept.xml")).unwrap(), b"<a/>");
    assert!(Path::new(&path("link.xml")).is_symlink());
    // A city is rejected before it is generated.
    fs::create_dir_all(path("city/plans.xml.gz")).unwrap();
    let refused = throng(&["generate", "city", "--persons", "50", "--overwrite", "--out", &path("city")]);
    assert_eq!(code(&refused), 2);
    assert!(err(&refused).contains("plans.xml.gz: not replaced: it is a folder"), "{}", err(&refused));
}

#[test]
fn a_run_announces_the_removal_of_earlier_results() {
    let dir = tempfile::tempdir().unwrap();
    let to = dir.path().join("run");
    let named = ["--set", "controller.runId=r1"];
    let first = run(&to, &[&named[..], &["--overwrite"]].concat());
    assert!(code(&first) == 0 && !err(&first).contains("replaced"), "{}", err(&first));
    let replaced = format!("note: the earlier results in {} will be deleted and replaced\n", to.display());
    for (more, is_announced) in [(&named[..], true), (&["--set", "controller.runId=r2"], false)] {
        let again = run(&to, &[more, &["--overwrite"]].concat());
        assert_eq!(err(&again).contains(&replaced), is_announced, "{more:?}: {}", err(&again));
        let quiet = run(&to, &[more, &["--overwrite", "--quiet"]].concat());
        assert!(code(&quiet) == 0 && !err(&quiet).contains("note: "), "{}", err(&quiet));
    }
    let (city, out) = (example(""), to.display().to_string());
    let delete = ["--set", "controller.overwriteFiles=deleteDirectoryIfExists", "--set", "qsim.endTime=06:10:00"];
    let deleted = throng(&[&["run", &city, "--device", "cpu", "--out", &out], &delete[..]].concat());
    assert!(err(&deleted).contains(&format!("note: everything in {out} will be deleted\n")), "{}", err(&deleted));
    assert!(!names(&to).iter().any(|name| name.starts_with("r1.")), "{:?}", names(&to));
}

#[test]
fn a_city_replaces_all_files_of_an_earlier_city() {
    let dir = tempfile::tempdir().unwrap();
    let to = dir.path().join("city");
    let out = to.display().to_string();
    let city = ["generate", "city", "--persons", "50", "--links", "300", "--quiet", "--overwrite", "--out", &out];
    for (more, plans) in [(&[][..], true), (&["--cache-only"], false)] {
        let made = throng(&[&city[..], more].concat());
        assert_eq!(code(&made), 0, "{}", err(&made));
        assert_eq!(to.join("plans.xml.gz").exists(), plans);
        assert!(to.join("network.xml.gz").exists() && to.join("scenario.toml").exists());
        assert!(!to.join(".throng.lock").exists());
    }
}

#[test]
fn files_that_cannot_be_replaced_are_refused_before_a_measurement() {
    let dir = tempfile::tempdir().unwrap();
    for (paper, link) in [("elmir", "elmir.csv"), ("elmir", "elmir_r15_64_circles.svg"), ("strippgen", "strippgen.svg")]
    {
        let to = dir.path().join(link);
        fs::create_dir(&to).unwrap();
        symlink("nowhere", to.join(link)).unwrap();
        let out = to.display().to_string();
        // The command lacks `--quick`: a measurement would take half an hour.
        let refused = throng(&["reproduce", paper, "--device", "cpu", "--overwrite", "--out", &out]);
        assert_eq!((code(&refused), super::out(&refused).as_str()), (2, ""), "{}", err(&refused));
        assert!(err(&refused).contains(&format!("{link}: not replaced: it is a symbolic link")), "{}", err(&refused));
        assert!(!err(&refused).contains("device: "), "before a device is opened: {}", err(&refused));
    }
}

#[test]
fn a_run_without_events_removes_the_events_of_an_earlier_run() {
    let dir = tempfile::tempdir().unwrap();
    let (a, b) = (dir.path().join("a"), dir.path().join("b"));
    for to in [&a, &b] {
        assert_eq!(code(&run(to, &["--hash-every", "600"])), 0);
    }
    fs::write(b.join("notes.txt"), "mine").unwrap();
    // Different results, and no events.
    let less = ["--overwrite", "--hash-every", "600", "--set", "controller.writeEventsInterval=0"];
    assert_eq!(code(&run(&b, &[&less[..], &["--set", "qsim.flowCapacityFactor=0.02"]].concat())), 0);
    assert!(!b.join("output_events.xml.gz").exists() && b.join("notes.txt").exists());
    let [a, b] = [a, b].map(|path| path.display().to_string());
    let compared = throng(&["compare", &a, &b]);
    assert_eq!(code(&compared), 1, "{}", out(&compared));
    assert!(
        out(&compared).contains(&format!("only in {a}: output_events.parquet, output_events.xml.gz\n")),
        "{}",
        out(&compared)
    );
    assert!(!out(&compared).contains(&format!("only in {b}")), "{}", out(&compared));
}
