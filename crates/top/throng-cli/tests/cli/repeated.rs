//! Repeats runs using only their manifest.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use throng_testing::{program, repository};

use super::{code, err, out, throng};

/// Every example, with changes to some of its settings.
const EXAMPLES: [(&str, &[&str]); 11] = [
    ("bottleneck", &["qsim.stuckTime=20"]),
    ("city", &[]),
    ("collision", &["discs=500", "width_m=40", "height_m=40", "gate_walls_every_m=20", "walls_m=[[[1, 1], [3, 3]]]"]),
    ("crossing", &["entries.1.exits=[\"north\", \"east\"]"]),
    ("discs", &[]),
    ("evacuation", &["rooms.2.name=\"12\"", "groups.1.walk_periods=[1, 2]"]),
    ("fields", &["goals.home.radius=4", "entities.home.layers=[\"danger\", \"bases\"]"]),
    ("kalah", &["players=[\"greedy\", \"minimax:2\"]", "openings=2"]),
    ("societies/barter.toml", &["days=3", "removals=[{day=1, resource=2}, {day=2, agent=1}]"]),
    ("spheres", &["width=64", "height=48"]),
    ("warehouse", &[]),
];

#[test]
fn every_example_is_reproduced_from_its_manifest_alone() {
    let folder = tempfile::tempdir().unwrap();
    for (example, changes) in EXAMPLES {
        let [first, second, third] = ["first", "second", "third"].map(|name| folder.path().join(name));
        let scenario = format!("examples/{example}");
        let mut args = vec!["run", &scenario, "--steps", "20", "--seed", "5", "--hash-every", "1", "--device", "cpu"];
        args.extend(["--overwrite", "-q", "--out", first.to_str().unwrap()]);
        args.extend(changes.iter().flat_map(|change| ["--set", change]));
        succeeds(&args, &repository());
        let (manifest, hashes) = (manifest_of(&first), hashes_of(&first));
        assert!(hashes.lines().count() > 1, "{example}: {hashes}");

        let file = Path::new(text(&manifest["scenario_file"]["file"]));
        assert_eq!(manifest["scenario_file"]["bytes"], file.metadata().unwrap().len(), "{example}");
        let digits = text(&manifest["scenario_file"]["sha256"]);
        assert!(digits.len() == 64 && file.is_absolute() && file.starts_with(repository().canonicalize().unwrap()));

        // Run the command unchanged.
        let command = text(&manifest["command"]);
        let again = Command::new("sh").args(["-c", command]).current_dir(text(&manifest["folder_of_command"])).output();
        let again = again.unwrap();
        assert_eq!(code(&again), 0, "{command}: {}", err(&again));
        assert_eq!(hashes_of(&first), hashes, "{command}");

        // All settings, which include the folder of the first run, with another folder.
        let pairs = |key: &str| manifest[key].as_object().unwrap().iter().map(|(key, value)| (key, text(value)));
        let settings: Vec<String> = pairs("settings").map(|(key, value)| format!("{key}={value}")).collect();
        let mut args = vec!["run", file.to_str().unwrap(), "--device", "cpu", "--overwrite", "-q", "--out"];
        args.push(second.to_str().unwrap());
        args.extend(settings.iter().flat_map(|setting| ["--set", setting]));
        let options: Vec<_> = pairs("options").map(|(key, value)| format!("--{key}={value}")).collect();
        args.extend(options.iter().map(String::as_str));
        // The permission to replace files applies only to the first run.
        std::fs::create_dir_all(&third).unwrap();
        std::fs::write(third.join("mine.txt"), "mine").unwrap();
        let elsewhere: Vec<&str> = args.iter().copied().filter(|arg| *arg != "--overwrite").collect();
        let elsewhere = elsewhere
            .into_iter()
            .map(|arg| if arg == second.to_str().unwrap() { third.to_str().unwrap() } else { arg });
        let refused = throng(&elsewhere.collect::<Vec<_>>());
        assert!(code(&refused) == 2 && err(&refused).contains("is not empty"), "{example}: {}", err(&refused));
        succeeds(&args, folder.path());
        assert_eq!(hashes_of(&second), hashes, "{example}");
        assert_eq!(changed(&manifest_of(&second)["settings"], &manifest["settings"]), 1, "{example}: only the folder");
    }
}

/// Counts the settings that differ.
fn changed(a: &Value, b: &Value) -> usize {
    let (a, b) = (a.as_object().unwrap(), b.as_object().unwrap());
    assert_eq!(a.len(), b.len());
    a.iter().filter(|(key, value)| b.get(*key) != Some(value)).count()
}

fn succeeds(args: &[&str], folder: &Path) {
    let mut throng = Command::new(program(env!("CARGO_BIN_EXE_throng")));
    let output = throng.args(args).current_dir(folder).output().expect("the binary was built for this test");
    assert_eq!(code(&output), 0, "{args:?}: {}{}", out(&output), err(&output));
}

fn manifest_of(run: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(named(run, "manifest.json")).unwrap()).unwrap()
}

fn hashes_of(run: &Path) -> String {
    std::fs::read_to_string(named(run, "state_hashes.txt")).unwrap()
}

/// Returns a file of a run, whose name may have an id as a prefix.
fn named(run: &Path, ending: &str) -> PathBuf {
    let mut files = run.read_dir().unwrap().map(|entry| entry.unwrap().path());
    let found = files.find(|file| file.to_str().unwrap().ends_with(ending));
    found.unwrap_or_else(|| panic!("{} has no {ending}", run.display()))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is not a string"))
}
