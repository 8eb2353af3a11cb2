//! From a scenario file to a scenario: everything that is wrong with it, in one report.

use std::path::{Path, PathBuf};

use throng_core::{InputError, Problems};
use throng_fields::creation::{FixedPoint, MovingField};
use throng_fields::influence::{InfluenceMap, Propagation};
use throng_fields::layers::{Combination, LayerStack, MOST_LAYERS};
use throng_fields::pictures::{Scale, ValueRange};
use throng_fields::routing::{Danger, Ground};
use throng_fields::{Entity, Grid, Mask, Profile, Sample, creation};

use super::agents::{self, Group};
use super::diffusion;
use super::entities::{Known, figure};
use super::figures::{self, accept};
use super::influences::Influences;
use super::legend::Legend;
use super::names;
use super::output::Output;
use super::scenario::{Figure, FlowRule, Scenario};
use super::source::{At, Change, Source, Texts};
use super::stamps;
use super::walls;
use super::written::{self, Operation};

/// The keys of the root.
const KEYS: [&str; 17] = [
    "model",
    "title",
    "seed",
    "layers",
    "grid",
    "run",
    "walls",
    "profiles",
    "stamps",
    "diffusion",
    "entities",
    "goals",
    "agents",
    "combine",
    "flow",
    "influence",
    "output",
];
/// By how much costs of ways may differ.
const MOST_RATIO: f32 = 256.0;
/// Cells that an agent may cross in a step.
const MOST_CELLS: f32 = 1000.0;

pub(super) fn read(path: &Path, changes: &[Change]) -> Result<Scenario, InputError> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| InputError::one(&name, format!("cannot be read: {error}"), "check the path"))?;
    let bytes = text.len() as u64;
    let mut problems = Problems::new();
    let texts = Texts::new(name, text, changes, &mut problems);
    let source = texts.tree(&mut problems);
    if !problems.is_empty() {
        return Err(InputError(problems));
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let made = scenario(source, folder, (path.to_owned(), bytes), &mut problems);
    problems.into_result()?;
    made.ok_or_else(|| {
        InputError::one(path.display().to_string(), "is not complete", "this is a bug, please report it")
    })
}

/// Makes a scenario of the whole tree. `None` only with problems.
fn scenario(mut source: Source<'_>, folder: &Path, file: (PathBuf, u64), problems: &mut Problems) -> Option<Scenario> {
    let settings = source.flat();
    let name = file.0.display().to_string();
    let mut inputs = vec![file];
    let model: Option<At<String>> = source.take("model", problems);
    if let Some(model) = model.filter(|model| model.value != "fields") {
        problems.push(model.place, format!("\"{}\"", model.value), "expected is \"fields\"");
    }
    let title = source.take::<String>("title", problems).map_or_else(|| "Fields".to_owned(), |title| title.value);
    let seed = source.take::<i64>("seed", problems).map_or(1, |seed| seed.value);
    let layers = layers(source.take("layers", problems), problems);
    let grid = needed(&mut source, "grid", &name, problems);
    let run = needed(&mut source, "run", &name, problems);
    let walls: Vec<At<written::Wall>> = source.take_list("walls", problems);
    let profiles: Vec<(String, At<written::Profile>)> = source.take_named("profiles", problems);
    let stamps: Vec<(String, At<written::Stamp>)> = source.take_named("stamps", problems);
    let diffusion: Vec<(String, At<written::Diffusion>)> = source.take_named("diffusion", problems);
    let entities: Vec<At<written::Entity>> = source.take_list("entities", problems);
    let goals: Vec<At<written::Area>> = source.take_list("goals", problems);
    let agents: Vec<At<written::Agents>> = source.take_list("agents", problems);
    let combine: Vec<At<written::Combine>> = source.take_list("combine", problems);
    let flow: Option<At<written::Flow>> = source.take("flow", problems);
    let influence: Option<At<written::Influence>> = source.take("influence", problems);
    let output: Option<At<written::Output>> = source.take("output", problems);
    source.finish(&KEYS, problems);

    let profiles: Vec<(String, Option<Profile>)> =
        profiles.iter().map(|(name, profile)| (name.clone(), figures::profile(profile, problems))).collect();
    let mut known_stamps = Vec::new();
    for (name, stamp) in &stamps {
        let (stamp, input) = stamps::stamp(stamp, folder, problems).unzip();
        inputs.extend(input.flatten());
        known_stamps.push((name.clone(), stamp));
    }
    let diffusing = diffusion::read(&diffusion, &layers, problems);
    let teams = teams(influence.as_ref(), &entities, problems);
    let known =
        Known { layers: &layers, profiles: &profiles, stamps: &known_stamps, diffusing: &diffusing, teams: &teams };
    let figures: Vec<Figure> = entities.iter().filter_map(|entity| figure(entity, &known, problems)).collect();
    let combination = combination(&combine, &layers, problems);
    let flow = flow_rule(flow.as_ref(), &layers, problems);
    let influences = influence.as_ref().and_then(|written| influences(written, teams.clone(), problems));
    let output = output.unwrap_or(At { value: written::Output::default(), place: "output".to_owned() });
    let (names, place) = (output.value.legend.clone(), output.part("legend"));
    let output = output_rule(output, &layers, problems);
    let legend = Legend::new(&names, &place, &agents, &entities, problems);

    let written_grid: Option<At<written::Grid>> = grid;
    let grid = written_grid.as_ref().and_then(|written| make_grid(written, problems));
    let mut ground = None;
    if let (Some(written), Some(grid)) = (&written_grid, &grid) {
        let map = written.value.map.as_ref().and_then(|map| walls::read_map(&folder.join(map), grid, problems));
        let (map, input) = map.unzip();
        inputs.extend(input);
        let open = walls::open_cells(grid, &walls, map.as_ref(), problems);
        ground = make_ground(grid, open, &goals, written, problems);
    }
    let run: At<written::Run> = run?;
    let (steps, time_step) = (run.value.steps, run.value.time_step);
    let stuck_after = run.value.stuck_after.unwrap_or(10.0 * time_step);
    if steps == 0 {
        problems.push(run.part("steps"), "0", "expected is 1 or more");
    }
    for (key, time) in [("time_step", time_step), ("stuck_after", stuck_after)] {
        if !(time.is_finite() && time > 0.0) {
            problems.push(run.part(key), time.to_string(), "expected is a finite number above 0");
        }
    }
    let fixed_point = accept(&run.place, FixedPoint::new(run.value.bits), problems);
    if let Some(fixed_point) = fixed_point {
        fits(&figures, &layers, fixed_point, &run, problems);
    }
    let ground = ground?;
    let end = f64::from(steps) * f64::from(time_step);
    diffusion::check(&diffusion, &layers, ground.grid().cell(), (time_step, end), &figures, problems);
    let groups = groups(&agents, &ground, seed, time_step, problems);
    if !problems.is_empty() {
        return None;
    }
    Some(Scenario {
        title,
        seed,
        ground,
        unit: written_grid?.value.unit,
        layers,
        figures,
        diffusing,
        combination: combination?,
        flow: flow?,
        influences,
        groups,
        steps,
        time_step,
        stuck_after,
        fixed_point: fixed_point?,
        output: output?,
        legend,
        inputs,
        settings,
    })
}

/// A table that has to be there.
fn needed<T: serde::de::DeserializeOwned>(
    source: &mut Source<'_>,
    key: &str,
    name: &str,
    problems: &mut Problems,
) -> Option<At<T>> {
    let before = problems.total();
    let taken = source.take(key, problems);
    if taken.is_none() && problems.total() == before {
        let example = if key == "grid" { "size = [96, 64] and cell = 0.5" } else { "steps = 300 and time_step = 0.25" };
        problems.push(name, format!("[{key}] is missing"), format!("add it, with {example}"));
    }
    taken
}

fn layers(written: Option<At<Vec<String>>>, problems: &mut Problems) -> Vec<String> {
    let Some(written) = written else { return vec!["field".to_owned()] };
    let layers = written.value;
    if layers.is_empty() || layers.len() > MOST_LAYERS as usize {
        let remedy = format!("expected are 1 to {MOST_LAYERS} names");
        problems.push(&written.place, format!("{} layers", layers.len()), remedy);
    }
    for (i, name) in layers.iter().enumerate() {
        if layers[..i].contains(name) {
            problems.push(&written.place, format!("\"{name}\" twice"), "give each layer a name of its own");
        }
    }
    layers
}

fn make_grid(written: &At<written::Grid>, problems: &mut Problems) -> Option<Grid> {
    let written::Grid { origin, size, cell, sample, .. } = &written.value;
    let mut cells = [0u32; 2];
    for (axis, count) in cells.iter_mut().enumerate() {
        let exact = f64::from(size[axis]) / f64::from(*cell);
        // Off by a thousandth of a cell: decimal fractions are not exact.
        if !(exact > 0.0 && exact < 1e9 && (exact - exact.round()).abs() < 1e-3) {
            let remedy = format!("expected are sizes above 0 of whole cells, whose side is {cell}");
            problems.push(written.part("size"), format!("{} x {}", size[0], size[1]), remedy);
            return None;
        }
        *count = exact.round() as u32;
    }
    let grid = accept(&written.place, Grid::new(*origin, *cell, cells[0], cells[1]), problems)?;
    Some(grid.sampled_at(match sample {
        written::Sample::Centre => Sample::Centre,
        written::Sample::Corner => Sample::Corner,
    }))
}

fn make_ground(
    grid: &Grid,
    open: Mask,
    goals: &[At<written::Area>],
    written: &At<written::Grid>,
    problems: &mut Problems,
) -> Option<Ground> {
    let mut areas = Vec::new();
    for goal in goals {
        let Some(area) = agents::area(grid, &goal.value, &goal.place, problems) else { continue };
        if !area.cells().any(|(column, row)| open.allows(column, row)) {
            problems.push(&goal.place, "no open cell", "let the goal cover the middle of a cell that is no wall");
        }
        areas.push(area);
    }
    let goals =
        Mask::new(grid, |column, row| open.allows(column, row) && areas.iter().any(|area| area.allows(column, row)));
    accept(&written.place, Ground::new(grid, open, goals), problems)
}

/// The names of all teams, in the order in which they appear.
fn teams(
    influence: Option<&At<written::Influence>>,
    entities: &[At<written::Entity>],
    problems: &mut Problems,
) -> Vec<String> {
    let mut teams: Vec<String> = Vec::new();
    for entity in entities {
        let Some(team) = &entity.value.team else { continue };
        if influence.is_none() {
            problems.push(entity.part("team"), format!("\"{team}\""), "teams need [influence], with decay = 0.1");
            return teams;
        }
        if !teams.contains(team) {
            teams.push(team.clone());
        }
    }
    if let Some(influence) = influence.filter(|_| teams.is_empty()) {
        problems.push(&influence.place, "no entity has a team", "write team = \"red\" for those that have influence");
    }
    teams
}

fn influences(written: &At<written::Influence>, teams: Vec<String>, problems: &mut Problems) -> Option<Influences> {
    let written::Influence { decay, momentum, sweeps } = written.value;
    let propagation = Propagation { decay, momentum };
    accept(&written.place, InfluenceMap::new(walls::tiny(), propagation, None), problems)?;
    if teams.len() > throng_fields::influence::Teams::MOST {
        problems.push(&written.place, format!("{} teams", teams.len()), "expected are at most 256");
        return None;
    }
    Some(Influences { teams, propagation, sweeps })
}

/// The field that agents feel; without steps the sum of all layers.
fn combination(written: &[At<written::Combine>], layers: &[String], problems: &mut Problems) -> Option<Combination> {
    let mut combination = Combination::new();
    if written.is_empty() {
        for layer in 0..layers.len() as u32 {
            combination = combination.add(1.0, layer);
        }
    }
    let before = problems.total();
    for step in written {
        let written::Combine { operation, layer: name, weight, at, below, from } = &step.value;
        let threshold = *operation == Operation::Threshold;
        let given = figures::Given {
            place: &step.place,
            choice: format!("operation = \"{}\"", format!("{operation:?}").to_lowercase()),
            keys: vec![
                ("layer", name.is_some(), figures::Need::when(!threshold)),
                ("weight", weight.is_some(), figures::Need::may_when(!threshold)),
                ("at", at.is_some(), figures::Need::when(threshold)),
                ("below", below.is_some(), figures::Need::when(threshold)),
                ("from", from.is_some(), figures::Need::when(threshold)),
            ],
        };
        if !given.check(problems) {
            continue;
        }
        if let (Some(at), Some(below), Some(from)) = (at, below, from) {
            combination = combination.threshold(*at, *below, *from);
            continue;
        }
        let name = name.as_deref().unwrap_or_default();
        let Some(layer) = names::layer(name, &step.part("layer"), layers, problems) else { continue };
        let (weight, layer) = (weight.unwrap_or(1.0), layer as u32);
        combination = match operation {
            Operation::Add => combination.add(weight, layer),
            Operation::Max => combination.max(weight, layer),
            Operation::Min => combination.min(weight, layer),
            Operation::Times => combination.times(weight, layer),
            Operation::Threshold => combination,
        };
    }
    if problems.total() > before {
        return None;
    }
    let place = written.first().map_or("combine", |step| step.place.as_str());
    let empty = LayerStack::by_tiles(&walls::tiny(), &[], layers.len().clamp(1, MOST_LAYERS as usize) as u32);
    let empty = accept(place, empty, problems)?;
    if layers.len() <= MOST_LAYERS as usize {
        accept(place, combination.of(&empty), problems)?;
    }
    Some(combination)
}

fn flow_rule(written: Option<&At<written::Flow>>, layers: &[String], problems: &mut Problems) -> Option<FlowRule> {
    let Some(written) = written else {
        // As far as it goes: no danger.
        let danger = Danger { base: 1.0, weight: 0.0, highest: Some(MOST_RATIO) };
        return Some(FlowRule { layer: None, danger, every: 1 });
    };
    let written::Flow { danger, base, weight, highest, every } = &written.value;
    let layer = match danger {
        Some(name) => Some(names::layer(name, &written.part("danger"), layers, problems)?),
        None => None,
    };
    if *every == 0 {
        problems.push(written.part("every"), "0", "expected is a number of steps, 1 or more");
    }
    let danger = Danger { base: *base, weight: *weight, highest: Some(highest.unwrap_or(base * MOST_RATIO)) };
    let flat = accept(&written.place, creation::by_tiles(&walls::tiny(), &[]), problems)?;
    accept(&written.place, danger.costs(&flat, None), problems)?;
    Some(FlowRule { layer, danger, every: *every })
}

fn output_rule(written: At<written::Output>, layers: &[String], problems: &mut Problems) -> Option<Output> {
    let At { value, place } = written;
    let frame_ms = (1000.0 / value.frames_per_second).round();
    if !(1.0..=65_535.0).contains(&frame_ms) {
        let remedy = "expected is a number from 0.016 to 1000";
        problems.push(format!("{place}, frames_per_second"), value.frames_per_second.to_string(), remedy);
    }
    if value.pixels_per_cell.is_some_and(|pixels| !(1..=256).contains(&pixels)) {
        let pixels = value.pixels_per_cell.unwrap_or(0);
        problems.push(format!("{place}, pixels_per_cell"), pixels.to_string(), "expected is a number from 1 to 256");
    }
    let layer = match &value.layer {
        Some(name) => Some(names::layer(name, &format!("{place}, layer"), layers, problems)?),
        None => None,
    };
    let range = match value.range {
        Some([low, high]) => Some(accept(&place, ValueRange::new(low, high), problems)?),
        None => None,
    };
    Some(Output {
        folder: value.folder,
        overwrite: value.overwrite,
        frame_every: value.frame_every,
        frame_ms: frame_ms as u16,
        scale: value.pixels_per_cell.map(Scale::PixelsPerCell),
        layer,
        range,
        unit: value.unit,
        first_and_last: value.first_and_last,
        npy: value.npy,
        agents_every: value.agents_every,
    })
}

/// Refuses layers whose sums do not fit into fixed point.
fn fits(
    figures: &[Figure],
    layers: &[String],
    fixed_point: FixedPoint,
    run: &At<written::Run>,
    problems: &mut Problems,
) {
    // Sums are checked before anything is made: one cell will do.
    let cell = walls::tiny();
    for (number, name) in layers.iter().enumerate().take(MOST_LAYERS as usize) {
        let members = figures.iter().filter(|figure| figure.entity.layers >> number & 1 == 1);
        let members: Vec<Entity> = members.map(|figure| figure.entity.clone()).collect();
        accept(&run.part(&format!("layer \"{name}\"")), MovingField::in_fixed_point(&cell, members, fixed_point), problems);
    }
}

fn groups(
    agents: &[At<written::Agents>],
    ground: &Ground,
    seed: i64,
    time_step: f32,
    problems: &mut Problems,
) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut first = 0u32;
    for written in agents {
        let Some(next) = first.checked_add(written.value.count) else {
            problems.push(written.part("count"), written.value.count.to_string(), "there are too many agents in all");
            break;
        };
        if groups.iter().any(|group| group.name == written.value.name) {
            problems.push(&written.place, "the name is there already", "give each group a name of its own");
        }
        let Some(group) = agents::group(written, ground, (seed, first), problems) else { continue };
        let fastest = group.speeds.iter().copied().fold(0.0, f32::max);
        let most = MOST_CELLS * ground.grid().cell() / time_step;
        if fastest > most {
            let remedy = format!("with this time step expected is at most {most}, {MOST_CELLS} cells in a step");
            problems.push(written.part("speed"), fastest.to_string(), remedy);
        }
        groups.push(group);
        first = next;
    }
    groups
}
