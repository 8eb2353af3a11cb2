//! Tries extreme values for every key of every model, taken from the schema that `throng config` prints.
//!
//! A run must either succeed or reject the value with location and remedy. It must end, stay within its memory, and
//! leave nothing half-written.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use throng_testing::{amount, program, repository};

use crate::common::{out, throng};

/// One scenario per model, containing the model's tables and lists, with changes that make it small.
const SCENARIOS: [(&str, &str, &[&str]); 8] = [
    ("traffic", "bottleneck", &[]),
    ("fields", "fields", &[]),
    (
        "collision",
        "collision",
        &["discs=200", "width_m=30", "height_m=30", "gate_walls_every_m=15", "walls_m=[[[1, 1], [3, 3]]]"],
    ),
    ("social-field", "evacuation", &[]),
    ("social-field", "crossing", &[]),
    ("kalah", "kalah", &["openings=2"]),
    ("societies", "societies/barter.toml", &[]),
    ("render", "spheres", &["width=32", "height=24"]),
];

/// Numbers in TOML syntax.
const NUMBERS: [&str; 18] = [
    "-0.0",
    "nan",
    "inf",
    "-inf",
    "5e-324",
    "-5e-324",
    "1e-308",
    "-1",
    "0",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "-1e308",
];
/// Digits of a number too long for any type.
const DIGITS: usize = 309;
/// A string that turns a terminal red and rings its bell.
const RED: &str = r#""\u001b[31mRED\u0007""#;

/// Maximum address space of a run in KiB. The examples need a fifth of it.
const MEMORY_KB: u32 = 6_000_000;
/// Maximum duration of a run; a longer one counts as endless.
const PATIENCE: Duration = Duration::from_mins(3);
/// Maximum length of a line of a message, in bytes.
const MAX_LINE_BYTES: usize = 1000;

/// A scenario with one changed value.
struct Case {
    scenario: PathBuf,
    changes: Vec<String>,
    change: String,
}

#[test]
fn edge_values_are_accepted_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut texts = vec![RED.to_owned(), format!("\"{}\"", "x".repeat(250)), "\"\"".to_owned()];
    texts.extend(["/", ".."].map(|folder| format!("\"{folder}\"")));
    texts.extend(["/dev/zero", pipe.to_str().unwrap()].map(|file| format!("\"{file}\"")));
    let numbers: Vec<String> = NUMBERS.map(str::to_owned).into_iter().chain([format!("{:9<DIGITS$}", "")]).collect();

    let catalogue = throng::catalogue();
    let names: Vec<&str> = catalogue.models.iter().map(|model| model.name()).collect();
    assert!(names.iter().all(|name| SCENARIOS.iter().any(|(model, ..)| model == name)), "all of {names:?}");
    let mut cases = Vec::new();
    for (model, example, changes) in SCENARIOS {
        let schema = out(&throng(&["config", "--schema", "--model", model]));
        // With another output folder, the test would not find the results.
        let is_folder = |key: &str| key.ends_with("folder") || key.ends_with("outputDirectory");
        for (key, kind) in keys(&schema).into_iter().filter(|(key, _)| !is_folder(key)) {
            let key = key.replace(".N.", ".1.").replace(".NAME.", ".edge.");
            for value in values(&kind, &numbers, &texts) {
                let scenario = repository().join("examples").join(example);
                let changes = changes.iter().map(|&change| change.to_owned()).collect();
                cases.push(Case { scenario, changes, change: format!("{key}={value}") });
            }
        }
    }
    assert!(cases.len() > 4000, "{} cases", cases.len());

    // Coprime to the 19 numbers and 7 texts of a key, so that other values are tried for the next one.
    let step = amount(20, 3) as usize;
    let (next, cases, folder) = (AtomicUsize::new(0), &cases, folder.path());
    let faults = |worker: usize| {
        let mut faults = Vec::new();
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed) * step) {
            let fault = case.fault(&folder.join(format!("run{worker}")));
            faults.extend(fault.map(|fault| format!("{} {}: {fault}", case.scenario.display(), case.change)));
        }
        faults
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let faults: Vec<String> = thread::scope(|scope| {
        let started: Vec<_> = (0..workers).map(|worker| scope.spawn(move || faults(worker))).collect();
        started.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

impl Case {
    /// Runs the case and returns its fault, if any.
    fn fault(&self, folder: &Path) -> Option<String> {
        let (results, stdout, stderr) = (folder.join("results"), folder.join("stdout"), folder.join("stderr"));
        let _ = fs::remove_dir_all(folder);
        fs::create_dir(folder).unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", &format!("ulimit -v {MEMORY_KB}; exec \"$0\" \"$@\"")]);
        command.arg(program(env!("CARGO_BIN_EXE_throng"))).arg("run").arg(&self.scenario);
        command.args(["--device", "cpu", "--threads", "1", "--steps", "1", "--out"]).arg(&results);
        for change in self.changes.iter().chain([&self.change]) {
            command.arg("--set").arg(change);
        }
        command.stdin(Stdio::null()).stdout(File::create(&stdout).unwrap()).stderr(File::create(&stderr).unwrap());
        let Some(status) = ended(&mut command.spawn().unwrap()) else { return Some("never ends".to_owned()) };
        // `None` after a signal.
        let code = status.code();

        let [stdout, stderr] = [stdout, stderr].map(|file| String::from_utf8(fs::read(file).unwrap()).unwrap());
        let lines = || stdout.lines().chain(stderr.lines());
        if lines().any(|line| line.chars().any(char::is_control)) {
            return Some(format!("prints control characters: {stdout:?} {stderr:?}"));
        }
        if let Some(line) = lines().find(|line| line.len() > MAX_LINE_BYTES) {
            return Some(format!("prints a line of {} bytes: {}", line.len(), &line[..100]));
        }
        let left: Vec<String> = fs::read_dir(&results).into_iter().flatten().map(file_name).collect();
        let is_complete = left.iter().any(|name| name.ends_with("manifest.json"));
        if is_complete != (code == Some(0)) || left.iter().any(|name| name.contains(".partial")) {
            return Some(format!("ends with code {code:?}, and leaves {left:?}: {stderr}"));
        }
        // Location and fault are on one line, the remedy on the next.
        let explains = || stderr.contains("error: ") && stderr.lines().any(|line| line.starts_with("    "));
        match code {
            Some(0) => None,
            Some(2 | 3) if explains() => None,
            code => Some(format!("ends with code {code:?}: {stderr}")),
        }
    }
}

/// Waits for a program and returns its exit status; `None` if it does not end in time.
fn ended(child: &mut Child) -> Option<ExitStatus> {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        if began.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            return None;
        }
        thread::sleep(Duration::from_millis(2));
    }
}

fn file_name(entry: std::io::Result<fs::DirEntry>) -> String {
    entry.unwrap().file_name().to_string_lossy().into_owned()
}

/// Returns the keys of a schema with their kinds.
fn keys(schema: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = schema.lines().collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let entries: Vec<_> = lines.windows(3).filter(|lines| indent(lines[0]) == 2 && indent(lines[2]) == 6).collect();
    let parts = |lines: &[&str]| {
        let key = lines[0].trim().split(' ').next().unwrap_or_default();
        (key.to_owned(), lines[2].trim().split(';').next().unwrap_or_default().to_owned())
    };
    entries.into_iter().map(parts).collect()
}

/// Returns the values to try for a key of a kind.
fn values(kind: &str, numbers: &[String], texts: &[String]) -> Vec<String> {
    let of = |forms: &[&str], values: &[String]| {
        let each = |value: &String| forms.iter().map(|form| form.replace('?', value)).collect::<Vec<_>>();
        values.iter().flat_map(each).collect()
    };
    match kind {
        kind if kind.starts_with("two numbers") => of(&["[?, 1]", "[1, ?]"], numbers),
        kind if kind.starts_with("two texts") => of(&["[?, \"b\"]", "[\"a\", ?]"], texts),
        kind if kind.starts_with("three numbers") => of(&["[?, 1, 1]"], numbers),
        "a list; each entry is a list; each entry is a number" => of(&["[[1, ?]]"], numbers),
        kind if kind.starts_with("a list; each entry is two numbers") => of(&["[[?, 1]]", "[[0, ?]]"], numbers),
        kind if kind.starts_with("a list; each entry is a") && kind.contains("number") => {
            of(&["[?]", "[1, ?, 1]"], numbers)
        }
        "a list; each entry is a text" => of(&["[?]"], texts),
        "a text" => of(&["?"], texts),
        kind if kind.starts_with("a file name") => texts.iter().map(|text| text.trim_matches('"').to_owned()).collect(),
        kind if ["number", "duration", "time of day"].iter().any(|word| kind.contains(word)) => of(&["?"], numbers),
        _ => Vec::new(),
    }
}
