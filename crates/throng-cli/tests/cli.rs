//! The real binary: help, settings, exit codes.

use std::path::Path;
use std::process::{Command, Output};

fn throng(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_throng")).args(args).output().expect("the binary was built for this test")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("it was not ended by a signal")
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("output is UTF-8")
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("messages are UTF-8")
}

#[test]
fn help_teaches_with_examples_and_version_is_told() {
    for (args, part) in [
        (vec!["--help"], "throng run berlin/config.xml"),
        (vec!["run", "--help"], "throng run --network network.xml.gz --plans plans.xml.gz"),
        (vec!["compare", "--help"], "Exit code 1 when they differ"),
        (vec!["generate", "city", "--help"], "throng generate city --out city"),
        (vec!["convert", "--help"], "--to v6 --network network.xml.gz"),
        (vec!["config", "--help"], "throng config --default > config.xml"),
        (vec!["--version"], env!("CARGO_PKG_VERSION")),
    ] {
        let output = throng(&args);
        assert_eq!(code(&output), 0, "{args:?}");
        assert!(out(&output).contains(part), "{args:?}: {}", out(&output));
    }
}

#[test]
fn the_default_config_is_read_back_as_the_defaults() {
    let folder = tempfile::tempdir().unwrap();
    let template = throng(&["config", "--default"]);
    assert_eq!(code(&template), 0);
    assert!(out(&template).contains("<!-- modes that drive on the network; mode names separated by commas -->"));
    let path = folder.path().join("config.xml");
    std::fs::write(&path, &template.stdout).unwrap();
    let from_template = throng(&["config", "--effective", path.to_str().unwrap()]);
    let from_nothing = throng(&["config", "--effective"]);
    assert_eq!((code(&from_template), code(&from_nothing)), (0, 0), "{}", err(&from_template));
    assert_eq!(out(&from_template), out(&from_nothing));
    assert_eq!(err(&from_template), "");
}

#[test]
fn the_effective_config_shows_changes() {
    let set = ["config", "--effective", "--set", "qsim.flowCapacityFactor=0.1", "--seed", "7"];
    let output = throng(&set);
    assert_eq!(code(&output), 0);
    for part in [r#"name="flowCapacityFactor" value="0.1""#, r#"name="randomSeed" value="7""#] {
        assert!(out(&output).contains(part), "{}", out(&output));
    }
    let output = throng(&["config", "--schema", "--set", "qsim.stuckTime=1"]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("use --effective"), "{}", err(&output));
    let schema = throng(&["config", "--schema"]);
    assert!(out(&schema).contains("throng.compat"), "{}", out(&schema));
}

#[test]
fn a_misspelt_parameter_is_named_with_the_nearest_known_one() {
    let output = throng(&["run", "--set", "qsim.flowCapacityFaktor=0.1"]);
    assert_eq!(code(&output), 2);
    let message = err(&output);
    assert!(message.contains("unknown parameter \"flowCapacityFaktor\" in module \"qsim\""), "{message}");
    assert!(message.contains("did you mean \"flowCapacityFactor\"?"), "{message}");
}

#[test]
fn usage_errors_end_with_2() {
    for args in [vec![], vec!["fly"], vec!["run", "--steps", "0"], vec!["config"], vec!["compare", "a"]] {
        assert_eq!(code(&throng(&args)), 2, "{args:?}");
    }
}

#[test]
fn input_errors_end_with_2_and_name_what_is_missing() {
    let output = throng(&["run"]);
    assert_eq!(code(&output), 2);
    for part in ["error: 2 problems", "network.inputNetworkFile: no file is given", "give --plans FILE"] {
        assert!(err(&output).contains(part), "{}", err(&output));
    }
    for (args, part) in [
        (vec!["run", "nowhere/config.xml"], "nowhere/config.xml: cannot be read"),
        (vec!["compare", "nowhere_a", "nowhere_b"], "nowhere_a: there is no such file or folder"),
        (vec!["convert", "nowhere_a", "b"], "nowhere_a: there is no such file"),
        (vec!["run", "--device", "abacus"], "unknown device \"abacus\""),
    ] {
        let output = throng(&args);
        assert_eq!(code(&output), 2, "{args:?}");
        assert!(err(&output).contains(part), "{args:?}: {}", err(&output));
    }
}

#[test]
fn a_missing_device_ends_with_3() {
    let output = throng(&["run", "--device", "cuda:0"]);
    assert_eq!(code(&output), 3);
    assert!(err(&output).contains("device \"cuda:0\" is not part of this build"), "{}", err(&output));
}

#[test]
fn a_used_output_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    for name in ["network.xml", "plans.xml"] {
        std::fs::write(Path::new(&file(name)), "").unwrap();
    }
    let out = folder.path().display().to_string();
    let output = throng(&["run", "--network", &file("network.xml"), "--plans", &file("plans.xml"), "--out", &out]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("choose another folder, or allow it with --overwrite"), "{}", err(&output));
    let output = throng(&["generate", "city", "--out", &out]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("allow it with --overwrite"), "{}", err(&output));
}

#[test]
fn doctor_describes_the_machine() {
    let output = throng(&["doctor"]);
    assert_eq!(code(&output), 0);
    for part in ["processor", "cores", "memory", "cpu: ready", "GPU executors (cuda, vulkan) are not part"] {
        assert!(out(&output).contains(part), "{}", out(&output));
    }
}
