//! Runs the real binary on a device that fails in the middle of a run, or is slow, and checks exit codes, messages and
//! the files left in the output folder. The faults come from `throng_device::faults`, which exists in builds
//! with debug assertions.
#![cfg(debug_assertions)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use throng_device::inventory;
use throng_testing::{Needs, program, repository, skip};
use throng_testing_devices::{devices, with_f64};

const CITY: &str = "examples/city/config.xml";
const FIELDS: &str = "examples/fields";

/// The scenarios: long enough for several batches of steps, and for fields that follow moving entities.
const RUNS: [(&str, &[&str]); 2] =
    [(CITY, &["--steps", "23000", "--hash-every", "1000"]), (FIELDS, &["--steps", "4", "--hash-every", "1"])];

/// Returns the first device that can run both models; if there is none, reports that the test is skipped.
fn device() -> Option<String> {
    with_f64(devices()).first().map(|device| device.info().id.to_string())
}

fn run((scenario, options): (&str, &[&str]), device: &str, fault: &str, to: &Path) -> Output {
    let mut throng = Command::new(program(env!("CARGO_BIN_EXE_throng")));
    throng.arg("run").arg(repository().join(scenario)).args(["--device", device, "--out"]).arg(to).args(options);
    throng.env("THRONG_FAULT", fault).output().expect("the binary was built for this test")
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns the files in a folder that look like results: neither hidden nor partial.
fn results(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = names.map(|file| file.file_name().to_string_lossy().into_owned());
    let looks_whole = |name: &String| !name.starts_with('.') && !name.ends_with(".partial");
    names.filter(looks_whole).collect()
}

/// Runs both models, each with its fault: expects exit code 3, the message, the remedy, and no results.
fn fails(faults: [&str; 2], parts: &[&str]) {
    let Some(device) = device() else { return };
    let folder = tempfile::tempdir().unwrap();
    for (i, (what, fault)) in RUNS.into_iter().zip(faults).enumerate() {
        let to = folder.path().join(i.to_string());
        let output = run(what, &device, fault, &to);
        let message = err(&output);
        assert_eq!(output.status.code(), Some(3), "{} with {fault}: {message}", what.0);
        for part in parts {
            assert!(message.contains(part), "{} with {fault}: \"{part}\" is not in: {message}", what.0);
        }
        assert!(!message.contains("panicked"), "{message}");
        assert_eq!(results(&to), [""; 0], "{} with {fault}", what.0);
    }
}

#[test]
fn a_device_lost_in_a_transfer_ends_the_run() {
    let parts = ["failed during", "repeat the run, or use the device cpu"];
    fails(["lost@transfer:60", "lost@transfer:20"], &parts);
}

#[test]
fn a_device_lost_in_a_launch_ends_the_run() {
    let parts = ["failed during", "repeat the run, or use the device cpu"];
    fails(["lost@launch:1000", "lost@launch:4"], &parts);
}

#[test]
fn refused_memory_ends_the_run() {
    let parts = ["has too little memory: ", " (", "or use the device cpu"];
    fails(["refused@allocation:50", "refused@allocation:6"], &parts);
}

#[test]
fn a_kernel_that_cannot_be_compiled_ends_the_run() {
    let parts = ["could not compile the kernel \"", "update the driver, or use the device cpu"];
    fails(["failed@compilation:2", "failed@compilation:2"], &parts);
}

/// Returns the state hashes of a run that must succeed.
fn hashes(what: (&str, &[&str]), device: &str, fault: &str, to: &Path) -> String {
    let output = run(what, device, fault, to);
    assert_eq!(output.status.code(), Some(0), "{} with {fault}: {}", what.0, err(&output));
    // Without this line the fault did not occur, and the test would be meaningless.
    let has_occurred = err(&output).contains(&format!("THRONG_FAULT: {fault}\n"));
    assert_eq!(has_occurred, !fault.is_empty(), "{fault}: {}", err(&output));
    assert!(to.join("manifest.json").is_file() && to.join("report.html").is_file());
    fs::read_to_string(to.join("state_hashes.txt")).unwrap()
}

/// Checks that the results after recovery equal the results of the CPU.
fn recovers(model: usize, fault: &str) {
    let Some(device) = device() else { return };
    let folder = tempfile::tempdir().unwrap();
    let [right, found] = ["right", "found"].map(|name| folder.path().join(name));
    let expected = hashes(RUNS[model], "cpu", "", &right);
    assert!(expected.lines().count() > 4, "{expected}");
    assert_eq!(hashes(RUNS[model], &device, fault, &found), expected);
    let [right, found] = [right, found].map(|folder| folder.display().to_string());
    let compare =
        Command::new(program(env!("CARGO_BIN_EXE_throng"))).args(["compare", &right, &found]).output().unwrap();
    assert_eq!(compare.status.code(), Some(0), "{}", String::from_utf8_lossy(&compare.stdout));
}

/// Several batches of steps are complete at that point, and their events must not appear twice.
#[test]
fn a_barrier_that_times_out_repeats_the_run() {
    recovers(0, "timeout@barrier:20");
}

#[test]
fn traffic_waits_for_a_slow_host() {
    recovers(0, "slow@transfer:30");
}

#[test]
fn fields_wait_for_a_slow_host() {
    recovers(1, "slow@transfer:5");
}

#[test]
fn a_software_device_causes_a_warning_before_the_run() {
    let software = inventory().devices.into_iter().find(|device| device.class == throng_device::DeviceClass::Software);
    let Some(device) = software else {
        skip(Needs::Vulkan, "there is no software device");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let output = run((FIELDS, &["--steps", "1"]), &device.id.to_string(), "", &folder.path().join("out"));
    let message = err(&output);
    assert_eq!(output.status.code(), Some(0), "{message}");
    let warning = format!("warning: {} is software", device.label());
    let of = |part: &str| message.find(part).unwrap_or_else(|| panic!("\"{part}\" is not in: {message}"));
    assert!(of(&warning) < of("device: "), "{message}");
    assert!(message.contains("the device cpu"), "{message}");
}

/// Mesa's warnings about a missing desktop must not appear.
#[test]
#[cfg(target_os = "linux")]
fn device_discovery_prints_no_driver_messages() {
    let mut doctor = Command::new(program(env!("CARGO_BIN_EXE_throng")));
    let output = doctor.arg("doctor").env_remove("XDG_RUNTIME_DIR").output().unwrap();
    assert_eq!((output.status.code(), err(&output).as_str()), (Some(0), ""));
}
