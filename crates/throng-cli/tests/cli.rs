//! The real binary: help, settings, exit codes.

#[cfg(unix)]
#[path = "cli/folders.rs"]
mod folders;
#[cfg(unix)]
#[path = "cli/refusals.rs"]
mod refusals;
#[path = "cli/streams.rs"]
mod streams;

use std::path::Path;
use std::process::{Command, Output};

use throng_testing::{Needs, program, repository, skip, skip_backend};

fn throng(args: &[&str]) -> Output {
    Command::new(program(env!("CARGO_BIN_EXE_throng"))).args(args).output().expect("the binary was built for this test")
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
        (vec!["sweep", "--help"], "throng sweep examples/evacuation --vary choose_every_s=1,3,10 --seeds 20"),
        (vec!["compare", "--help"], "Exit code 1 if they differ"),
        (vec!["check", "--help"], "throng check fields --device cuda:0 --verbose"),
        (vec!["generate", "city", "--help"], "throng generate city --out city"),
        (vec!["convert", "--help"], "--to v6 --network network.xml.gz"),
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
        (vec!["run", "nowhere/config.xml"], "nowhere/config.xml: there is no such file"),
        (vec!["compare", "nowhere_a", "nowhere_b"], "nowhere_a: there is no such file or folder"),
        (vec!["convert", "nowhere_a", "b"], "nowhere_a: there is no such file"),
        (vec!["run", &example("../ctiy")], "Did you mean "),
        (vec!["run", &example("../fields/scenari.toml")], "fields/scenario.toml?"),
        (vec!["compare", &example("plan.xml.gz"), "nowhere_b"], "city/plans.xml.gz?"),
        (vec!["convert", &example("netwrok.xml.gz"), "b"], "city/network.xml.gz?"),
        (vec!["run", "--network", &example("netwrok.xml.gz"), "--plans", "a"], "city/network.xml.gz?"),
        (vec!["run", &example(""), "--threads", "0"], "give a whole number from 1 to 1024, or leave it out"),
        (vec!["run", "--device", "abacus"], "\"abacus\" is not a device; give auto, cpu, cuda:N or vulkan:N"),
    ] {
        let output = throng(&args);
        assert_eq!(code(&output), 2, "{args:?}");
        assert!(err(&output).contains(part), "{args:?}: {}", err(&output));
    }
}

#[test]
fn a_missing_device_ends_with_3() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let output = throng(&["run", &example("config.xml"), "--device", "cuda:99", "--out", &out.display().to_string()]);
    assert_eq!(code(&output), 3);
    for part in ["there is no device cuda:99", "--device cpu runs everywhere"] {
        assert!(err(&output).contains(part), "{}", err(&output));
    }
    let left: Vec<_> = std::fs::read_dir(&out).map(|files| files.flatten().collect()).unwrap_or_default();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn what_only_the_cpu_can_do_is_refused_on_a_device() {
    let Some(device) = throng_device::inventory().devices.into_iter().next() else {
        skip(Needs::Device, "there is none");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out").display().to_string();
    let set = ["--set", "throng.nodeRandom=java", "--out", &out];
    let output = throng(&[&["run", &example("config.xml"), "--device", &device.id.to_string()], &set[..]].concat());
    assert_eq!(code(&output), 2, "{}", err(&output));
    for part in ["cannot run this scenario: throng.nodeRandom=java", "use --device cpu"] {
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
    assert!(err(&output).contains("choose another folder, or allow it with --overwrite"), "{}", err(&output));
    let output = throng(&["generate", "city", "--out", &out]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("allow it with --overwrite"), "{}", err(&output));
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
fn verification_cases_hold_on_the_cpu() {
    let output = throng(&["check", "--device", "cpu", "--verbose"]);
    assert_eq!(code(&output), 0, "{}", out(&output));
    for part in [
        "traffic on cpu\n",
        "fields on cpu\n",
        "collision on cpu\n",
        "elmir on cpu\n",
        "social-field on cpu\n",
        "vigueras on cpu\n",
        "yu on cpu\n",
        "render on cpu\n",
        "two steps, seconds, until",
        "all 110 cases hold\n",
    ] {
        assert!(out(&output).contains(part), "{part}: {}", out(&output));
    }
    assert!(!out(&output).contains("FAILS"));
    assert_eq!(out(&throng(&["check", "fields", "--device", "cpu", "-q"])), "all 29 cases hold\n");
    let unknown = throng(&["check", "weather"]);
    assert!(code(&unknown) == 2 && err(&unknown).contains("possible values: traffic, fields"), "{}", err(&unknown));
}

/// Hashes of the last state, the same on every device and as long as the examples are unchanged. A change of a rule or
/// of an example changes them; a change of anything else must not.
#[test]
fn the_examples_end_in_their_stored_states() {
    let folder = tempfile::tempdir().unwrap();
    for (name, expected) in
        [("city", "6fc046c61992343a after step 72000"), ("fields", "57417f93b6dcd53a after step 432")]
    {
        let results = folder.path().join(name).display().to_string();
        let scenario = example(&format!("../{name}"));
        let output = throng(&["run", &scenario, "--device", "cpu", "--out", &results, "--hash-every", "3600"]);
        assert!(code(&output) == 0 && out(&output).contains(expected), "{name}: {}{}", out(&output), err(&output));
    }
    // A million discs take too long for a test.
    let results = folder.path().join("collision").display().to_string();
    let scenario = example("../collision");
    let mut arguments = vec!["run", &scenario, "--device", "cpu", "--out", &results, "--hash-every", "50"];
    for setting in ["discs=1500", "width_m=60", "height_m=40", "gate_walls_every_m=30", "steps=100"] {
        arguments.extend(["--set", setting]);
    }
    let output = throng(&arguments);
    assert_eq!(code(&output), 0, "{}{}", out(&output), err(&output));
    let hashes = std::fs::read_to_string(Path::new(&results).join("state_hashes.txt")).unwrap();
    assert!(hashes.ends_with("\n100 60b5a107fc129505\n"), "{hashes}");
}

fn example(file: &str) -> String {
    repository().join("examples/city").join(file).display().to_string()
}

#[test]
fn the_example_runs_and_equal_runs_compare_equal() {
    let folder = tempfile::tempdir().unwrap();
    let out = |name: &str| folder.path().join(name).display().to_string();
    let run = |name: &str, more: &[&str]| {
        let out = out(name);
        let mut args = vec!["run", "SCENARIO", "--out", &out, "--set", "qsim.endTime=06:30:00", "--hash-every", "600"];
        let scenario = example("");
        args[1] = &scenario;
        args.extend(more);
        throng(&args)
    };
    let output = run("a", &["--set", "controller.runId=r1"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    for part in ["simulated   ", "moves       ", "all in r1.state_hashes.txt", "r1.report.html"] {
        assert!(self::out(&output).contains(part), "{}", self::out(&output));
    }
    assert_eq!(code(&run("b", &["--threads", "2", "-q"])), 0);
    assert_eq!(code(&run("c", &["--set", "qsim.flowCapacityFactor=0.1", "-q"])), 0);
    assert_eq!(code(&throng(&["compare", &out("a"), &out("b")])), 0);
    let differs = throng(&["compare", &out("b"), &out("c"), "--show", "1"]);
    assert_eq!(code(&differs), 1);
    assert!(self::out(&differs).starts_with("different: "), "{}", self::out(&differs));
    let quiet = throng(&["compare", &out("b"), &out("c"), "-q"]);
    assert_eq!((code(&quiet), self::out(&quiet).as_str()), (1, ""));
    let mixed = throng(&["compare", &format!("{}/output_legs.csv.gz", out("b")), &out("c")]);
    assert_eq!(code(&mixed), 2);
    assert!(err(&mixed).contains("this is a file of events"), "{}", err(&mixed));
}

#[test]
fn a_generated_city_runs_and_converts() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let city = throng(&["generate", "city", "--persons", "200", "--links", "400", "--out", &file("city")]);
    assert_eq!(code(&city), 0, "{}", err(&city));
    let output = throng(&["run", &file("city"), "--out", &file("run"), "-q"]);
    assert_eq!((code(&output), out(&output).as_str()), (0, ""), "{}", err(&output));
    let args = ["convert", &file("city/network.xml.gz"), &file("network_v1.xml"), "--to", "v1"];
    assert_eq!(code(&throng(&args)), 0);
    assert_eq!(code(&throng(&args)), 2, "the file exists");
    let wrong = throng(&["convert", &file("network_v1.xml"), &file("network.shp")]);
    assert_eq!(code(&wrong), 2);
    assert!(err(&wrong).contains("a file that ends in .shp cannot be made"), "{}", err(&wrong));
    let nowhere = throng(&["convert", &file("network_v1.xml"), &file("no/such/folder.xml")]);
    assert_eq!(code(&nowhere), 3, "{}", err(&nowhere));
}

/// The same options give the same city on another computer, even with another operating system.
#[test]
fn a_seed_that_no_config_can_hold_is_refused_before_anything_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("city");
    let output = throng(&["generate", "city", "--seed", "9223372036854775808", "--out", &out.display().to_string()]);
    assert_eq!(code(&output), 2);
    for part in ["generate city: seed = 9223372036854775808 is not possible", "give 0 to 9,223,372,036,854,775,807"] {
        assert!(err(&output).contains(part), "{}", err(&output));
    }
    assert!(!out.exists());
}

#[test]
#[cfg(unix)]
fn a_pipe_as_input_is_named_as_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    assert!(Command::new("mkfifo").arg(file("plans")).status().unwrap().success());
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

#[test]
fn the_example_city_is_what_generate_makes() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let args = ["generate", "city", "--persons", "3000", "--links", "1500", "--out", &file("city"), "-q"];
    assert_eq!(code(&throng(&args)), 0);
    for name in ["config.xml", "city.svg"] {
        assert!(std::fs::read(example(name)).unwrap() == std::fs::read(file("city/") + name).unwrap(), "{name}");
    }
    // Compressed bytes depend on the compression library.
    for name in ["network.xml", "plans.xml"] {
        let plain = |packed: String, to: String| {
            assert_eq!(code(&throng(&["convert", &packed, &to])), 0);
            std::fs::read(to).unwrap()
        };
        let packed = format!("{name}.gz");
        let kept = plain(example(&packed), file(&format!("kept_{name}")));
        assert!(kept == plain(file("city/") + &packed, file(&format!("made_{name}"))), "{name}");
    }
}

#[test]
fn the_paper_of_strippgen_and_nagel_is_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let out_folder = |name: &str| folder.path().join(name).display().to_string();
    let reproduce = |name: &str, more: &[&str]| {
        let out = out_folder(name);
        let all = ["reproduce", "strippgen", "--quick", "--threads", "2", "--out", &out].into_iter();
        throng(&all.chain(more.iter().copied()).collect::<Vec<_>>())
    };
    let mut devices = vec!["cpu".to_owned()];
    let all = throng_device::inventory();
    for missing in &all.missing {
        skip_backend(missing.backend.name(), &missing.reason);
    }
    devices.extend(all.devices.iter().map(|device| device.id.to_string()));
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
        // Two samples: 8 programs and the calendar, 8 programs on a device, 3 ways to run the full model.
        assert_eq!((rows("published;"), rows("cpu;"), rows("full model")), (12, 18, 6));
        assert_eq!(rows("device;"), if device == "cpu" { 0 } else { 16 });
        assert!(file("strippgen.svg").contains(">1 CPU thread</text>"));
    }
    let example = example("");
    let scenario = reproduce("scenario", &[&example, "--device", "cpu", "--samples", "100", "--from", "06:00", "-q"]);
    assert_eq!((code(&scenario), out(&scenario).as_str()), (0, ""), "{}", err(&scenario));
    for (more, exit, part) in [
        (vec!["--device", "abacus"], 2, "\"abacus\" is not a device"),
        (vec!["--samples", "101"], 2, "--samples: 101 % is not a sample"),
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
fn the_paper_of_vigueras_is_measured_on_the_cpu_too() {
    let folder = tempfile::tempdir().unwrap();
    let out_folder = folder.path().join("checks").display().to_string();
    let reproduce = |more: &[&str]| {
        let small = ["--quick", "--density-agents", "200", "--areas", "0.2", "--moves", "2", "--threads", "2"];
        let all = ["reproduce", "vigueras", "--device", "cpu", "--out", &out_folder].into_iter().chain(small);
        throng(&all.chain(more.iter().copied()).collect::<Vec<_>>())
    };
    let output = reproduce(&["--agents", "300", "--steps", "1"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    for part in ["machine  ", "| 300 | sequential rule, CPU | ", "| four steps, full walk |", "| 0.2 | 1 | "] {
        assert!(out(&output).contains(part), "{part}: {}", out(&output));
    }
    let lines = |name: &str| std::fs::read_to_string(folder.path().join("checks").join(name)).unwrap().lines().count();
    assert_eq!((lines("vigueras.csv"), lines("vigueras_overlaps.csv")), (1 + 2, 1 + 6));
    assert!(lines("vigueras.md") > 10);
    let output = reproduce(&["--agents", "300", "--steps", "99"]);
    assert!(code(&output) == 2 && err(&output).contains("--steps: "), "{}", err(&output));
}

#[test]
fn the_paper_of_yu_is_measured_on_the_cpu_too() {
    let folder = tempfile::tempdir().unwrap();
    let out_folder = folder.path().join("fields").display().to_string();
    let reproduce = |more: &[&str]| {
        let small = ["--quick", "--sizes", "20", "--flows", "2", "--ticks", "5", "--threads", "2"];
        let all = ["reproduce", "yu", "--device", "cpu", "--out", &out_folder].into_iter().chain(small);
        throng(&all.chain(more.iter().copied()).collect::<Vec<_>>())
    };
    let output = reproduce(&["--densities", "0.4"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    for part in
        ["machine  ", "| all | Throng, CPU | ", "| 77 x 77 | 808 | 868 | ", "| exact45 | 19 of 36 | 20 | 0 of 6 |"]
    {
        assert!(out(&output).contains(part), "{part}: {}", out(&output));
    }
    let lines = |name: &str| std::fs::read_to_string(folder.path().join("fields").join(name)).unwrap().lines().count();
    assert_eq!((lines("yu.csv"), lines("yu_memory.csv"), lines("yu_bi_throng_cpu.svg")), (1 + 2, 1 + 6, 1));
    assert!(lines("yu.md") > 30);
    let output = reproduce(&["--sums", "5"]);
    assert!(code(&output) == 2 && err(&output).contains("--sums: 5"), "{}", err(&output));
}

#[test]
fn the_thesis_of_elmir_is_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let published = "radius,cpu_naive_ms,cpu_mem_ms,gpu_naive_ms,gpu_coalesced_ms,gpu_shared_ms,resolution,entities\n";
    std::fs::write(path("tables.csv"), format!("{published}4,59.47,0.96,0.84,0.31,0.21,64,30\n")).unwrap();
    std::fs::write(path("wrong.csv"), format!("{published}4,-1,0.96,0.84,0.31,0.21,64,30\n")).unwrap();
    let reproduce = |name: &str, more: &[&str]| {
        let out = path(name);
        let case = ["--radii", "4", "--resolutions", "64", "--entities", "30", "--repeat", "2", "--threads", "2"];
        let all = ["reproduce", "elmir", "--out", &out].into_iter().chain(case);
        throng(&all.chain(more.iter().copied()).collect::<Vec<_>>())
    };
    let output = reproduce("cpu", &["--device", "cpu", "--published", &path("tables.csv")]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let text = out(&output);
    for part in [
        "machine  ",
        "CPU memory copy, 1 thread, 2013",
        "0.9600",
        "copy by rows / ours, 2 threads each",
        "never slower",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let file = |name: &str| std::fs::read_to_string(folder.path().join("cpu").join(name)).unwrap();
    assert_eq!(file("elmir.csv").lines().count(), 1 + 6);
    assert!(file("elmir_r4.svg").contains("ours, 2 threads"));
    for (more, exit, part) in [
        (vec!["--device", "abacus"], 2, "\"abacus\" is not a device"),
        (vec!["--device", "cpu", "--radii", "-1"], 2, "-1"),
        (vec!["--device", "cpu", "--radii", "0"], 2, "radius: 0"),
        (vec!["--device", "cpu", "--published", "nowhere.csv"], 2, "nowhere.csv"),
        (vec!["--device", "cpu", "--published", &path("wrong.csv")], 2, "wrong.csv: line 2, cpu_naive_ms: -1"),
    ] {
        let output = reproduce("wrong", &more);
        assert_eq!(code(&output), exit, "{more:?}: {}", err(&output));
        assert!(err(&output).contains(part), "{more:?}: {}", err(&output));
        assert!(!folder.path().join("wrong").join("elmir.csv").exists());
    }
}

/// The shell limits the size of files, which looks like a full disk to the process.
#[cfg(unix)]
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

#[test]
fn a_scenario_cache_gives_the_same_states_and_is_refused_with_other_settings() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let city = path("city");
    let made = throng(&["generate", "city", "--persons", "300", "--links", "400", "--out", &city]);
    assert_eq!(code(&made), 0, "{}", err(&made));
    let config = path("city/config.xml");
    let converted = path("again.throng");
    let output = throng(&["convert", &config, &converted]);
    assert_eq!(
        (code(&output), out(&output).starts_with("scenario cache: 300 persons, ")),
        (0, true),
        "{}",
        err(&output)
    );

    let cache = format!("throng.scenarioCache={converted}");
    let run = |scenario: &str, name: &str, more: &[&str]| {
        let out = path(name);
        let args = ["run", scenario, "--hash-every", "600", "--set", "throng.analysis=false", "--out", &out];
        throng(&[&args[..], more].concat())
    };
    assert_eq!(code(&run(&config, "xml", &[])), 0);
    for (scenario, name, more) in [(&city, "folder", &[][..]), (&config, "convert", &["--set", &cache])] {
        let output = run(scenario, name, more);
        assert_eq!(code(&output), 0, "{}", err(&output));
        let compared = throng(&["compare", &path("xml"), &path(name)]);
        assert_eq!(code(&compared), 0, "{}", out(&compared));
        let logs = ["xml", name].map(|name| std::fs::read(path(&format!("{name}/state_hashes.txt"))).unwrap());
        assert!(logs[0] == logs[1] && logs[0].len() > 500);
    }
    // The config allows it for its own output folder, not for any other.
    let again = run(&city, "folder", &[]);
    assert!(code(&again) == 2 && err(&again).contains("allow it with"), "{}", err(&again));
    let again = run(&city, "folder", &["--overwrite"]);
    assert!(code(&again) == 0 && err(&again).contains("folder will be replaced"), "{}", err(&again));
    // The cache alone, with default settings.
    let alone = run(&converted, "alone", &[]);
    assert!(code(&alone) == 0 && out(&alone).contains("0 agents stuck"), "{}{}", out(&alone), err(&alone));
    let refused = run(&city, "other", &["--set", "throng.compat=13"]);
    assert_eq!(code(&refused), 2);
    assert!(err(&refused).contains("was made with throng.compat \"2024\", this run has \"13\""), "{}", err(&refused));

    let (compat, other) = ("throng.compat=13", path("compat.throng"));
    assert_eq!(code(&throng(&["convert", &config, &other, "--set", compat])), 0);
    let other = format!("throng.scenarioCache={other}");
    let output = run(&config, "compat", &["--set", compat, "--set", &other]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let refused = throng(&["convert", &path("city/network.xml.gz"), &path("n.xml"), "--set", compat]);
    assert!(code(&refused) == 2 && err(&refused).contains("--set: only a scenario cache"), "{}", err(&refused));

    let only = path("only");
    let made = throng(&["generate", "city", "--persons", "300", "--links", "400", "--cache-only", "--out", &only]);
    assert_eq!(code(&made), 0, "{}", err(&made));
    assert!(!Path::new(&path("only/plans.xml.gz")).exists());
    assert_eq!(code(&run(&only, "from_only", &[])), 0);
    let logs = ["xml", "from_only"].map(|name| std::fs::read(path(&format!("{name}/state_hashes.txt"))).unwrap());
    assert!(logs[0] == logs[1]);
}

#[test]
fn the_example_of_fields_runs_from_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let out_folder = folder.path().join("out");
    let scenario = repository().join("examples/fields").display().to_string();
    let scenario = scenario.as_str();
    let to = out_folder.display().to_string();
    let few = ["run", scenario, "--steps", "3", "--device", "cpu", "--out", &to];
    let output = throng(&[&few[..], &["--set", "agents.planners.count=7", "--hash-every", "1"]].concat());
    assert_eq!(code(&output), 0, "{}", err(&output));
    for part in [
        "simulated   3 steps",
        "agents      143: 127 walking, 0 arrived, 0 stuck, 16 waiting",
        "state hash  ",
        "report.html",
    ] {
        assert!(out(&output).contains(part), "{}", out(&output));
    }
    assert!(err(&output).contains("device: cpu, "), "{}", err(&output));
    assert!(out_folder.join("report.html").is_file() && out_folder.join("fields.png").is_file());

    let other = folder.path().join("other");
    let again = ["run", scenario, "--steps", "3", "--threads", "2", "--hash-every", "1", "-q", "--out"];
    let changed = ["--set", "agents.planners.count=7"];
    let output = throng(&[&again[..], &[&other.display().to_string()], &changed].concat());
    assert_eq!((code(&output), err(&output).as_str(), out(&output).as_str()), (0, "", ""));
    let hashes = [&out_folder, &other].map(|folder| folder.join("state_hashes.txt").display().to_string());
    let output = throng(&["compare", &hashes[0], &hashes[1]]);
    assert_eq!(code(&output), 0, "{}", out(&output));

    let output = throng(&["run", scenario, "--set", "run.stpes=3", "--out", &to]);
    assert_eq!(code(&output), 2);
    assert!(
        err(&output).contains("--set run.stpes=3: run: unknown key \"stpes\"\n    did you mean \"steps\"?"),
        "{}",
        err(&output)
    );
    let output = throng(&["run", scenario, "--network", "a.xml", "--link-volumes"]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("--network: the scenario is one of fields"), "{}", err(&output));
    let output = throng(&["config", "--effective", scenario]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert!(out(&output).contains("title = \"Settlers and raiders\""), "{}", out(&output));
}

#[test]
fn fields_have_a_template_a_list_of_keys_and_a_scenario_in_force() {
    let folder = tempfile::tempdir().unwrap();
    let template = throng(&["config", "--default", "--model", "fields"]);
    assert_eq!(code(&template), 0, "{}", err(&template));
    let file = folder.path().join("scenario.toml");
    std::fs::write(&file, &template.stdout).unwrap();
    let file = file.to_str().unwrap();
    let changes = ["--set", "run.steps=5", "--seed", "9"];
    let effective = throng(&[&["config", "--effective", file], &changes[..]].concat());
    assert_eq!(code(&effective), 0, "{}", err(&effective));
    // Two defaults among them.
    for part in ["\nsteps = 5\n", "seed = 9\n", "[profiles.far]\n", "\nbits = 16\n", "\n[flow]\n"] {
        assert!(out(&effective).contains(part), "{part}: {}", out(&effective));
    }
    for model in [&["--model", "fields"][..], &["fields"], &[file]] {
        let schema = throng(&[&["config", "--schema"], model].concat());
        assert!(code(&schema) == 0 && out(&schema).contains("  run.steps\n"), "{model:?}: {}", out(&schema));
    }
    let misspelt = throng(&["config", "--schema", "feilds"]);
    assert!(code(&misspelt) == 2 && err(&misspelt).contains("did you mean \"fields\"?"), "{}", err(&misspelt));
    let both = throng(&["config", "--schema", file, "--model", "fields"]);
    assert!(code(&both) == 2 && err(&both).contains("leave one of them out"), "{}", err(&both));
    let named_twice = throng(&["config", "--effective", file, "--model", "fields"]);
    assert_eq!(code(&named_twice), 2, "a scenario names its model");

    let results = folder.path().join("out");
    let run = |more: &[&str]| {
        let results = results.to_str().unwrap();
        throng(&[&["run", file, "--device", "cpu", "--out", results, "--overwrite", "--steps", "4"], more].concat())
    };
    let timed = run(&["--timing"]);
    assert_eq!(code(&timed), 0, "{}", err(&timed));
    for phase in ["  loading\n", "  computing fields and paths\n", "  walking\n", "  drawing\n", "  measuring, writing"]
    {
        assert!(out(&timed).contains(phase), "{phase}: {}", out(&timed));
    }
    for threads in ["0", "1025"] {
        let refused = run(&["--threads", threads]);
        let expected = format!("--threads: {threads}\n    give a whole number from 1 to 1024, or leave it out");
        assert!(code(&refused) == 2 && err(&refused).contains(&expected), "{}", err(&refused));
    }
}
