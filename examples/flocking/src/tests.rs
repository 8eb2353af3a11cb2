//! All executors compute the same results, and the model satisfies its verification cases.

use throng::core::thread_pool;
use throng::device::angles::CIRCLE;
use throng::device::{Executor, inventory};
use throng::model::step_model::{State as _, last_state};
use throng::model::{Model as _, RunRequest, ScenarioRequest, StepModel as _};

use crate::model::Flocking;
use crate::rules::PATCH;
use crate::scenario::Scenario;
use crate::verification::CASES;

fn hashes(on: &Executor, scenario: &Scenario) -> Vec<u64> {
    let mut flock = Flocking::executor(on, scenario, scenario.start()).unwrap();
    let mut hashes = vec![flock.state().unwrap().hash()];
    for _ in 0..scenario.ticks {
        flock.step().unwrap();
        hashes.push(flock.state().unwrap().hash());
    }
    hashes
}

#[test]
fn threads_and_devices_agree_in_every_tick() {
    let usual = Scenario { ticks: 60, ..Scenario::default() };
    let crowded = Scenario { ticks: 20, population: 500, size: 12, seed: 7, ..usual.clone() };
    for scenario in [usual, crowded] {
        let on_cpu = |threads| thread_pool(threads).unwrap().install(|| hashes(&Executor::cpu(), &scenario));
        let expected = on_cpu(1);
        assert_eq!((expected.len(), on_cpu(3)), (scenario.ticks as usize + 1, expected.clone()));
        for device in inventory().devices {
            let on = Executor::from(device.open().unwrap());
            assert_eq!(hashes(&on, &scenario), expected, "{}", on.label());
        }
    }
    // Skips are counted as in Throng's own tests.
    for missing in inventory().missing {
        throng_testing::skip_backend(missing.backend.name(), missing.reason);
    }
}

#[test]
fn all_verification_cases_hold() {
    for case in CASES {
        let finding = (case.check)(&Executor::cpu()).unwrap();
        assert!(finding.holds, "{}: {finding:?}", case.name);
    }
}

#[test]
fn a_run_leaves_table_animation_hashes_and_report() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("scenario.toml");
    std::fs::write(&file, Flocking.template()).unwrap();
    let out = dir.path().join("out");
    let request = ScenarioRequest {
        file: Some(file.into()),
        out: Some(out.clone()),
        seed: Some(7),
        ..ScenarioRequest::default()
    };
    let scenario = Flocking.scenario(&request).unwrap();
    assert!(scenario.effective().unwrap().contains("seed = 7\n"));
    let request = RunRequest { steps: Some(40), hash_every: 10, ..RunRequest::default() };
    let done = scenario.run(&request, &throng::core::NoProgress).unwrap();
    let names: Vec<&str> = done.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["flocking.png", "measures.csv", "state_hashes.txt", "report.html", "manifest.json"]);
    let read = |name: &str| std::fs::read_to_string(out.join(name)).unwrap();
    assert_eq!(read("state_hashes.txt").lines().count(), 6);
    assert_eq!(read("measures.csv").lines().count(), 10, "a header line, and every fifth tick from 0 to 40");
}

/// After 30 ticks a single bird is 30 patches away, up to an error of two units per tick from rounding sine and step.
#[test]
fn a_single_bird_flies_straight() {
    let scenario = Scenario { ticks: 30, ..Scenario::default() };
    let middle = scenario.size as i32 * PATCH / 2;
    for heading in (0..CIRCLE).step_by(997) {
        let [xs, ys, headings] =
            last_state::<Flocking>(&Executor::cpu(), &scenario, [vec![middle], vec![middle], vec![heading]]).unwrap();
        let angle = f64::from(heading) / f64::from(CIRCLE) * std::f64::consts::TAU;
        for (at, part) in [(xs[0], libm::cos(angle)), (ys[0], libm::sin(angle))] {
            assert!((f64::from(at - middle) - 30.0 * part * f64::from(PATCH)).abs() <= 60.0, "{heading}: {at}");
        }
        assert_eq!(headings, [heading]);
    }
}

#[test]
fn invalid_scenarios_are_refused() {
    let wrong = Scenario { vision: f64::NAN, speed: -1.0, size: 0, ..Scenario::default() };
    let error = wrong.prepare().unwrap_err().to_string();
    assert!(error.contains("vision: NaN") && error.contains("speed: -1"), "{error}");
    let problem = |scenario: Scenario| scenario.prepare().unwrap_err().to_string();
    let no_world = problem(Scenario { size: 0, ..Scenario::default() });
    assert_eq!(no_world, "size: 0\n    give a number from 1 to 20000");
    let round = problem(Scenario { max_align_turn: 450.0, ..Scenario::default() });
    assert_eq!(round, "max_align_turn: 450\n    give a number from 0 to 180");
}

#[test]
fn the_example_is_the_default() {
    let example = std::fs::read_to_string(throng_testing::repository().join("examples/flocking/scenario.toml"));
    assert_eq!(example.unwrap(), Flocking.template());
}

#[test]
fn the_chapter_of_the_book_shows_this_code() {
    let read = |path: &str| std::fs::read_to_string(throng_testing::repository().join(path)).unwrap();
    let of = |name: &str| read(&format!("examples/flocking/src/{name}.rs"));
    let model = ["film", "main", "model", "rules", "scenario", "verification"].map(of).concat();
    let is_code = |line: &str| !line.is_empty() && !line.starts_with("//");
    let lines = model.lines().filter(|line| is_code(line.trim())).count();
    assert!(lines < 240, "the chapter promises fewer than 240 lines, but there are {lines}");
    let code = model + &of("tests") + &read("examples/epidemic/src/main.rs");
    let code: Vec<&str> = code.lines().map(str::trim).collect();
    let chapter = read("docs/src/write-a-model.md");
    let shown = chapter.split("```rust\n").skip(1).flat_map(|block| block.split("```").next().unwrap_or("").lines());
    let shown: Vec<&str> = shown.map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("// ")).collect();
    let strange: Vec<_> = shown.iter().filter(|line| !code.contains(line)).collect();
    assert!(strange.is_empty() && shown.len() > 100, "{strange:?} {}", shown.len());
}
