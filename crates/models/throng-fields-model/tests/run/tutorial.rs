//! The scenario and the program of the tutorial for games give the results stated on the page.

use tempfile::TempDir;
use throng_core::NoProgress;
use throng_device::DeviceChoice;
use throng_fields::routing::{Body, Course, Crowd, FlowField, Ground, Steering, walk_together};
use throng_fields::{Grid, Mask};
use throng_fields_model::{Change, FieldsRun, Scenario, run};
use throng_model::RunRequest;

use super::saved;

fn page() -> String {
    std::fs::read_to_string(throng_testing::repository().join("docs/src/games.md")).unwrap()
}

/// The first code block of a language.
fn block(page: &str, language: &str) -> String {
    let (_, rest) = page.split_once(&format!("```{language}\n")).unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

#[test]
fn the_tutorial_scenario_runs_with_all_variations() {
    let dir = TempDir::new().unwrap();
    let file = saved(&dir, &block(&page(), "toml"));
    let sets = ["flows.wary_of_blue.weight=0", "agents.reds.count=600", "agents.blues.spawn={ every = 10, count = 5 }"];
    for set in sets {
        assert!(page().contains(&format!("--set {set}")) || page().contains(&format!("--set '{set}'")), "{set}");
        Scenario::read(&file, &[Change::typed(set)]).unwrap_or_else(|error| panic!("{set}: {error}"));
    }
    let scenario = Scenario::read(&file, &[Change::typed("output.frame_every=0")]).unwrap();
    let run_it = FieldsRun { folder: Some(dir.path().join("out")), ..FieldsRun::new(scenario) };
    let request = RunRequest { device: DeviceChoice::Cpu, ..RunRequest::default() };
    let summary = run(run_it, &request, &NoProgress).unwrap().results.summary;
    assert_eq!(summary.agents.agents, 200);
    let owned = |goal: &str, team: &str| (goal.to_owned(), Some(team.to_owned()));
    assert_eq!(summary.goals, [owned("red flag", "blue"), owned("blue flag", "red")]);
}

#[test]
fn the_tutorial_contains_this_program() {
    let text = include_str!("tutorial.rs");
    let (_, rest) = text.split_once("// begin\n").unwrap();
    let trimmed = |text: &str| text.lines().map(str::trim_start).map(str::to_owned).collect::<Vec<_>>();
    let code = trimmed(rest.split_once("    // end\n").unwrap().0);
    let shown = block(&page(), "rust");
    let shown = trimmed(&shown[shown.find("let grid").unwrap()..]);
    assert_eq!(shown, code);
    program().unwrap();
}

fn program() -> Result<(), throng_fields::InputError> {
    // begin
    let grid = Grid::new([0.0, 0.0], 0.5, 160, 80)?;
    let open = Mask::new(&grid, |column, row| !((79..=81).contains(&column) && (16..64).contains(&row)));
    let flag = |centre: u32| Mask::new(&grid, |column, row| column.abs_diff(centre) < 4 && row.abs_diff(40) < 4);
    let (west, east) = (Ground::new(&grid, open.clone(), flag(10))?, Ground::new(&grid, open, flag(150))?);
    let (to_west, to_east) = (FlowField::new(west.distances()), FlowField::new(east.distances()));
    let body = Body::new(0.3)?.with_spacing(1.2)?;
    let line = |x: f32| (0..50u8).map(|i| [x, 7.5 + 0.5 * f32::from(i)]).collect::<Vec<_>>();
    let mut teams = [
        Crowd::new(&east, &line(12.0), &[1.5; 50])?.with_body(body),
        Crowd::new(&west, &line(68.0), &[1.8; 50])?.with_body(body),
    ];
    let reds = [Course::new(&east, Steering::Follow(&to_east))];
    let blues = [Course::new(&west, Steering::Follow(&to_west))];
    for _ in 0..400 {
        walk_together(&mut teams, &[&reds, &blues], 0.25)?;
    }
    let arrived = teams.iter().map(|team| team.arrivals().flatten().count());
    assert_eq!(arrived.collect::<Vec<_>>(), [50, 50]);
    // end
    Ok(())
}
