//! Resources that the machine cannot provide: threads, disk space, memory, a writable folder.

use std::path::Path;
use std::process::{Command, Output};

use throng_testing::{Needs, program, repository, skip};

use super::{code, err, example, out, throng};

/// Returns the folder of the fields example.
fn fields_example() -> String {
    repository().join("examples/fields").display().to_string()
}

/// A stack size beyond the address space: no thread can be started with it.
const NO_STACK: &str = "140737488355328";

#[test]
fn threads_refused_by_the_system_are_reported() {
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
        for part in ["the system refused a thread for ", "raise the limit on processes (`ulimit -u`)"] {
            assert!(err(&output).contains(part), "{args:?}: {}", err(&output));
        }
    }
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "no output is left");
}

/// Runs `throng ARGS` with a separate file system with these `options` mounted at `folder`, and lists its contents
/// afterwards. Prints a note and returns `None` if file systems cannot be mounted.
fn on_disk(folder: &Path, options: &str, args: &[&str]) -> Option<(Output, Vec<String>)> {
    let script = "mount -t tmpfs -o \"$1\" none \"$2\" || exit 99; folder=\"$2\"; shift 2; \"$@\"; code=$?; \
                  cd \"$folder\" && find . -mindepth 1 >&3; exit $code";
    let list = tempfile::NamedTempFile::new().unwrap();
    let mut command = Command::new("unshare");
    // A mount that is invisible to other processes and ends with this one.
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

/// A run that fills the disk at any point must end either with its results or with exit code 3, a remedy, and a record
/// of the complete files, so that the next run can remove them.
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
            // Excludes the folder itself and its lock.
            let results = left.iter().filter(|path| !path.ends_with("/run") && !path.ends_with(".throng.lock")).count();
            assert!(!has(".partial"), "{model}, {size}: {left:?}");
            assert_eq!(has("/manifest.json"), !failed, "{model}, {size}: {left:?}");
            assert_eq!(has(".throng.lock"), failed && results > 0, "{model}, {size}: {left:?}");
            kept |= failed && results > 0;
            if code(&output) != 0 {
                let text = err(&output);
                assert!(text.contains("No space left on device") && text.contains(&to), "{text}");
                assert!(
                    text.contains("free some space") || text.contains("check that the target is writable"),
                    "{text}"
                );
            }
        }
        assert!(codes.iter().all(|code| [0, 3].contains(code)), "{model}: {codes:?}");
        assert_eq!((codes[0], codes.last()), (3, Some(&0)), "{model}: {codes:?}");
        // The files of a fields run get their final names together, at the end.
        assert_eq!(kept, model == "traffic", "{model}: {codes:?}");
    }
}

#[test]
fn a_full_disk_is_reported_with_the_affected_file() {
    let dir = tempfile::tempdir().unwrap();
    let to = |name: &str| dir.path().join("disk").join(name).display().to_string();
    std::fs::create_dir(dir.path().join("disk")).unwrap();
    let [evacuation, spheres] =
        ["evacuation", "spheres"].map(|name| repository().join("examples").join(name).display().to_string());
    let stored = dir.path().join("stored").display().to_string();
    let run = throng(&["run", &evacuation, "--steps", "4", "--device", "cpu", "--out", &stored]);
    assert_eq!(code(&run), 0, "{}", err(&run));
    let (run, picture) = (to("run"), to("picture.png"));
    for (args, file) in [
        (vec!["run", &evacuation, "--steps", "40", "--out", &run], "pedestrians.png"),
        (vec!["run", &spheres, "--out", &run], "picture.png"),
        (vec!["render", &stored, "--samples", "1", "--out", &picture], "picture.png"),
        (vec!["render", &stored, "--samples", "1", "--film", &picture], "picture.png"),
    ] {
        let args = [&args[..], &["--device", "cpu"]].concat();
        let Some((output, left)) = on_disk(&dir.path().join("disk"), "size=16k", &args) else { return };
        assert_eq!(code(&output), 3, "{args:?}: {}", err(&output));
        for part in [format!("/{file}: "), "No space left on device (os error 28)\n    ".to_owned(), "space".to_owned()]
        {
            assert!(err(&output).contains(&part), "{args:?}: {}", err(&output));
        }
        assert!(!left.iter().any(|path| path.contains(".partial") || path.contains(".png")), "{args:?}: {left:?}");
    }
}

/// A config naming files that are missing, or belong to another city, could be run by mistake.
#[test]
fn a_full_disk_leaves_no_config_of_an_incomplete_city() {
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
fn a_read_only_folder_is_reported_before_any_work() {
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

/// By default, a write beyond the limit of the shell ends the process with a signal.
#[test]
fn a_file_size_limit_is_reported_and_leaves_no_partial_file() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let script = format!(
        "ulimit -f 8; exec {} run {} --out {} --set throng.analysis=false --set throng.eventsParquet=false",
        program(env!("CARGO_BIN_EXE_throng")).display(),
        example(""),
        out.display()
    );
    let output = Command::new("sh").args(["-c", &script]).output().expect("there is a shell");
    assert_eq!(code(&output), 3, "{}", err(&output));
    // Events and plans are written at the same time; either may be the first.
    for part in [".xml.gz: File too large", "\n    raise the limit on the size of files (`ulimit -f`)"] {
        assert!(err(&output).contains(part), "{}", err(&output));
    }
    assert!(!out.exists(), "no file is complete, so none is left");
}

/// The memory limit is set by the shell.
#[test]
fn images_beyond_memory_are_refused_before_drawing() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    let kalah = repository().join("examples/kalah").display().to_string();
    let run =
        ["run", &kalah, "--out", &path("run"), "--set", "players=[\"random\", \"greedy\"]", "--set", "openings=1"];
    assert_eq!(code(&throng(&run)), 0);
    let scene = "model = \"render\"\n[[light]]\n[[sphere]]\ncenter = [0, 1, 0]\n";
    std::fs::write(path("scene.toml"), scene).unwrap();
    let (run, scene, picture, film, frames) =
        (path("run"), path("scene.toml"), path("p.png"), path("f.png"), path("frames"));
    let sides = ["--width", "32768", "--height", "32768"];
    let with_sides = |args: &[&str]| [args, &sides[..]].concat().iter().map(|&arg| arg.to_owned()).collect::<Vec<_>>();
    for args in [
        with_sides(&["render", &run, "--out", &picture]),
        with_sides(&["render", &run, "--film", &film, "--every", "5"]),
        with_sides(&["render", &run, "--frames", &frames, "--every", "5"]),
        ["run", &scene, "--out", &frames, "--set", "width=32768", "--set", "height=32768"].map(str::to_owned).to_vec(),
    ] {
        let mut command = Command::new("sh");
        let program = program(env!("CARGO_BIN_EXE_throng"));
        let script = "ulimit -v 6000000; exec \"$@\"";
        let output = command.args(["-c", script, "sh"]).arg(program).args(&args).args(["--device", "cpu"]).output();
        let output = output.expect("there is a shell");
        assert_eq!(code(&output), 3, "{args:?}: {}", err(&output));
        for part in ["32768 x 32768 pixels take 20401094656 bytes", " are available: give a smaller image"] {
            assert!(err(&output).contains(part), "{args:?}: {}", err(&output));
        }
    }
    let mut left: Vec<_> = dir.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["run", "scene.toml"], "no output is left");
}

/// Runs the program with an address space of `kib` KiB.
fn with_addresses(kib: u64, args: &[&str]) -> Output {
    let script = format!("ulimit -v {kib}; exec \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, "sh"]).arg(program(env!("CARGO_BIN_EXE_throng"))).args(args);
    command.output().unwrap()
}

/// Too many discs or too large a world are reported before anything is drawn or allocated.
#[test]
fn worlds_and_crowds_beyond_memory_are_refused_with_their_size() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let file = dir.path().join(name);
        std::fs::write(&file, text).unwrap();
        file.display().to_string()
    };
    let discs = "model = \"collision\"\ndiscs = 60\nwidth_m = 30.0\nheight_m = 15.0\nlargest_radius_m = 0.5\n\
                 gate_walls_every_m = 10.0\ngates_every_m = 5.0\ngate_width_m = 2.0\nsteps = 3\n";
    let discs = file("discs.toml", discs);
    let crowd = file("crowd.toml", "model = \"social-field\"\nwidth_su = 40\nheight_su = 40\nticks = 1\n");
    let to = dir.path().join("out").display().to_string();
    let run = |kib: u64, scenario: &str, settings: &[&str]| {
        let mut args = vec!["run", scenario, "--device", "cpu", "--threads", "1", "--out", &to];
        args.extend(settings.iter().flat_map(|setting| ["--set", setting]));
        with_addresses(kib, &args)
    };
    for (kib, scenario, settings, expected, part) in [
        // 450 m^2, and discs of 0.196 m^2 each.
        (4_000_000, &discs, vec!["discs=4294967295"], 2, "discs: 4294967295 discs with radii of 0.25 m or more"),
        (4_000_000, &discs, vec!["discs=100000000"], 2, "the world has the area of 2291 such discs"),
        // 10,000 walls of 10,000 pieces, with 150 bytes each.
        (
            13_000_000,
            &discs,
            vec![
                "width_m=12000",
                "height_m=12000",
                "gate_walls_every_m=1.2",
                "gates_every_m=1.2",
                "gate_width_m=1.1",
                "discs=10",
            ],
            3,
            "100000000 pieces of walls take 15000000000 bytes (14.0 GiB)",
        ),
        // A cell has 4096 units, and 0.25 m are 2896 units: 33,938 cells along each side, with 4 bytes each.
        (
            4_000_000,
            &discs,
            vec!["width_m=12000", "height_m=12000", "gate_walls_every_m=0", "discs=10"],
            3,
            "world: 1151787844 cells and 10 discs take 4607152066 bytes (4.3 GiB)",
        ),
        (
            4_000_000,
            &discs,
            vec!["width_m=4000", "height_m=4000", "gate_walls_every_m=0", "discs=30000000"],
            3,
            "discs: 30000000 discs take 6000000000 bytes (5.6 GiB)",
        ),
        (
            4_000_000,
            &crowd,
            vec!["width_su=32000", "height_su=32000"],
            3,
            "32000 x 32000 space units take 40960000000 bytes (38.1 GiB)",
        ),
    ] {
        let output = run(kib, scenario, &settings);
        assert_eq!(output.status.code(), Some(expected), "{settings:?}: {}", err(&output));
        assert!(err(&output).contains(part), "{settings:?}: {}", err(&output));
        assert!(!dir.path().join("out").exists(), "{settings:?}");
    }
    // A small world works under the same limit.
    for scenario in [&discs, &crowd] {
        let output = run(4_000_000, scenario, &[]);
        assert_eq!(code(&output), 0, "{}", err(&output));
        std::fs::remove_dir_all(dir.path().join("out")).unwrap();
    }
}
