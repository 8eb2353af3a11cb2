//! Tests with unwritable standard output and standard error.

use std::fs::File;
use std::process::{Command, Output, Stdio};

use throng_testing::{program, repository};

use super::{code, err, example};

/// Opens the device that rejects every byte, like a full disk.
fn full() -> Stdio {
    File::options().write(true).open("/dev/full").expect("Linux has /dev/full").into()
}

/// Returns a pipe whose reader has closed it, such as `head -1` after its line.
fn closed() -> Stdio {
    let (reader, writer) = std::io::pipe().expect("pipes can be created");
    drop(reader);
    writer.into()
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(program(env!("CARGO_BIN_EXE_throng")));
    command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn ended(command: &mut Command) -> Output {
    command.spawn().and_then(std::process::Child::wait_with_output).expect("the binary was built for this test")
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_completes_without_standard_error() {
    let folder = tempfile::tempdir().unwrap();
    let fields = repository().join("examples/fields").display().to_string();
    let traffic = example("");
    for (name, stderr) in [("full", full as fn() -> Stdio), ("closed", closed)] {
        for (model, args) in [
            ("traffic", ["run", &traffic, "-v", "--set", "qsim.endTime=06:30:00"]),
            ("fields", ["run", &fields, "-v", "--steps", "3"]),
        ] {
            let out = folder.path().join(format!("{model}_{name}"));
            let output = ended(command(&args).arg("--out").arg(&out).args(["--device", "cpu"]).stderr(stderr()));
            assert_eq!(code(&output), 0, "{model}, {name}: {}", super::out(&output));
            assert!(super::out(&output).contains("simulated "), "{model}, {name}: {}", super::out(&output));
            assert!(out.join("manifest.json").is_file(), "{model}, {name}");
        }
        let city = folder.path().join(format!("city_{name}"));
        let small = ["generate", "city", "--persons", "50", "--links", "300", "-v", "--out"];
        assert_eq!(code(&ended(command(&small).arg(&city).stderr(stderr()))), 0);
        let network = city.join("network.xml.gz");
        let copy = city.join("copy.xml");
        assert_eq!(code(&ended(command(&["convert", "-v"]).args([&network, &copy]).stderr(stderr()))), 0);
        assert_eq!(code(&ended(command(&["run", "nowhere"]).stderr(stderr()))), 2, "only the message is lost");
        assert_eq!(code(&ended(command(&["fly"]).stderr(stderr()))), 2);
    }
}

#[test]
fn warnings_are_hidden_with_quiet() {
    let folder = tempfile::tempdir().unwrap();
    let [network, copy] = ["network.xml", "copy.xml"].map(|name| folder.path().join(name).display().to_string());
    let text = "<network><nodes><node id=\"1\" x=\"0\" y=\"0\" lanes=\"2\"/></nodes><links/></network>";
    std::fs::write(&network, text).unwrap();
    for (more, is_printed) in [(&[][..], true), (&["--quiet"], false)] {
        let output = ended(command(&["convert", &network, &copy, "--to", "v2", "--overwrite"]).args(more));
        assert_eq!(code(&output), 0, "{}", err(&output));
        assert_eq!(err(&output).contains("warning: "), is_printed, "{}", err(&output));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn standard_output_may_be_closed_but_not_full() {
    for args in [&["config", "--schema"][..], &["--help"], &["help", "run"]] {
        let output = ended(command(args).stdout(closed()));
        assert_eq!((code(&output), err(&output).as_str()), (0, ""), "{args:?}");
        let output = ended(command(args).stdout(full()));
        assert_eq!(code(&output), 3, "{args:?}");
        assert!(err(&output).contains("standard output: No space left on device"), "{args:?}: {}", err(&output));
        assert_eq!(code(&ended(command(args).stdout(full()).stderr(full()))), 3, "{args:?}");
    }
}
