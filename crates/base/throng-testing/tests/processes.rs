//! Skips of several test processes: this program starts itself, as Cargo starts test programs.

use std::env;
use std::path::Path;
use std::process::{Command, Output};

use throng_testing::{Needs, REFERENCE_DATA, REQUIRE, SKIPS, Skip, reference_data, skip};

/// Runs one of the ignored tests below in a separate process.
fn child(test: &str, require: &str, skips: &Path) -> Output {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--ignored", "--exact", test]).env(REFERENCE_DATA, "/nowhere/at/all");
    command.env(REQUIRE, require).env(SKIPS, skips).output().unwrap()
}

#[test]
#[ignore = "run by the tests below, in another process"]
fn lacks_cuda() {
    for _ in 0..3 {
        skip(Needs::Cuda, "no driver");
    }
}

#[test]
#[ignore = "run by the tests below, in another process"]
fn lacks_data() {
    assert_eq!(reference_data("equil100"), None);
}

/// Returns the path of a file that does not exist yet.
fn file_of_skips(name: &str) -> std::path::PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    let _ = std::fs::remove_file(&file);
    file
}

#[test]
fn processes_share_a_skip_file_and_each_test_counts_once() {
    let file = file_of_skips("counted");
    for test in ["lacks_cuda", "lacks_data"] {
        let output = child(test, "tmpfs,found", &file);
        assert!(output.status.success(), "{output:?}");
    }
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    let skips: Vec<Skip> = text.lines().map(|line| Skip::parse(line).unwrap()).collect();
    let found: Vec<_> = skips.iter().map(|skip| (skip.needs, skip.test.as_str())).collect();
    assert_eq!(found, [(Needs::Cuda, "processes::lacks_cuda"), (Needs::Data, "processes::lacks_data")]);
    assert_eq!(skips[0].reason, "no driver");
    assert!(skips[1].reason.contains("/nowhere/at/all"), "{}", skips[1].reason);
}

#[test]
fn required_tests_fail_instead_of_being_skipped() {
    let file = file_of_skips("required");
    for (test, require, part) in [
        ("lacks_cuda", "data,cuda", "THRONG_REQUIRE asks for cuda, and processes::lacks_cuda cannot run: no driver"),
        ("lacks_data", "data", "THRONG_REQUIRE asks for data"),
        ("lacks_data", "date", "\"date\" is not a known requirement of tests"),
    ] {
        let output = child(test, require, &file);
        assert!(!output.status.success(), "{require}");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains(part), "{text}");
    }
    assert!(!file.exists(), "failures are not recorded as skips");
}

#[test]
fn uncounted_skips_are_printed_once() {
    let output = child("lacks_cuda", "", Path::new(""));
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(text.matches("skipped: processes::lacks_cuda: no driver").count(), 1, "{text}");
}
