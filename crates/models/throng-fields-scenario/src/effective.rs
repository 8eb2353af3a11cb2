//! A scenario file with all keys in effect: those of the file, with the changes to it, and the defaults.

use std::collections::BTreeMap;
use std::path::Path;

use throng_core::Problems;
use throng_fields_core::routing::TravelTimes;
use throng_model::{At, Source, to_toml};

use crate::entities::has_no_field;
use crate::read::read_map;
use crate::tables::{Named, Tables};
use crate::team_colours::TeamColours;
use crate::walls::CLOSED;
use crate::written::{Agents, Combine, Entity, Flow, Operation, Output, Root, Shape, Wall, WallShape};
use crate::{arrays, influences, queries};

/// The text of a file that was read without problems. Keys without a value are left out: `map` if there is none,
/// the heading of entities that face in the direction of motion.
pub fn text(source: Source<'_>, problems: &mut Problems) -> Option<String> {
    let file = source.file().to_owned();
    let tables = Tables::take(source, problems);
    let teams = influences::teams(None, &tables.entities, &tables.agents, &tables.goals, problems);
    let colours = TeamColours::new(&teams, &tables.entities, &tables.agents).groups;
    let layers = value(tables.layers).unwrap_or_else(|| vec!["field".to_owned()]);
    let mut grid = tables.grid?;
    read_map(&mut grid, Path::new(&file).parent().unwrap_or(Path::new("")), problems);
    let mut grid = grid.value;
    grid.origin = Some(grid.origin_or_default());
    let mut run = tables.run?.value;
    run.stuck_after = Some(run.stuck_after_or_default());
    let mut walls = values(tables.walls);
    for wall in &mut walls {
        complete_wall(wall, grid.cell.unwrap_or_default() as f32);
    }
    let mut entities = values(tables.entities);
    for entity in &mut entities {
        complete_entity(entity, &layers);
    }
    let mut combine = values(tables.combine);
    if combine.is_empty() {
        combine.extend(layers.iter().map(|layer| Combine::adding(layer)));
    }
    let mut combinations = named(tables.combinations);
    let named_steps = combinations.iter_mut().flat_map(|all| all.values_mut()).flat_map(|all| &mut all.steps);
    for step in combine.iter_mut().chain(named_steps).filter(|step| step.operation != Operation::Threshold) {
        step.weight.get_or_insert(1.0);
    }
    let mut flow = value(tables.flow).unwrap_or_else(Flow::without_danger);
    let mut flows = named(tables.flows);
    for flow in [&mut flow].into_iter().chain(flows.iter_mut().flat_map(|all| all.values_mut())) {
        flow.highest.get_or_insert(flow.base * TravelTimes::MOST_RATIO);
    }
    let mut agents = values(tables.agents);
    for (group, colour) in agents.iter_mut().zip(colours) {
        group.colour = Some(colour);
        complete_agents(group, &layers);
    }
    let mut nav2 = value(tables.nav2);
    if let Some(nav2) = &mut nav2 {
        grid.ros_distro.get_or_insert_default();
        nav2.complete();
    }
    let mut output = value(tables.output).unwrap_or_default();
    (output.arrays, output.queries) = (values(tables.arrays), values(tables.queries));
    complete_output(&mut output);
    let root = Root {
        model: "fields".to_owned(),
        title: Some(value(tables.title).unwrap_or_else(|| "Fields".to_owned())),
        seed: Some(value(tables.seed).unwrap_or(1)),
        layers: Some(layers),
        grid,
        run,
        walls: unless_empty(walls),
        profiles: named(tables.profiles),
        stamps: named(tables.stamps),
        diffusion: named(tables.diffusion),
        entities: unless_empty(entities),
        goals: unless_empty(values(tables.goals)),
        agents: unless_empty(agents),
        combine: Some(combine),
        combinations,
        flow: Some(flow),
        flows,
        influence: value(tables.influence),
        nav2,
        output: Some(output),
    };
    let written = to_toml(&root);
    written.map_err(|error| problems.push(&file, error.to_string(), "use only values that TOML can express")).ok()
}

/// Names of arrays and queries are in force even where they are not written.
fn complete_output(output: &mut Output) {
    for array in &mut output.arrays {
        array.name = Some(arrays::name_of(array));
    }
    for (number, query) in (1..).zip(&mut output.queries) {
        query.name = Some(queries::name_of(number, query));
    }
}

fn value<T>(taken: Option<At<T>>) -> Option<T> {
    taken.map(|at| at.value)
}

fn values<T>(taken: Vec<At<T>>) -> Vec<T> {
    taken.into_iter().map(|at| at.value).collect()
}

fn unless_empty<T>(list: Vec<T>) -> Option<Vec<T>> {
    Some(list).filter(|list| !list.is_empty())
}

/// Tables by their names; `None` without any.
fn named<T>(taken: Named<T>) -> Option<BTreeMap<String, T>> {
    let all: BTreeMap<_, _> = taken.into_iter().map(|(name, written)| (name, written.value)).collect();
    Some(all).filter(|all| !all.is_empty())
}

fn complete_wall(wall: &mut Wall, cell: f32) {
    match wall.shape {
        WallShape::Box => {
            wall.heading.get_or_insert(0.0);
        }
        WallShape::Line => {
            let least = 2.0 * CLOSED * cell;
            wall.width = Some(wall.width.unwrap_or_default().max(least));
        }
        WallShape::Disc | WallShape::Polygon => {}
    }
}

fn complete_entity(entity: &mut Entity, layers: &[String]) {
    if !has_no_field(entity) {
        entity.charge.get_or_insert(1.0);
        entity.layers.get_or_insert_with(|| layers.to_vec());
    }
    if !matches!(entity.shape, Shape::Disc | Shape::Ring) && entity.path.is_none() {
        entity.heading.get_or_insert(0.0);
    }
    if entity.path.is_some() {
        entity.then.get_or_insert_default();
    }
    if entity.team.is_some() {
        entity.strength.get_or_insert(1.0);
    }
}

fn complete_agents(group: &mut Agents, layers: &[String]) {
    let goals = if group.team.is_some() { "others" } else { "all" };
    group.goals.get_or_insert_with(|| vec![goals.to_owned()]);
    if group.profile.is_some() {
        group.charge.get_or_insert(1.0);
        group.layers.get_or_insert_with(|| layers.to_vec());
    }
    if let Some(spawn) = &mut group.spawn {
        spawn.from.get_or_insert(spawn.every);
    }
    for rule in &mut group.rules {
        if rule.near.is_some() {
            rule.at_least.get_or_insert(1);
        }
        rule.after.get_or_insert(0.0);
        if !rule.leave {
            rule.pace.get_or_insert(1.0);
            rule.keep.get_or_insert(0.0);
            rule.follow.get_or_insert(group.follow);
            rule.goals = rule.goals.take().or_else(|| group.goals.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use crate::Scenario;
    use crate::template::template;
    use throng_core::Change;

    /// A scenario without the information where it was read from.
    fn all_of(path: &Path, changes: &[Change]) -> String {
        let scenario = Scenario::read(path, changes).unwrap();
        let (settings, inputs, idle_walls) = Default::default();
        let read_from = (Path::new("").into(), Vec::new());
        format!("{:#?}", Scenario { settings, inputs, idle_walls, read_from, loading_s: 0.0, ..scenario })
    }

    /// Only the required keys, of each kind.
    const SHORT: &str = r#"
        model = "fields"
        grid = { size = [6, 4.2], cell = 0.3 }
        run = { steps = 5, time_step = 0.1 }
        profiles.near = { form = "linear", radius = 1.7 }
        [[walls]]
        shape = "line"
        points = [[1, 1], [1.1, 3]]
        [[walls]]
        shape = "box"
        at = [5, 1]
        size = [0.7, 0.7]
        [[entities]]
        at = [3.3, 2.1]
        profile = "near"
        [[entities]]
        at = [3.3, 2.1]
        shape = "box"
        size = [0.1, 0.9]
        profile = "near"
        [[entities]]
        at = [3.3, 2.1]
        shape = "capsule"
        length = 0.6
        profile = "near"
        path = [[0.1, 0.2]]
        speed = 0.7
        team = "us"
        [influence]
        decay = 0.1
        [[agents]]
        name = "walkers"
        count = 3
        start = { at = [3, 3], radius = 0.7 }
        speed = 0.3
        follow = "field"
    "#;

    #[test]
    fn what_is_in_force_is_the_same_scenario() {
        let dir = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| -> PathBuf {
            let path = dir.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/fields/scenario.toml");
        let changes = [Change::typed("run.steps=3"), Change::typed("agents.1.speed=0.123456789")];
        for path in [file("short.toml", SHORT), file("template.toml", template()), example] {
            let text = Scenario::read(&path, &changes).and_then(|read| read.effective()).unwrap();
            let again = file("again.toml", &text);
            assert!(all_of(&path, &changes) == all_of(&again, &[]), "{text}");
            assert_eq!(Scenario::read(&again, &[]).and_then(|read| read.effective()).unwrap(), text);
            assert!(text.contains("steps = 3\n") && text.contains("speed = 0.12345679\n"), "{text}");
        }
    }

    #[test]
    fn defaults_are_written() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("scenario.toml");
        std::fs::write(&path, SHORT).unwrap();
        let text = Scenario::read(&path, &[]).and_then(|read| read.effective()).unwrap();
        let found: toml::Table = text.parse().unwrap();
        let expected: toml::Table = r#"
            title = "Fields"
            seed = 1
            layers = ["field"]
            grid = { origin = [0.0, 0.0], sample = "centre", unit = "" }
            run = { stuck_after = 1.0, arithmetic = "fixed-point", bits = 16 }
            walls = [{}, { heading = 0.0 }]
            entities = [
                { shape = "disc", charge = 1.0, layers = ["field"] },
                { heading = 0.0 },
                { then = "round", strength = 1.0 },
            ]
            combine = [{ operation = "add", layer = "field", weight = 1.0 }]
            flow = { base = 1.0, weight = 0.0, highest = 256.0, every = 1 }
            influence = { momentum = 0.0, sweeps = 1 }
            output = { overwrite = false, frame_every = 4, frames_per_second = 12.0, npy = true, agents_every = 10 }
        "#
        .parse()
        .unwrap();
        holds("", &toml::Value::Table(found.clone()), &toml::Value::Table(expected));
        assert!(!text.contains("map =") && found["entities"][2].get("heading").is_none(), "{text}");
        // 1.42 cells.
        let width = found["walls"][0]["width"].as_float().unwrap();
        assert!((width - 0.426).abs() < 1e-6, "{width}");
        let agents = ["spread", "noise", "trail_cells", "trail_charge", "colour"];
        assert!(agents.iter().all(|key| found["agents"][0].get(key).is_some()), "{text}");
    }

    /// Whether a value has all parts of another.
    fn holds(place: &str, found: &toml::Value, expected: &toml::Value) {
        match (found, expected) {
            (toml::Value::Table(found), toml::Value::Table(expected)) => {
                for (key, expected) in expected {
                    let found = found.get(key).unwrap_or_else(|| panic!("{place}.{key} is not there"));
                    holds(&format!("{place}.{key}"), found, expected);
                }
            }
            (toml::Value::Array(found), toml::Value::Array(expected)) => {
                assert_eq!(found.len(), expected.len(), "{place}");
                for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
                    holds(&format!("{place}.{i}"), found, expected);
                }
            }
            _ => assert_eq!(found, expected, "{place}"),
        }
    }
}
