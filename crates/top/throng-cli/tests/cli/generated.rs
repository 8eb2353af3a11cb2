//! `throng generate` and `throng convert`, and runs of their output.

use std::path::Path;

use super::{code, err, example, out, throng};

#[test]
fn a_generated_city_runs_and_converts() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let city = throng(&["generate", "city", "--persons", "200", "--links", "400", "--out", &file("city")]);
    assert_eq!(code(&city), 0, "{}", err(&city));
    let output = throng(&["run", &file("city"), "--out", &file("run"), "-q"]);
    assert_eq!((code(&output), out(&output).as_str()), (0, ""), "{}", err(&output));
    let args = ["convert", &file("city/network.xml.gz"), &file("network_v1.xml"), "--to", "v1"];
    assert_eq!(code(&throng(&args)), 0);
    assert_eq!(code(&throng(&args)), 2, "the file exists");
    let wrong = throng(&["convert", &file("network_v1.xml"), &file("network.shp")]);
    assert_eq!(code(&wrong), 2);
    assert!(err(&wrong).contains("a file that ends in .shp cannot be written"), "{}", err(&wrong));
    let nowhere = throng(&["convert", &file("network_v1.xml"), &file("no/such/folder.xml")]);
    assert_eq!(code(&nowhere), 3, "{}", err(&nowhere));
}

#[test]
fn a_seed_beyond_the_range_of_configs_is_refused_first() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("city");
    let output = throng(&["generate", "city", "--seed", "9223372036854775808", "--out", &out.display().to_string()]);
    assert_eq!(code(&output), 2);
    for part in ["--seed: 9223372036854775808", "give a whole number from 0 to 9223372036854775807"] {
        assert!(err(&output).contains(part), "{}", err(&output));
    }
    assert!(!out.exists());
}

/// The same options give the same city on another computer and operating system.
#[test]
fn generate_reproduces_the_example_city() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let args = ["generate", "city", "--persons", "3000", "--links", "1500", "--out", &file("city"), "-q"];
    assert_eq!(code(&throng(&args)), 0);
    for name in ["config.xml", "city.svg"] {
        assert!(std::fs::read(example(name)).unwrap() == std::fs::read(file("city/") + name).unwrap(), "{name}");
    }
    // Compressed bytes depend on the compression library.
    for name in ["network.xml", "plans.xml"] {
        let plain = |packed: String, to: String| {
            assert_eq!(code(&throng(&["convert", &packed, &to])), 0);
            std::fs::read(to).unwrap()
        };
        let packed = format!("{name}.gz");
        let kept = plain(example(&packed), file(&format!("kept_{name}")));
        assert!(kept == plain(file("city/") + &packed, file(&format!("made_{name}"))), "{name}");
    }
}

#[test]
fn a_scenario_cache_gives_the_same_states_and_is_refused_with_other_settings() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let city = path("city");
    let made = throng(&["generate", "city", "--persons", "300", "--links", "400", "--out", &city]);
    assert_eq!(code(&made), 0, "{}", err(&made));
    let config = path("city/config.xml");
    let converted = path("again.throng");
    let output = throng(&["convert", &config, &converted]);
    assert_eq!(
        (code(&output), out(&output).starts_with("scenario cache: 300 persons, ")),
        (0, true),
        "{}",
        err(&output)
    );
    let twice = throng(&["convert", &converted, &path("twice.throng")]);
    let expected = "again.throng: is already a scenario cache\n    copy the file";
    assert!(code(&twice) == 2 && err(&twice).contains(expected), "{}", err(&twice));

    let cache = format!("throng.scenarioCache={converted}");
    let run = |scenario: &str, name: &str, more: &[&str]| {
        let out = path(name);
        let args = ["run", scenario, "--hash-every", "600", "--set", "throng.analysis=false", "--out", &out];
        throng(&[&args[..], more].concat())
    };
    assert_eq!(code(&run(&config, "xml", &[])), 0);
    for (scenario, name, more) in [(&city, "folder", &[][..]), (&config, "convert", &["--set", &cache])] {
        let output = run(scenario, name, more);
        assert_eq!(code(&output), 0, "{}", err(&output));
        let compared = throng(&["compare", &path("xml"), &path(name)]);
        assert_eq!(code(&compared), 0, "{}", out(&compared));
        let logs = ["xml", name].map(|name| std::fs::read(path(&format!("{name}/state_hashes.txt"))).unwrap());
        assert!(logs[0] == logs[1] && logs[0].len() > 500);
    }
    // A run replaces an earlier one of the same scenario.
    let again = run(&city, "folder", &[]);
    assert!(code(&again) == 0 && err(&again).contains("folder will be deleted and replaced"), "{}", err(&again));
    // The cache alone, with default settings.
    let output = run(&converted, "alone", &[]);
    assert!(code(&output) == 0 && out(&output).contains("0 agents stuck"), "{}{}", out(&output), err(&output));
    let refused = run(&city, "other", &["--set", "throng.compat=13"]);
    assert_eq!(code(&refused), 2);
    assert!(
        err(&refused).contains("was created with throng.compat=2024, this run has throng.compat=13"),
        "{}",
        err(&refused)
    );

    let (compat, other) = ("throng.compat=13", path("compat.throng"));
    assert_eq!(code(&throng(&["convert", &config, &other, "--set", compat])), 0);
    let other = format!("throng.scenarioCache={other}");
    let output = run(&config, "compat", &["--set", compat, "--set", &other]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let refused = throng(&["convert", &path("city/network.xml.gz"), &path("n.xml"), "--set", compat]);
    assert!(code(&refused) == 2 && err(&refused).contains("--set: only a scenario cache"), "{}", err(&refused));

    let only = path("only");
    let made = throng(&["generate", "city", "--persons", "300", "--links", "400", "--cache-only", "--out", &only]);
    assert_eq!(code(&made), 0, "{}", err(&made));
    assert!(!Path::new(&path("only/plans.xml.gz")).exists());
    assert_eq!(code(&run(&only, "from_only", &[])), 0);
    let logs = ["xml", "from_only"].map(|name| std::fs::read(path(&format!("{name}/state_hashes.txt"))).unwrap());
    assert!(logs[0] == logs[1]);
}

/// Trips without routes get connections, and all trips of those plans new legs, which the output plans contain.
#[test]
fn the_output_plans_of_a_city_with_public_transport_repeat_its_day() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let city = ["generate", "city", "--persons", "600", "--links", "600", "--lines", "6", "--out"];
    let output = throng(&[&city[..], &[&path("city")]].concat());
    assert_eq!(code(&output), 0, "{}", err(&output));
    let run = |name: &str, more: &[&str]| {
        let (config, out) = (path("city/config.xml"), path(name));
        let args = ["run", &config, "--set", "throng.analysis=false", "--out", &out];
        let output = throng(&[&args[..], more].concat());
        assert_eq!(code(&output), 0, "{}", err(&output));
        err(&output)
    };
    let routed = "trips by public transport without routes";
    assert!(run("first", &[]).contains(routed));
    let plans = format!("plans.inputPlansFile={}", path("first/output_plans.xml.gz"));
    let warnings = run("again", &["--set", &plans]);
    assert!(!warnings.contains(routed) && !warnings.contains("routed again"), "{warnings}");
    let compared = throng(&["compare", &path("first"), &path("again")]);
    assert_eq!(code(&compared), 0, "{}{}", out(&compared), err(&compared));
    let plans = ["first", "again"].map(|name| std::fs::read(path(&format!("{name}/output_plans.xml.gz"))).unwrap());
    assert!(plans[0] == plans[1]);
}
