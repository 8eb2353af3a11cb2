//! Tests of the real binary: help, settings, exit codes.

mod config;
mod errors;
mod examples;
mod explain;
mod first_contact;
#[cfg(unix)]
mod folders;
mod generated;
#[cfg(unix)]
mod interruption;
mod output_rule;
mod papers;
#[cfg(unix)]
mod refusals;
#[cfg(unix)]
mod repeated;
mod reports;
mod streams;
#[cfg(unix)]
mod untrusted;

use throng_testing::repository;

use crate::common::{code, err, out, throng};

/// Returns the path of a file of the city example.
fn example(file: &str) -> String {
    repository().join("examples/city").join(file).display().to_string()
}

#[test]
fn help_contains_examples_and_the_version_is_printed() {
    for (args, part) in [
        (vec!["--help"], "throng run examples/city"),
        (vec!["run", "--help"], "throng run --network network.xml.gz"),
        (vec!["bench", "--help"], "throng bench examples/crossing --device cuda --repeats 9"),
        (vec!["sweep", "--help"], "throng sweep examples/evacuation --vary choose_every_s=1,3,10 --seeds 20"),
        (vec!["compare", "--help"], "Exit code 1 if they differ"),
        (vec!["check", "--help"], "throng check fields --device cuda:0 --verbose"),
        (vec!["generate", "city", "--help"], "throng generate city --out city"),
        (vec!["convert", "--help"], "network_v1.xml.gz --to v1"),
        (vec!["reproduce", "strippgen", "--help"], "throng reproduce strippgen --quick"),
        (vec!["reproduce", "elmir", "--help"], "throng reproduce elmir --quick"),
        (vec!["reproduce", "vigueras", "--help"], "throng reproduce vigueras --quick"),
        (vec!["reproduce", "yu", "--help"], "throng reproduce yu --quick"),
        (vec!["config", "--help"], "throng config --default > config.xml"),
        (vec!["--version"], env!("CARGO_PKG_VERSION")),
    ] {
        let output = throng(&args);
        assert_eq!(code(&output), 0, "{args:?}");
        assert!(out(&output).contains(part), "{args:?}: {}", out(&output));
    }
}

#[test]
fn doctor_describes_the_machine() {
    let output = throng(&["doctor"]);
    assert_eq!(code(&output), 0);
    for part in ["processor", "cores", "memory", "cpu: ready", "cuda", "vulkan"] {
        assert!(out(&output).contains(part), "{}", out(&output));
    }
}

#[test]
fn runs_are_repeated_and_timed() {
    let folder = tempfile::tempdir().unwrap();
    let out_folder = folder.path().join("runs");
    let bottleneck = repository().join("examples/bottleneck").display().to_string();
    let set = ["--set", "controller.runId=b", "--set", "controller.writePlansInterval=0", "--device", "cpu"];
    let mut args = vec!["bench", &bottleneck, "--repeats", "2", "--no-cache", "--out", out_folder.to_str().unwrap()];
    args.extend(set);
    let output = throng(&args);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let text = out(&output);
    for part in ["processor  ", "device     cpu, 1 thread", "median", "loading ", "simulation ", "whole run "] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(err(&output).lines().filter(|line| line.starts_with("run ")).count(), 2, "{}", err(&output));
    assert!(out_folder.join("b.report.html").exists() && out_folder.join("b.manifest.json").exists());
    // Faults are reported once, before the first run.
    args.extend(["--set", "qsim.nothing=1"]);
    let refused = throng(&args);
    assert!(code(&refused) == 2 && err(&refused).matches("\"nothing\"").count() == 1, "{}", err(&refused));
}

#[test]
fn cases_of_a_model_are_checked_and_an_unknown_model_is_refused() {
    assert_eq!(out(&throng(&["check", "traffic", "--device", "cpu", "-q"])), "all 11 cases hold\n");
    let verbose = throng(&["check", "render", "--device", "cpu", "--verbose"]);
    assert_eq!(code(&verbose), 0, "{}", out(&verbose));
    for part in ["render on cpu\n", "holds\n", "all 8 cases hold\n"] {
        assert!(out(&verbose).contains(part), "{part}: {}", out(&verbose));
    }
    let unknown = throng(&["check", "weather"]);
    assert!(code(&unknown) == 2 && err(&unknown).contains("possible values: traffic, fields"), "{}", err(&unknown));
}
