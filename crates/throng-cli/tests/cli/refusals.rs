//! Resources that the machine refuses: threads, disk space, a writable folder.

use std::path::Path;
use std::process::{Command, Output};

use throng_testing::{Needs, program, repository, skip};

use super::{code, err, example, out};

/// The folder of the example of fields.
fn fields_example() -> String {
    repository().join("examples/fields").display().to_string()
}

/// More than a process can address: no thread with such a stack can be started.
const NO_STACK: &str = "140737488355328";

#[test]
fn threads_that_the_system_refuses_are_told() {
    let dir = tempfile::tempdir().unwrap();
    let to = |name: &str| dir.path().join(name).display().to_string();
    let (city, plans, fields) = (example(""), example("plans.xml.gz"), fields_example());
    for args in [
        vec!["run", &city, "--device", "cpu", "--out", &to("traffic")],
        vec!["run", &fields, "--device", "cpu", "--steps", "1", "--out", &to("fields")],
        vec!["generate", "city", "--persons", "50", "--out", &to("city")],
        vec!["convert", &plans, &to("plans.xml")],
        vec!["compare", &plans, &plans],
        vec!["check", "fields", "--device", "cpu"],
        vec!["reproduce", "elmir", "--quick", "--device", "cpu", "--out", &to("elmir")],
    ] {
        let mut command = Command::new(program(env!("CARGO_BIN_EXE_throng")));
        let output = command.args(&args).env("RUST_MIN_STACK", NO_STACK).output().unwrap();
        assert_eq!(code(&output), 3, "{args:?}: {}", err(&output));
        for part in ["the system gives no thread for ", "raise the limit on processes (`ulimit -u`)"] {
            assert!(err(&output).contains(part), "{args:?}: {}", err(&output));
        }
    }
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "nothing is left of them");
}

/// Runs `throng ARGS` where `folder` is a separate file system with these `options`, and lists its contents afterwards;
/// `None`, with a line that says so, where file systems cannot be mounted.
fn on_disk(folder: &Path, options: &str, args: &[&str]) -> Option<(Output, Vec<String>)> {
    let script = "mount -t tmpfs -o \"$1\" none \"$2\" || exit 99; folder=\"$2\"; shift 2; \"$@\"; code=$?; \
                  cd \"$folder\" && find . -mindepth 1 >&3; exit $code";
    let list = tempfile::NamedTempFile::new().unwrap();
    let mut command = Command::new("unshare");
    // A mount that no other process sees, and that ends with this one.
    command.args(["--map-root-user", "--mount", "sh", "-c", &format!("exec 3>\"$1\"; shift; {script}"), "sh"]);
    command.arg(list.path()).arg(options).arg(folder).arg(program(env!("CARGO_BIN_EXE_throng"))).args(args);
    let output = command.output().ok().filter(|output| !matches!(output.status.code(), None | Some(99)));
    let listed = std::fs::read_to_string(list.path()).unwrap();
    let mounted = output.filter(|output| !err(output).starts_with("unshare: "));
    if mounted.is_none() {
        skip(Needs::Tmpfs, "no file system can be mounted");
    }
    mounted.map(|output| (output, listed.lines().map(str::to_owned).collect()))
}

/// Whenever the disk is full, a run ends with its results, or with 3, a remedy, and a record of the complete files,
/// so that the next run can remove them.
#[test]
fn a_full_disk_ends_a_run_with_a_remedy_and_no_manifest() {
    let dir = tempfile::tempdir().unwrap();
    let to = dir.path().join("run").display().to_string();
    let (city, until) = (example(""), ["--set", "qsim.endTime=06:30:00"]);
    let fields = fields_example();
    let steps = ["--steps", "3"];
    for (model, scenario, short) in [("traffic", city.as_str(), until), ("fields", fields.as_str(), steps)] {
        let args = [&["run", scenario, "--device", "cpu", "--out", &to][..], &short].concat();
        let (mut codes, mut kept) = (Vec::new(), false);
        for size in ["16k", "48k", "96k", "192k", "384k", "64m"] {
            let Some((output, left)) = on_disk(dir.path(), &format!("size={size}"), &args) else { return };
            codes.push(code(&output));
            let has = |end: &str| left.iter().any(|path| path.ends_with(end));
            let failed = code(&output) != 0;
            // Beside the folder itself.
            let results = left.iter().filter(|path| !path.ends_with("/run") && !path.ends_with(".throng.lock")).count();
            assert!(!has(".partial"), "{model}, {size}: {left:?}");
            assert_eq!(has("/manifest.json"), !failed, "{model}, {size}: {left:?}");
            assert_eq!(has(".throng.lock"), failed && results > 0, "{model}, {size}: {left:?}");
            kept |= failed && results > 0;
            if code(&output) != 0 {
                let text = err(&output);
                assert!(text.contains("No space left on device"), "{text}");
                assert!(
                    text.contains("free some space") || text.contains("check that the target is writable"),
                    "{text}"
                );
            }
        }
        assert!(codes.iter().all(|code| [0, 3].contains(code)), "{model}: {codes:?}");
        assert_eq!((codes[0], codes.last()), (3, Some(&0)), "{model}: {codes:?}");
        // Files of fields get their names together, at the end.
        assert_eq!(kept, model == "traffic", "{model}: {codes:?}");
    }
}

/// A config that names files which are not there, or are those of another city, would be run.
#[test]
fn a_full_disk_leaves_no_config_of_half_a_city() {
    let dir = tempfile::tempdir().unwrap();
    let to = dir.path().join("city").display().to_string();
    let args = ["generate", "city", "--persons", "300", "--links", "300", "--free-flow-routes", "--out", &to];
    let mut failed = 0;
    for size in ["16k", "32k", "48k", "64k", "96k", "128k"] {
        let Some((output, left)) = on_disk(dir.path(), &format!("size={size}"), &args) else { return };
        let has = |end: &str| left.iter().any(|path| path.ends_with(end));
        failed += usize::from(code(&output) != 0 && has("/network.xml.gz"));
        for (early, late) in [("/plans.xml.gz", "/config.xml"), ("/config.xml", "/scenario.toml")] {
            assert!(has(early) || !has(late), "{size}: {left:?}");
        }
    }
    assert!(failed > 0);
}

#[test]
fn a_folder_that_cannot_be_written_is_told_before_anything_is_made() {
    let dir = tempfile::tempdir().unwrap();
    let to = dir.path().join("run").display().to_string();
    let (city, network, fields) = (example(""), example("network.xml.gz"), fields_example());
    for args in [
        vec!["run", &city, "--device", "cpu", "--out", &to],
        vec!["run", &fields, "--out", &to],
        vec!["generate", "city", "--persons", "100000000", "--out", &to],
        vec!["reproduce", "strippgen", "--device", "cpu", "--out", &to],
        vec!["convert", &network, &to],
    ] {
        let Some((output, left)) = on_disk(dir.path(), "ro", &args) else { return };
        assert_eq!((code(&output), out(&output).as_str(), left.len()), (3, "", 0), "{args:?}: {}", err(&output));
        for part in ["Read-only file system", "choose an output folder that you may write to"] {
            assert!(err(&output).contains(part), "{args:?}: {}", err(&output));
        }
    }
}

/// The shell limits the size of files, which looks like a full disk to the process.
#[test]
fn a_full_disk_is_told_and_leaves_no_half_file() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let script = format!(
        "trap '' XFSZ; ulimit -f 8; exec {} run {} --out {} --set throng.analysis=false --set throng.eventsParquet=false",
        program(env!("CARGO_BIN_EXE_throng")).display(),
        example(""),
        out.display()
    );
    let output = Command::new("sh").args(["-c", &script]).output().expect("there is a shell");
    assert_eq!(code(&output), 3, "{}", err(&output));
    assert!(err(&output).contains("output_events.xml.gz"), "{}", err(&output));
    assert!(!out.exists(), "nothing complete, so nothing at all");
}
