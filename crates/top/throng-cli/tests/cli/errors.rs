//! Invalid arguments and inputs: exit code, location and remedy.

use std::path::Path;

use throng_testing::{Needs, skip};

use super::{code, err, example, out, throng};

#[test]
fn a_misspelt_parameter_is_reported_with_the_nearest_known_name() {
    let output = throng(&["run", "--set", "qsim.flowCapacityFaktor=0.1"]);
    assert_eq!(code(&output), 2);
    let message = err(&output);
    assert!(message.contains("unknown parameter \"flowCapacityFaktor\" in module \"qsim\""), "{message}");
    assert!(message.contains("did you mean \"flowCapacityFactor\"?"), "{message}");
}

#[test]
fn usage_errors_have_exit_code_2() {
    for args in [vec![], vec!["fly"], vec!["run", "--steps", "0"], vec!["config"], vec!["compare", "a"]] {
        assert_eq!(code(&throng(&args)), 2, "{args:?}");
    }
}

#[test]
fn input_errors_have_exit_code_2_and_name_the_missing_input() {
    let output = throng(&["run", "--set", "qsim.stuckTime=10"]);
    assert_eq!(code(&output), 2);
    for part in ["error: 2 problems", "network.inputNetworkFile: no file is given", "give --plans FILE"] {
        assert!(err(&output).contains(part), "{}", err(&output));
    }
    for (args, part) in [
        (vec!["run", "nowhere/config.xml"], "nowhere/config.xml: there is no such file"),
        (vec!["compare", "nowhere_a", "nowhere_b"], "nowhere_a: there is no such file or folder"),
        (vec!["convert", "nowhere_a", "b"], "nowhere_a: there is no such file"),
        (vec!["run", &example("../ctiy")], "did you mean "),
        (vec!["run", &example("../fields/scenari.toml")], "fields/scenario.toml?"),
        (vec!["compare", &example("plan.xml.gz"), "nowhere_b"], "city/plans.xml.gz?"),
        (vec!["convert", &example("netwrok.xml.gz"), "b"], "city/network.xml.gz?"),
        (vec!["run", "--network", &example("netwrok.xml.gz"), "--plans", "a"], "city/network.xml.gz?"),
        (vec!["run", &example(""), "--threads", "0"], "give a whole number from 1 to 1024, or leave it out"),
        (vec!["run", "--device", "abacus"], "\"abacus\" is not a device; give auto, cpu, cuda:N, vulkan:N or host"),
    ] {
        let output = throng(&args);
        assert_eq!(code(&output), 2, "{args:?}");
        assert!(err(&output).contains(part), "{args:?}: {}", err(&output));
    }
}

#[test]
fn a_missing_device_gives_exit_code_3() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let output = throng(&["run", &example("config.xml"), "--device", "cuda:99", "--out", &out.display().to_string()]);
    assert_eq!(code(&output), 3);
    for part in ["there is no device cuda:99", "the device cpu is on every machine"] {
        assert!(err(&output).contains(part), "{}", err(&output));
    }
    let left: Vec<_> = std::fs::read_dir(&out).map(|files| files.flatten().collect()).unwrap_or_default();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn cpu_only_settings_are_refused_on_a_device() {
    let Some(device) = throng_device::inventory().devices.into_iter().next() else {
        skip(Needs::Device, "there is none");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out").display().to_string();
    let set = ["--set", "throng.nodeRandom=java", "--out", &out];
    let output = throng(&[&["run", &example("config.xml"), "--device", &device.id.to_string()], &set[..]].concat());
    assert_eq!(code(&output), 2, "{}", err(&output));
    for part in ["cannot run this scenario: throng.nodeRandom=java", "use the device cpu"] {
        assert!(err(&output).contains(part), "{}", err(&output));
    }
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
    let expected = format!(
        "error: output folder {out} is not empty: it holds 2 entries, for example \"network.xml\"\n    \
                            choose another folder with --out, or allow it with --overwrite"
    );
    assert!(err(&output).contains(&expected), "{}", err(&output));
    // Not every folder is that of the flag.
    let of_config = format!("controller.outputDirectory={out}");
    let output =
        throng(&["run", "--network", &file("network.xml"), "--plans", &file("plans.xml"), "--set", &of_config]);
    assert!(code(&output) == 2 && err(&output).contains(&expected), "{}", err(&output));
    let output = throng(&["generate", "city", "--out", &out]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("allow it with --overwrite"), "{}", err(&output));
}

#[test]
#[cfg(unix)]
fn an_input_that_is_a_pipe_is_reported_as_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    assert!(std::process::Command::new("mkfifo").arg(file("plans")).status().unwrap().success());
    let pipe = file("plans");
    for args in [
        vec!["run", "--network", &example("network.xml.gz"), "--plans", &pipe, "--out", &file("out")],
        vec!["compare", &pipe, &example("plans.xml.gz")],
        vec!["convert", &pipe, &file("out.xml")],
        vec!["convert", &pipe, &file("out.throng")],
    ] {
        let output = throng(&args);
        assert_eq!(code(&output), 2, "{args:?}");
        for part in [pipe.as_str(), "is a pipe, which can be read only once", "store its content in a file"] {
            assert!(err(&output).contains(part), "{args:?}: {}", err(&output));
        }
    }
    let output = throng(&["run", "--network", "/dev/zero", "--plans", "/dev/null", "--out", &file("out")]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("network.inputNetworkFile: /dev/zero is a device"), "{}", err(&output));
    assert!(err(&output).contains("plans.inputPlansFile: /dev/null is a device"), "{}", err(&output));
}

#[test]
fn control_characters_of_an_input_do_not_reach_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let tables = ["a.csv", "b.csv"].map(|name| folder.path().join(name).display().to_string());
    std::fs::write(&tables[0], "person\n\u{1b}[2J\n").unwrap();
    std::fs::write(&tables[1], "person\n\u{9b}2J\n").unwrap();
    let output = throng(&["compare", &tables[0], &tables[1]]);
    assert_eq!(code(&output), 1);
    assert!(out(&output).contains("A: \\u{1b}[2J\n  B: \\u{9b}2J\n"), "{:?}", out(&output));
    let output = throng(&["run", "--set", "qsim.\u{1b}[2J=1"]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("\\u{1b}[2J") && !err(&output).contains('\u{1b}'), "{:?}", err(&output));
    let output = throng(&["convert", "no\u{1b}[2J.xml", "b.xml"]);
    assert!(err(&output).contains("no\\u{1b}[2J.xml: there is no such file"), "{:?}", err(&output));
}
