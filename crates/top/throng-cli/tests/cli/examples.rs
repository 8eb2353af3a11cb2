//! Runs of the examples, and comparisons of their results.

use std::path::Path;

use throng_testing::{Needs, repository, skip};

use super::{code, err, example, out, throng};

/// Hashes of the last state, identical on every device. Only a change to a rule or to an example may change them.
#[test]
fn the_examples_reproduce_their_stored_state_hashes() {
    let folder = tempfile::tempdir().unwrap();
    for (name, expected) in
        [("city", "6fc046c61992343a after step 72000"), ("fields", "57417f93b6dcd53a after step 432")]
    {
        let results = folder.path().join(name).display().to_string();
        let scenario = example(&format!("../{name}"));
        let output = throng(&["run", &scenario, "--device", "cpu", "--out", &results, "--hash-every", "3600"]);
        assert!(code(&output) == 0 && out(&output).contains(expected), "{name}: {}{}", out(&output), err(&output));
    }
    // The full example, with a million discs, takes too long for a test.
    let results = folder.path().join("collision").display().to_string();
    let scenario = example("../collision");
    let mut arguments = vec!["run", &scenario, "--device", "cpu", "--out", &results, "--hash-every", "50"];
    for setting in ["discs=1500", "width_m=60", "height_m=40", "gate_walls_every_m=30", "steps=100"] {
        arguments.extend(["--set", setting]);
    }
    let output = throng(&arguments);
    assert_eq!(code(&output), 0, "{}{}", out(&output), err(&output));
    let hashes = std::fs::read_to_string(Path::new(&results).join("state_hashes.txt")).unwrap();
    assert!(hashes.ends_with("\n100 60b5a107fc129505\n"), "{hashes}");
}

#[test]
fn the_kernel_interpreter_computes_the_same_states() {
    if !cfg!(feature = "host") {
        skip(Needs::Host, "this build has no kernel interpreter");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let hashes = ["cpu", "host"].map(|device| {
        let results = folder.path().join(device).display().to_string();
        let scenario = example("../collision");
        let mut arguments = vec!["run", &scenario, "--device", device, "--out", &results, "--hash-every", "1"];
        for setting in ["discs=300", "width_m=40", "height_m=40", "gate_walls_every_m=20", "steps=3"] {
            arguments.extend(["--set", setting]);
        }
        let output = throng(&arguments);
        assert_eq!(code(&output), 0, "{}{}", out(&output), err(&output));
        std::fs::read_to_string(Path::new(&results).join("state_hashes.txt")).unwrap()
    });
    assert!(hashes[0] == hashes[1] && hashes[0].lines().count() > 3, "{hashes:?}");
}

#[test]
fn the_example_runs_and_equal_runs_compare_equal() {
    let folder = tempfile::tempdir().unwrap();
    let out = |name: &str| folder.path().join(name).display().to_string();
    let run = |name: &str, more: &[&str]| {
        let out = out(name);
        let mut args = vec!["run", "SCENARIO", "--out", &out, "--set", "qsim.endTime=06:30:00", "--hash-every", "600"];
        let scenario = example("");
        args[1] = &scenario;
        args.extend(more);
        throng(&args)
    };
    let output = run("a", &["--set", "controller.runId=r1"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    for part in ["simulated   ", "moves       ", "all in r1.state_hashes.txt", "r1.report.html"] {
        assert!(self::out(&output).contains(part), "{}", self::out(&output));
    }
    assert_eq!(code(&run("b", &["--threads", "2", "-q"])), 0);
    assert_eq!(code(&run("c", &["--set", "qsim.flowCapacityFactor=0.1", "-q"])), 0);
    assert_eq!(code(&throng(&["compare", &out("a"), &out("b")])), 0);
    let differs = throng(&["compare", &out("b"), &out("c"), "--show", "1"]);
    assert_eq!(code(&differs), 1);
    let text = self::out(&differs);
    assert!(text.starts_with("different: "), "{text}");
    for part in ["\nresults that differ ", "\nlegs_ended ", "\nlinks whose traffic differs: ", " more links\n"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    for part in
        ["\nmain mode  trips ", "\nmain mode  mean trip time, min ", "\n  GEH below 5, % ", "\n  largest GEH on link "]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    the_report_of_a_comparison_is_a_page(&out("b"), &out("c"), &out("compare.html"));
    // If the link table was deleted to save space, everything else is still compared.
    std::fs::remove_file(format!("{}/link_stats.csv.gz", out("c"))).unwrap();
    let without = throng(&["compare", &out("b"), &out("c"), "--show", "0"]);
    let text = self::out(&without);
    assert!(code(&without) == 1 && text.contains("results that differ"), "{text}");
    assert!(
        text.contains("links: not compared, ") && text.contains("link_stats.csv.gz: there is no such file"),
        "{text}"
    );
    let quiet = throng(&["compare", &out("b"), &out("c"), "-q"]);
    assert_eq!((code(&quiet), self::out(&quiet).as_str()), (1, ""));
    let mixed = throng(&["compare", &format!("{}/output_legs.csv.gz", out("b")), &out("c")]);
    assert_eq!(code(&mixed), 2);
    assert!(err(&mixed).contains("this is a file of events"), "{}", err(&mixed));
}

fn the_report_of_a_comparison_is_a_page(a: &str, b: &str, page: &str) {
    let report = throng(&["compare", a, b, "-q", "--report", page]);
    assert_eq!((code(&report), out(&report).as_str(), err(&report).as_str()), (1, "", ""));
    let html = std::fs::read_to_string(page).unwrap();
    assert!(html.contains("<h2>Link volumes</h2>") && html.contains("A = B</text>"), "{html}");
    let equal = throng(&["compare", a, a, "--report", page, "--overwrite"]);
    assert_eq!(code(&equal), 0, "{}", err(&equal));
    assert!(!std::fs::read_to_string(page).unwrap().contains("(+"));
    let events = format!("{a}/output_events.xml.gz");
    for (args, expected) in [
        (vec![a, b, "--report", page], "the file exists\n    name another file, or add --overwrite"),
        (vec![a, b, "--report", "page.txt"], "--report page.txt: the report is a page\n"),
        (vec![&events, b, "--report", "page.html"], "--report page.html: a report describes two runs\n"),
    ] {
        let refused = throng(&[&["compare"], &args[..]].concat());
        assert!(code(&refused) == 2 && err(&refused).contains(expected), "{args:?}: {}", err(&refused));
    }
    // Without a manifest, as in a folder of MATSim.
    let matsim = format!("{page}.folder");
    std::fs::create_dir(&matsim).unwrap();
    for file in ["output_events.xml.gz", "output_trips.csv.gz"] {
        std::fs::copy(format!("{b}/{file}"), format!("{matsim}/r1.{file}")).unwrap();
    }
    let differs = throng(&["compare", a, &matsim]);
    let expected = format!("\nlinks: not compared, {matsim} has no link_stats.csv or link_volumes.csv\n");
    assert!(out(&differs).contains(&expected) && out(&differs).contains("\nmain mode "), "{}", out(&differs));
}

#[test]
fn the_example_of_fields_runs_from_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let out_folder = folder.path().join("out");
    let scenario = repository().join("examples/fields").display().to_string();
    let scenario = scenario.as_str();
    let to = out_folder.display().to_string();
    let few = ["run", scenario, "--steps", "3", "--device", "cpu", "--out", &to];
    let output = throng(&[&few[..], &["--set", "agents.planners.count=7", "--hash-every", "1"]].concat());
    assert_eq!(code(&output), 0, "{}", err(&output));
    for part in [
        "simulated   3 steps",
        "agents      143: 127 walking, 0 arrived, 0 stuck, 16 waiting",
        "state hash  ",
        "report.html",
    ] {
        assert!(out(&output).contains(part), "{}", out(&output));
    }
    assert!(err(&output).contains("device: cpu, "), "{}", err(&output));
    assert!(out_folder.join("report.html").is_file() && out_folder.join("fields.png").is_file());

    let other = folder.path().join("other");
    let again = ["run", scenario, "--steps", "3", "--threads", "2", "--hash-every", "1", "-q", "--out"];
    let changed = ["--set", "agents.planners.count=7"];
    let output = throng(&[&again[..], &[&other.display().to_string()], &changed].concat());
    assert_eq!((code(&output), err(&output).as_str(), out(&output).as_str()), (0, "", ""));
    let hashes = [&out_folder, &other].map(|folder| folder.join("state_hashes.txt").display().to_string());
    let output = throng(&["compare", &hashes[0], &hashes[1]]);
    assert_eq!(code(&output), 0, "{}", out(&output));

    let output = throng(&["run", scenario, "--set", "run.stpes=3", "--out", &to]);
    assert_eq!(code(&output), 2);
    assert!(
        err(&output).contains("--set run.stpes=3: run: unknown key \"stpes\"\n    did you mean \"steps\"?"),
        "{}",
        err(&output)
    );
    let output = throng(&["run", scenario, "--network", "a.xml", "--link-volumes"]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("--network: the scenario is one of fields"), "{}", err(&output));
    let output = throng(&["config", "--effective", scenario]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert!(out(&output).contains("title = \"Settlers and raiders\""), "{}", out(&output));
}
