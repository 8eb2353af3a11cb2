//! Scenarios from outside the project, with their expected results.

use throng_core::{Change, NoProgress};
use throng_device::DeviceChoice;
use throng_model::{Done, Model as _, RunRequest, ScenarioRequest};
use throng_testing::outside_cases;

use super::SocialFieldModel;

/// A run of a case on the CPU, with changes such as `ticks=9`.
struct Case {
    name: &'static str,
    warnings: Vec<String>,
    done: Done<()>,
}

impl Case {
    /// Runs a case; `None`, with a skip message, if the cases are not available.
    fn run(name: &'static str, changes: &[&str]) -> Option<Self> {
        Self::tried(name, changes, false).map(|case| case.unwrap_or_else(|message| panic!("{name}: {message}")))
    }

    /// Runs a case, or returns the reason for its rejection; `without_files` as in sweeps.
    fn tried(name: &'static str, changes: &[&str], without_files: bool) -> Option<Result<Self, String>> {
        let file = outside_cases("crowd_cases", &format!("{name}/scenario.toml"))?;
        let dir = tempfile::tempdir().unwrap();
        let request = ScenarioRequest {
            file: Some(file.into()),
            out: Some(dir.path().join("out")),
            changes: changes.iter().copied().chain(["trajectories=false"]).map(Change::typed).collect(),
            ..ScenarioRequest::default()
        };
        let request_of_run = RunRequest { device: DeviceChoice::Cpu, without_files, ..RunRequest::default() };
        let case = SocialFieldModel.scenario(&request).and_then(|scenario| {
            let warnings = scenario.warnings().lines().collect();
            Ok(Self { name, warnings, done: scenario.run(&request_of_run, &NoProgress)? })
        });
        Some(case.map_err(|failure| failure.to_string()))
    }

    /// Returns the first line of the summary with this name.
    fn line(&self, name: &str) -> Option<&str> {
        self.done.lines.iter().find(|(of, _)| *of == name).map(|(_, line)| line.as_str())
    }

    fn figure(&self, name: &str) -> f64 {
        let figures = &self.done.measured.figures;
        let figure = figures.iter().find(|figure| figure.quantity.name == name);
        figure.unwrap_or_else(|| panic!("{}: no {name} in {figures:?}", self.name)).value
    }

    fn all_leave(&self, persons: u32) {
        assert_eq!(self.figure("left"), f64::from(persons), "{}: {:?}", self.name, self.line("not left"));
    }
}

/// Capacity in persons per metre and second: one person per 0.4 m and two steps of 0.3 s.
const CAPACITY: f64 = 1.0 / (0.4 * 2.0 * 0.3);

/// Checks the flow through an opening of 1.2 m, persons per metre and second.
fn is_at_capacity(case: &Case, figure: &str, min_flow: f64) {
    let flow = case.figure(figure) / 1.2;
    assert!((min_flow..=CAPACITY * 1.01).contains(&flow), "{}: {flow} of at most {CAPACITY}", case.name);
}

#[test]
fn finer_ticks_do_not_raise_the_flow_through_a_door() {
    for name in ["bottleneck_period2", "bottleneck_period10"] {
        let Some(case) = Case::run(name, &[]) else { return };
        case.all_leave(300);
        is_at_capacity(&case, "door_bottleneck_flow", 0.85 * CAPACITY);
    }
}

#[test]
fn an_exit_and_a_door_have_the_same_capacity() {
    let [Some(exit), Some(door)] = ["exit_direct", "fds943_door12"].map(|name| Case::run(name, &[])) else { return };
    exit.all_leave(100);
    door.all_leave(100);
    is_at_capacity(&exit, "exit_door_flow", 0.85 * CAPACITY);
    is_at_capacity(&door, "door_door_flow", 0.85 * CAPACITY);
    let Some(Ok(of_sweep)) = Case::tried("fds943_door12", &[], true) else { panic!("fds943_door12, without files") };
    assert_eq!(of_sweep.done.measured, door.done.measured);
    let line = exit.line("exit").unwrap();
    assert!(line.contains("per metre, above the 1.2 to 1.9 in experiments)"), "{line}");
    assert!(exit.line("calibration").unwrap().contains("1.2 to 1.9 persons per metre and second in experiments"));
    // Space units of 0.7 m and ticks of 0.525 s: 1 / (0.7 * 2 * 0.525) = 1.36.
    let Some(large) = Case::run("bottleneck_su07", &[]) else { return };
    let line = large.line("door").unwrap();
    assert!(line.contains("(1.36 per metre) from") || line.contains("(1.35 per metre) from"), "{line}");
}

#[test]
fn even_entries_create_all_persons() {
    for (name, persons) in [("even_59", 60), ("sumo13491_spawn_full", 600)] {
        let Some(case) = Case::run(name, &[]) else { return };
        let all: f64 = ["inside", "waiting", "left"].map(|measure| case.figure(measure)).iter().sum();
        assert_eq!(all, f64::from(persons), "{name}");
    }
}

#[test]
fn single_persons_walk_at_the_speed_of_their_walk_period() {
    // 40 m at 1.33 m/s, within 5 %; and a diagonal of 56.6 m. The pedestrian enters after half a second.
    for (name, from_s, to_s) in [("rimea01", 28.5, 31.5), ("rimea01_diag_equal_fine", 41.0, 43.5)] {
        let Some(case) = Case::run(name, &[]) else { return };
        let took_s = case.figure("all_left") - 0.5;
        assert!((from_s..to_s).contains(&took_s), "{name}: {took_s} s");
        assert_eq!(case.warnings, [""; 0], "{name}");
    }
    let Some(case) = Case::run("rimea01_26deg_equal", &[]) else { return };
    let expected = "warning: equal_speeds has no effect on walk periods of 1 (the 1.41 ticks of a diagonal step are \
                    rounded to 1, so that it is 41 % too fast; for the same speed along an axis give tick_s = 0.06, 5 times \
                    the ticks and walk_periods, and exit_flow / 5)";
    assert_eq!(case.warnings, [expected]);
}

#[test]
fn opposite_flows_through_a_door_need_exchanges() {
    for (name, persons) in [("fds1042_counterflow_door", 80), ("jps1307_train", 90)] {
        let Some(blocked) = Case::run(name, &[]) else { return };
        let warned = blocked.done.warnings.lines().collect::<Vec<_>>();
        assert!(
            warned.iter().any(|line| line.ends_with("exchange_ticks = 2 lets such people exchange places)")),
            "{name}: {warned:?}"
        );
        let Some(flowing) = Case::run(name, &["exchange_ticks=2"]) else { return };
        flowing.all_leave(persons);
        assert_eq!(flowing.line("not left"), None);
    }
}

#[test]
fn large_weights_of_walls_cause_warnings() {
    for (name, is_too_much) in
        [("obstacle_weight_0.05", false), ("obstacle_weight_0.1", false), ("obstacle_weight_0.2", true)]
    {
        let Some(case) = Case::run(name, &[]) else { return };
        if is_too_much {
            let start =
                "warning: people may stop in front of doors and exits (obstacle_weight = 0.2: at 0.107 or more, walls";
            assert!(case.warnings[0].starts_with(start), "{:?}", case.warnings);
        } else {
            case.all_leave(150);
            assert_eq!(case.warnings, [""; 0], "{name}");
        }
    }
}

#[test]
fn people_leave_around_corners_and_from_separate_storeys() {
    for (name, persons) in
        [("rimea06_corner", 20), ("two_storeys", 100), ("fds1042_counterflow_5", 10), ("rimea05_premovement", 10)]
    {
        let Some(case) = Case::run(name, &[]) else { return };
        case.all_leave(persons);
    }
    let Some(refused) = Case::tried("jps303_overlap_sources", &[], false) else { return };
    let message = refused.err().unwrap_or_default();
    assert!(message.contains("entries \"in2\": overlaps with another opening, at [0, 2]"), "{message}");
}

/// Longer runs.
mod exhaustive {
    use super::*;

    #[test]
    fn everybody_leaves_in_the_end() {
        for (name, persons) in [
            ("jps193_u_trap", 150),
            ("jps292_closed_door", 200),
            ("jps832_door_closes", 400),
            ("fds1834_flipflop", 400),
            ("rimea07_speeds", 50),
            ("rimea12_w2", 150),
            ("bottleneck_long_w3", 300),
            ("bottleneck_w1", 300),
            ("bottleneck_w2", 300),
            ("bottleneck_w4", 300),
            ("bottleneck_w6", 300),
        ] {
            let Some(case) = Case::run(name, &[]) else { return };
            case.all_leave(persons);
        }
    }

    /// Twice as many exits halve the time, within 20 %.
    #[test]
    fn half_of_the_exits_take_twice_the_time() {
        let all_left = |name| Case::run(name, &[]).map(|case| case.figure("all_left"));
        let (Some(two), Some(four)) = (all_left("rimea09_2exits_w3"), all_left("rimea09_4exits_w3")) else { return };
        assert!((1.6..=2.4).contains(&(two / four)), "{two} s and {four} s");
    }

    #[test]
    fn farther_exits_are_used_only_with_exit_choice() {
        let far = |name| Case::run(name, &[]).map(|case| (case.figure("left"), case.figure("exit_far_flow")));
        let (Some(choice), Some(no_choice)) = (far("rimea11_choice"), far("rimea11_nochoice")) else { return };
        assert!(choice.0 == 1000.0 && choice.1 > 0.0 && no_choice.1.is_nan(), "{choice:?}, {no_choice:?}");
    }
}
