//! Untrusted inputs: pipes and devices, and strings with terminal escapes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use throng_testing::repository;

use super::{code, err, out, throng};

/// Creates a pipe without a writer.
fn pipe(path: PathBuf) -> PathBuf {
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success(), "mkfifo is part of POSIX");
    path
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

#[test]
fn pipes_and_devices_are_refused_as_inputs() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let (scenario, map, discs) = (pipe(path("pipe.toml")), pipe(path("map.yaml")), pipe(path("discs.csv")));
    std::os::unix::fs::symlink("/dev/zero", path("zero.toml")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", path("zero.txt")).unwrap();
    let write = |name: &str, content: &str| {
        fs::write(path(name), content).unwrap();
        text(&path(name))
    };
    let fields = |map: &str| format!("model = \"fields\"\n[grid]\nsize = [4, 4]\ncell = 1\nmap = \"{map}\"\n");
    let with_map = write("fields.toml", &fields("map.yaml"));
    let with_zeros = write("zeros.toml", &fields("zero.txt"));
    let with_stamp =
        write("stamp.toml", &fields("").replace("map = \"\"\n", "[stamps.crater]\nside = 1\nfile = \"zero.txt\"\n"));
    let with_discs = write("discs.toml", "model = \"collision\"\ndiscs_file = \"discs.csv\"\n");
    let out_folder = text(&path("out"));
    for (input, file, what) in [
        (&text(&scenario), &scenario, "it is a pipe, which can be read only once"),
        (&text(&path("zero.toml")), &path("zero.toml"), "it is a device, not a file"),
        (&with_map, &map, "it is a pipe, which can be read only once"),
        (&with_zeros, &path("zero.txt"), "it is a device, not a file"),
        (&with_stamp, &path("zero.txt"), "it is a device, not a file"),
        (&with_discs, &discs, "it is a pipe, which can be read only once"),
    ] {
        let output = throng(&["run", input, "--out", &out_folder]);
        assert_eq!(code(&output), 2, "{input}: {}", err(&output));
        let expected =
            format!("{}: cannot be read: {what}\n    store its content in a file, and name that", text(file));
        assert!(err(&output).contains(&expected), "{input}: {}", err(&output));
    }
    assert!(!path("out").exists());
    let endgames = pipe(path("endgames"));
    let output = throng(&["solve", "kalah", "--pits", "2", "--endgames", &text(&endgames)]);
    assert_eq!(code(&output), 2, "{}", err(&output));
    assert!(err(&output).contains("endgames: cannot be read: it is a pipe"), "{}", err(&output));
}

/// Strings from files, in the output of commands about a run.
#[test]
fn strings_from_a_run_cannot_control_the_terminal() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| text(&dir.path().join(name));
    let evacuation = fs::read_to_string(repository().join("examples/evacuation/scenario.toml")).unwrap();
    let evil = evacuation.replace("\"hall\"", "\"ha\\u001b[31mRED\\u0007\\nll\"");
    assert_ne!(evil, evacuation);
    fs::write(path("evil.toml"), evil).unwrap();
    let output = throng(&["run", &path("evil.toml"), "--steps", "4", "--device", "cpu", "--out", &path("run")]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let small = ["--width", "16", "--height", "9", "--samples", "1", "--device", "cpu", "--out", &path("p.png")];
    for args in [
        vec!["run", &path("evil.toml"), "--steps", "4", "--device", "cpu", "--out", &path("again")],
        vec!["render", &path("run"), "--list", "--colour", "group"],
        [&["render", &path("run"), "--colour", "group"][..], &small].concat(),
        vec!["compare", &path("run"), &path("run")],
        vec!["list", &path("")],
    ] {
        let output = throng(&args);
        assert_eq!(code(&output), 0, "{args:?}: {}", err(&output));
        let printed = out(&output) + &err(&output);
        assert!(!printed.contains(['\u{1b}', '\u{7}']), "{args:?}: {printed:?}");
        if args[0] == "render" {
            assert!(printed.contains("ha\\u{1b}[31mRED\\u{7}\\u{a}ll"), "{args:?}: {printed}");
        }
    }
}
