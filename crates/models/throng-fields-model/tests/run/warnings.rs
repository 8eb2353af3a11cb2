//! Scenarios that are valid but probably mistaken, and the defaults of output: warnings, hints, colours.

use tempfile::TempDir;
use throng_core::NoProgress;
use throng_device::DeviceChoice;
use throng_fields_model::{Change, FieldsRun, Results, Scenario, run};
use throng_model::{Done, RunRequest};

use super::saved;

/// Runs a scenario on the CPU.
fn done(dir: &TempDir, text: &str, changes: &[&str]) -> Done<Results> {
    let changes: Vec<Change> = changes.iter().map(|change| Change::typed(*change)).collect();
    let scenario = Scenario::read(&saved(dir, text), &changes).unwrap();
    let folder = Some(dir.path().join("out"));
    let request = RunRequest { device: DeviceChoice::Cpu, ..RunRequest::default() };
    run(FieldsRun { folder, overwrite: true, ..FieldsRun::new(scenario) }, &request, &NoProgress).unwrap()
}

/// The warnings of a run, as printed for users.
fn warnings_of(dir: &TempDir, text: &str, changes: &[&str]) -> String {
    done(dir, text, changes).warnings.lines().collect::<Vec<_>>().join("\n")
}

const CROWD: &str = "model = \"fields\"\n[grid]\nsize = [20, 20]\ncell = 0.5\nunit = \"m\"\n[run]\nsteps = 1\ntime_step = 0.25\n\
                     [[goals]]\nname = \"exit\"\nat = [18, 10]\nradius = 1\n[[agents]]\nname = \"crowd\"\ncount = 200\nspeed = 1\n\
                     start = { from = [2, 6], to = [5, 14] }\nfollow = \"flow\"\nradius = 0.4\n[output]\nframe_every = 0\n\
                     first_and_last = false\n";

#[test]
fn overlapping_start_bodies_cause_a_warning() {
    let dir = TempDir::new().unwrap();
    // 200 * 2 sqrt(3) * 0.4^2 and 3.8 * 8.8.
    let expected = "warning: the bodies of a group overlap at its start: give fewer agents, a smaller radius, a larger start, \
                    or let agents enter over time (spawn) (\"crowd\": 200 agents of radius 0.4 need at least 110.9 m^2, have \
                    33.4 m^2)";
    assert_eq!(warnings_of(&dir, CROWD, &[]), expected);
    // Agents that enter together need space together, but not with the others.
    let spawn = |count: u32| format!("agents.crowd.spawn={{ every = 0.25, from = 0, count = {count} }}");
    assert_eq!(warnings_of(&dir, CROWD, &["agents.crowd.count=0", &spawn(200)]), expected);
    for changes in [
        ["agents.crowd.count=20", &spawn(20)],
        ["agents.crowd.count=60", "seed=2"],
        ["agents.crowd.radius=0.2", "seed=2"],
        ["agents.crowd.radius=0", "seed=2"],
        ["agents.crowd.radius=2", "agents.crowd.count=1"],
    ] {
        assert_eq!(warnings_of(&dir, CROWD, &changes), "", "{changes:?}");
    }
}

#[test]
fn worths_that_no_group_considers_cause_a_warning() {
    let dir = TempDir::new().unwrap();
    let worth = ["agents.crowd.count=20", "goals.exit.worth=3"];
    let warning = warnings_of(&dir, CROWD, &worth);
    assert!(warning.ends_with("no group chooses it by its worth (planner = \"actions\") (\"exit\")"), "{warning}");
    let second =
        CROWD.replace("[[agents]]", "[[goals]]\nname = \"door\"\nat = [9, 2]\nradius = 1\nworth = 2\n[[agents]]");
    let expected = "warning: 2 goals have a worth, but no group chooses them by their worth (planner = \"actions\") (first: \
                    \"exit\")";
    assert_eq!(warnings_of(&dir, &second, &worth), expected);
    let value = ["agents.crowd.count=20", "goals.exit.value=field"];
    assert!(warnings_of(&dir, CROWD, &value).contains("a goal has a worth"));
    assert_eq!(warnings_of(&dir, CROWD, &[&worth[..], &["agents.crowd.planner=actions"]].concat()), "");
}

#[test]
fn formations_closer_than_the_spacing_of_agents_cause_a_warning() {
    let dir = TempDir::new().unwrap();
    let warning = |spacing: &str| {
        let formation = "agents.crowd.formation={ shape = \"box\", spacing = 2 }";
        warnings_of(&dir, CROWD, &["agents.crowd.count=9", formation, spacing])
    };
    assert!(warning("agents.crowd.spacing=2.5").ends_with("(\"crowd\": 2, spacing 2.5)"));
    assert_eq!(warning("agents.crowd.spacing=2"), "");
}

#[test]
fn teams_of_equal_colours_cause_a_warning() {
    let dir = TempDir::new().unwrap();
    let text = CROWD.replace("radius = 0.4", "team = \"red\"\ncolour = \"blue\"");
    let blue = "[[agents]]\nname = \"others\"\ncount = 2\nspeed = 1\nstart = { at = [9, 9], radius = 1 }\n\
                follow = \"flow\"\nteam = \"blue\"\n";
    let text = text.replace("[output]", &format!("{blue}[output]"));
    assert_eq!(warnings_of(&dir, &text, &[]), "");
    let expected = "warning: a team shares the colour of another: give its entities or groups a colour, or merge teams if there \
                    are more teams than colours (\"red\" and \"blue\" are blue)";
    assert_eq!(warnings_of(&dir, &text, &["agents.others.colour=blue"]), expected);
}

#[test]
fn layers_without_sources_cause_a_warning_with_a_remedy() {
    let dir = TempDir::new().unwrap();
    let text = |tables: &str, entity: &str| {
        format!(
            "model = \"fields\"\nlayers = [\"scent\", \"fire\"]\n{tables}\n[grid]\nsize = [9, 9]\ncell = 1\n[run]\n\
             steps = 1\ntime_step = 0.5\n{entity}"
        )
    };
    let both = "diffusion.scent = { diffusivity = 0.1 }\nsight.fire = {}";
    let expected = "warning: a layer of lines of sight has no viewer: give an entity or a group sees = { LAYER = STRENGTH } \
                    (\"fire\")\nwarning: nothing emits into a diffusing layer: give an entity or a group emits = { LAYER = \
                    RATE } (\"scent\")";
    assert_eq!(warnings_of(&dir, &text(both, ""), &[]), expected);
    let source = "[[entities]]\nat = [4.5, 4.5]\nemits = { scent = 1 }\nsees = { fire = 1 }\nrange = 3\n";
    assert_eq!(warnings_of(&dir, &text(both, source), &[]), "");
}

#[test]
fn fields_of_only_amounts_neither_repel_nor_attract() {
    let dir = TempDir::new().unwrap();
    let meaning = |changes: &[&str]| {
        let text = "model = \"fields\"\nlayers = [\"scent\", \"fire\", \"field\"]\n\
                    diffusion.scent = { diffusivity = 0.1 }\nsight.fire = {}\n[grid]\nsize = [9, 9]\ncell = 1\n\
                    [run]\nsteps = 1\ntime_step = 0.5\n[combinations.danger]\n\
                    steps = [{ operation = \"add\", layer = \"scent\" }, { operation = \"max\", layer = \"fire\" }]\n";
        let changes: Vec<Change> = changes.iter().map(|change| Change::typed(*change)).collect();
        Scenario::read(&saved(&dir, text), &changes).unwrap().output.meaning
    };
    assert_eq!(meaning(&[]), ["repels", "attracts"]);
    assert_eq!(meaning(&["output.layer=field"]), ["repels", "attracts"]);
    for amounts in ["scent", "fire", "danger"] {
        assert_eq!(meaning(&[&format!("output.layer={amounts}")]), ["", ""], "{amounts}");
    }
}

const ROBOT: &str = "model = \"fields\"\n[grid]\nsize = [30, 20]\ncell = 0.5\n[run]\nsteps = 1\ntime_step = 0.5\n\
                     [[walls]]\nshape = \"line\"\npoints = [[15, 2], [15, 12]]\n\
                     [nav2]\nrobot_radius = 1\ninflation_radius = 4\n[output]\nframe_every = 0\nfirst_and_last = false\n";

#[test]
fn footprints_override_radii_and_require_the_centre_inside() {
    let dir = TempDir::new().unwrap();
    let costs = || std::fs::read(dir.path().join("out/costmap.npy")).unwrap();
    let of = |changes: &[&str]| (warnings_of(&dir, ROBOT, changes), costs());
    let (warnings, round) = of(&["nav2.footprint=[]"]);
    assert_eq!((warnings.as_str(), of(&[]).1), ("", round.clone()));
    let square = "nav2.footprint=[[0.5, 0.5], [-0.5, 0.5], [-0.5, -0.5], [0.5, -0.5]]";
    let (warnings, of_square) = of(&[square]);
    assert!(
        warnings.starts_with("warning: nav2.robot_radius has no effect") && warnings.ends_with("(1)"),
        "{warnings}"
    );
    assert!(of_square != round);
    assert_eq!(warnings_of(&dir, &ROBOT.replace("robot_radius = 1\n", ""), &[square]), "");
    assert_eq!(costs(), of_square);
    // The effective scenario has a footprint and no radius.
    let scenario = Scenario::read(&saved(&dir, ROBOT), &[Change::typed(square)]).unwrap();
    assert_eq!(warnings_of(&dir, &scenario.effective, &[]), "");
    assert_eq!(costs(), of_square);
    let ahead = "nav2.footprint=[[1.5, 0.5], [0.5, 0.5], [0.5, -0.5], [1.5, -0.5]]";
    let (warnings, _) = of(&[ahead]);
    let expected = "warning: nav2.footprint does not contain the robot's centre, from which its corners are measured; as in \
                    Nav2, the inscribed radius is the distance of the nearest side: move the corners (inscribed radius 0.5100)";
    assert!(warnings.lines().any(|line| line == expected), "{warnings}");
}

#[test]
fn stuck_bodies_are_reported_with_a_hint() {
    let dir = TempDir::new().unwrap();
    // A gap of 2 m: bodies with a radius of 0.9 m fit one behind the other, but not side by side.
    let walls = "[[walls]]\nshape = \"box\"\nat = [10, 4.5]\nsize = [1, 9]\n\
                 [[walls]]\nshape = \"box\"\nat = [10, 15.5]\nsize = [1, 9]\n[output]";
    let text = CROWD.replace("[output]", walls).replace("count = 200", "count = 4").replace("[5, 14]", "[6, 14]");
    let text = text.replace("steps = 1", "steps = 600");
    let agents = |change: &str| {
        let lines = done(&dir, &text, &[change]).lines;
        lines.into_iter().find(|(name, _)| *name == "agents").unwrap().1
    };
    let hint = "3 stuck; bodies may block each other, permanently in gaps narrower than two of them";
    assert_eq!(agents("agents.crowd.radius=0.9"), format!("4: 0 walking, 1 arrived, {hint}"));
    assert_eq!(agents("agents.crowd.radius=0.5"), "4: 0 walking, 4 arrived, 0 stuck");
}

#[test]
fn agents_goals_and_legends_use_team_colours() {
    let dir = TempDir::new().unwrap();
    let group = |name: &str, x: u32| {
        format!(
            "[[agents]]\nname = \"{name}s\"\nteam = \"{name}\"\ncount = 2\nspeed = 1\nfollow = \"flow\"\n\
             start = {{ at = [{x}, 9], radius = 1 }}\n"
        )
    };
    let entity = "[[entities]]\nat = [5, 5]\nteam = \"red\"\ncolour = \"green\"\n";
    let goals = "[[goals]]\nat = [2, 2]\nradius = 1\nowner = \"blue\"\n";
    let text = format!(
        "model = \"fields\"\ngrid = {{ size = [20, 20], cell = 0.5 }}\nrun = {{ steps = 4, time_step = 0.5 }}\n{}",
        [entity, goals, &group("red", 5), &group("blue", 15)].concat()
    );
    let folder = done(&dir, &text, &[]).folder;
    let replay: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.join("replay.json")).unwrap()).unwrap();
    assert_eq!(replay["teams"], serde_json::json!([["red", "green"], ["blue", "blue"]]));
    assert_eq!([0, 1].map(|group| replay["groups"][group]["colour"].clone()), ["green", "blue"]);
    assert_eq!(replay["legend"][1], serde_json::json!(["blues", "blue"]));
}

#[test]
fn times_of_walls_without_effect_cause_a_warning() {
    let dir = TempDir::new().unwrap();
    let wall = |present: &str| {
        let wall = format!(
            "[[walls]]\nname = \"door\"\nshape = \"disc\"\nat = [10, 10]\nradius = 1\npresent = {present}\n[output]"
        );
        CROWD.replace("[output]", &wall).replace("count = 200", "count = 20")
    };
    assert_eq!(warnings_of(&dir, &wall("[[0, 0.25]]"), &[]), "");
    let warned = warnings_of(&dir, &wall("[[0, 0.1], [0.3, 4]]"), &[]);
    let expected = "warning: a wall has an interval without effect, between two steps or after the end of the run \
                    ([0.3, 4.0] of ";
    assert!(warned.starts_with(expected) && warned.ends_with("walls \"door\")"), "{warned}");
    // The costs of a robot do not follow the walls.
    let robot = |present: &str| ROBOT.replace("[nav2]", &format!("present = {present}\n[nav2]"));
    assert_eq!(warnings_of(&dir, &robot("[[0, inf]]"), &[]), "");
    let expected = "warning: walls change, but the costs of [nav2] do not: they are those of the start (the first change \
                    is after step 1)";
    assert_eq!(warnings_of(&dir, &robot("[[0, 0.5]]"), &[]), expected);
}

#[test]
fn agents_behind_doors_cause_no_warning() {
    let dir = TempDir::new().unwrap();
    let walls = |first: &str, second: &str| {
        let wall = |x: u32, present: &str| {
            format!("[[walls]]\nshape = \"line\"\npoints = [[{x}, 0], [{x}, 20]]\npresent = {present}\n")
        };
        let walls = wall(9, first) + &wall(13, second) + "[output]";
        CROWD.replace("[output]", &walls).replace("count = 200", "count = 20").replace("steps = 1", "steps = 4")
    };
    // The doors are never open at the same time.
    assert_eq!(warnings_of(&dir, &walls("[[0, 0.5]]", "[[0.5, inf]]"), &[]), "");
    let warned = warnings_of(&dir, &walls("[[0, 0.5]]", "[[0, inf]]"), &[]);
    assert!(warned.starts_with("warning: 20 times: an agent starts where no path leads to a goal ("), "{warned}");
}
