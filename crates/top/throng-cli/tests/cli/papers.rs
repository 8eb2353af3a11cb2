//! Tests of `throng reproduce`.

use std::path::Path;
use std::process::Output;

use super::{code, err, example, out, throng};
use crate::csv_tables::check_tables;

/// Runs `throng reproduce PAPER --out FOLDER` with the arguments `small`, which keep the test small, and `more`.
fn reproduce(paper: &str, folder: &str, small: &[&str], more: &[&str]) -> Output {
    throng(&[&["reproduce", paper, "--out", folder], small, more].concat())
}

#[test]
fn the_paper_of_strippgen_and_nagel_is_reproduced() {
    let folder = tempfile::tempdir().unwrap();
    let out_folder = |name: &str| folder.path().join(name).display().to_string();
    let reproduce =
        |name: &str, more: &[&str]| reproduce("strippgen", &out_folder(name), &["--quick", "--threads", "2"], more);
    let mut devices = vec!["cpu".to_owned()];
    devices.extend(throng_testing_devices::devices().iter().map(|device| device.info().id.to_string()));
    for device in &devices {
        println!("on {device}");
        let output = reproduce(device, &["--device", device]);
        assert_eq!(code(&output), 0, "{}", err(&output));
        let text = out(&output);
        for part in ["GeForce GTX 280", "6699", "RINGNODES2", "RINGNODES, calendar", "CPU, 2 threads, with events"] {
            assert!(text.contains(part), "{text}");
        }
        assert_eq!(text.contains("speed-up of"), device != "cpu", "{text}");
        assert!(text.starts_with("machine  ") && text.contains("\ndate     20"), "{text}");
        let file = |name: &str| std::fs::read_to_string(Path::new(&out_folder(device)).join(name)).unwrap();
        let rows = |machine: &str| file("strippgen.csv").lines().filter(|line| line.starts_with(machine)).count();
        // Two samples: 8 programs and the calendar, on a device the nodes by prefix scan, too, and 3 ways to run the
        // full model.
        assert_eq!((rows("published;"), rows("cpu;"), rows("full model")), (12, 18, 6));
        assert_eq!(rows("device;"), if device == "cpu" { 0 } else { 20 });
        assert!(file("strippgen.svg").contains(">1 CPU thread</text>"));
        assert_eq!(check_tables(Path::new(&out_folder(device))), ["strippgen.csv"]);
    }
    let example = example("");
    let scenario = reproduce("scenario", &[&example, "--device", "cpu", "--samples", "100", "--from", "06:00", "-q"]);
    assert_eq!((code(&scenario), out(&scenario).as_str()), (0, ""), "{}", err(&scenario));
    for (more, exit, part) in [
        (vec!["--device", "abacus"], 2, "\"abacus\" is not a device"),
        (vec!["--samples", "101"], 2, "--samples: 101 % is not a valid sample"),
        (vec!["--device", "cuda:99"], 3, "there is no device cuda:99"),
        (vec!["--steps", "0"], 2, "--steps"),
        (vec!["nowhere", "--device", "cpu"], 2, "nowhere"),
    ] {
        let output = reproduce("wrong", &more);
        assert_eq!(code(&output), exit, "{more:?}");
        assert!(err(&output).contains(part), "{more:?}: {}", err(&output));
    }
}

#[test]
fn the_paper_of_vigueras_is_reproduced_on_the_cpu() {
    let folder = tempfile::tempdir().unwrap();
    let out_folder = folder.path().join("checks").display().to_string();
    let reproduce = |more: &[&str]| {
        let small = ["--quick", "--density-agents", "200", "--areas", "0.2", "--moves", "2", "--threads", "2"];
        reproduce("vigueras", &out_folder, &small, &[&["--device", "cpu"], more].concat())
    };
    let output = reproduce(&["--agents", "300", "--steps", "1"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    for part in ["machine  ", "| 300 | sequential rule, CPU | ", "| four steps, full walk |", "| 0.2 | 1 | "] {
        assert!(out(&output).contains(part), "{part}: {}", out(&output));
    }
    let lines = |name: &str| std::fs::read_to_string(folder.path().join("checks").join(name)).unwrap().lines().count();
    assert_eq!((lines("vigueras.csv"), lines("vigueras_overlaps.csv")), (1 + 2, 1 + 6));
    assert_eq!(check_tables(Path::new(&out_folder)), ["vigueras.csv", "vigueras_overlaps.csv"]);
    assert!(lines("vigueras.md") > 10);
    let again = reproduce(&["--agents", "200", "--steps", "1"]);
    assert!(err(&again).contains(&format!(
        "note: the earlier results in {out_folder} will be deleted and replaced when this run ends\n"
    )));
    let output = reproduce(&["--agents", "300", "--steps", "99"]);
    assert!(code(&output) == 2 && err(&output).contains("--steps: "), "{}", err(&output));
}

#[test]
fn the_paper_of_yu_is_reproduced_on_the_cpu() {
    let folder = tempfile::tempdir().unwrap();
    let out_folder = folder.path().join("fields").display().to_string();
    let reproduce = |more: &[&str]| {
        let small = ["--quick", "--sizes", "20", "--flows", "2", "--ticks", "5", "--threads", "2"];
        reproduce("yu", &out_folder, &small, &[&["--device", "cpu"], more].concat())
    };
    let output = reproduce(&["--densities", "0.4"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    for part in
        ["machine  ", "| all | Throng, CPU | ", "| 21 x 21 | 61 | 64 | ", "| exact45 | 19 of 36 | 20 | 0 of 6 |"]
    {
        assert!(out(&output).contains(part), "{part}: {}", out(&output));
    }
    let lines = |name: &str| std::fs::read_to_string(folder.path().join("fields").join(name)).unwrap().lines().count();
    assert_eq!((lines("yu.csv"), lines("yu_memory.csv")), (1 + 2, 1 + 2));
    assert!(!folder.path().join("fields/yu_bi_throng_cpu.svg").exists(), "a single size gives no chart");
    assert!(lines("yu.md") > 30);
    assert_eq!(check_tables(Path::new(&out_folder)), ["yu.csv", "yu_ablation.csv", "yu_memory.csv"]);
    let output = reproduce(&["--sums", "5"]);
    assert!(code(&output) == 2 && err(&output).contains("--sums: 5"), "{}", err(&output));
}

#[test]
fn the_thesis_of_elmir_is_reproduced() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let reproduce = |name: &str, more: &[&str]| {
        let small = ["--radii", "4", "--resolutions", "256", "--entities", "64", "--repeat", "3", "--threads", "2"];
        reproduce("elmir", &path(name), &small, more)
    };
    let output = reproduce("cpu", &["--device", "cpu"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let text = out(&output);
    for part in [
        "machine  ",
        "CPU memory copy, 1 thread, 2013",
        "copy by rows / ours, 2 threads each",
        "ours, 1 thread, against CPU memory copy, 1 thread: faster in ",
        "24 statements: 0 confirmed, 2 not confirmed, 3 cannot be known, 19 not measured, because they need a GPU",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let file = |name: &str| std::fs::read_to_string(folder.path().join("cpu").join(name)).unwrap();
    assert_eq!(file("elmir.csv").lines().count(), 1 + 6);
    assert_eq!(check_tables(&folder.path().join("cpu")), ["elmir.csv", "elmir_speed_up.csv"]);
    assert!(!folder.path().join("cpu/elmir_r4_64_circles.svg").exists(), "a single resolution gives no chart");
    for (more, exit, part) in [
        (vec!["--device", "abacus"], 2, "\"abacus\" is not a device"),
        (vec!["--device", "cpu", "--radii", "-1"], 2, "-1"),
        (vec!["--device", "cpu", "--radii", "0"], 2, "--radii: 0"),
        (vec!["--device", "cpu", "--published", "tables.csv"], 2, "--published"),
    ] {
        let output = reproduce("wrong", &more);
        assert_eq!(code(&output), exit, "{more:?}: {}", err(&output));
        assert!(err(&output).contains(part), "{more:?}: {}", err(&output));
        assert!(!folder.path().join("wrong").join("elmir.csv").exists());
    }
}
