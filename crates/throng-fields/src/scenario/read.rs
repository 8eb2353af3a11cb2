//! From a scenario file to a scenario, with all problems in one report.

use std::path::Path;
use std::time::Instant;

use crate::creation::{Arithmetic, FixedPoint};
use crate::layers::MOST_LAYERS;
use crate::routing::{Danger, TravelTimes};
use crate::{Entity, Profile, creation};
use throng_core::{InputError, Problems};

use crate::scenario::agents;
use crate::scenario::combine;
use crate::scenario::diffusion::{self, Diffusing};
use crate::scenario::effective;
use crate::scenario::entities::{self, Known, figure};
use crate::scenario::figures::{self, accept};
use crate::scenario::ground;
use crate::scenario::influences;
use crate::scenario::legend::Legend;
use crate::scenario::lengths;
use crate::scenario::memory::{self, Load};
use crate::scenario::names;
use crate::scenario::output;
use crate::scenario::stamps;
use crate::scenario::walls;
use crate::scenario::written::{self, Follow};
use crate::scenario::{Figure, FlowRule, Scenario};
use throng_core::Change;
use throng_model::{At, ScenarioFile, Source, Texts};

pub(crate) fn read(file: &ScenarioFile, changes: &[Change]) -> Result<Scenario, InputError> {
    let began = Instant::now();
    let mut problems = Problems::new();
    let texts = Texts::new("fields", file, changes, &mut problems)?;
    let source = texts.tree(&mut problems);
    if !problems.is_empty() {
        return Err(InputError(problems));
    }
    let bytes = file.text()?.len() as u64;
    let made = scenario(source, (file.clone(), changes.to_vec()), bytes, &mut problems);
    problems.into_result()?;
    let made = made.ok_or_else(|| incomplete(file.path()))?;
    Ok(Scenario { loading_s: began.elapsed().as_secs_f64(), ..made })
}

/// The error for an impossible case: no result from a file without problems.
fn incomplete(path: &Path) -> InputError {
    InputError::one(path.display().to_string(), "is not complete", "this is a bug, please report it")
}

/// A scenario file with all changes and defaults, as the text of such a file.
pub(crate) fn effective(file: &ScenarioFile, changes: &[Change]) -> Result<String, InputError> {
    let mut problems = Problems::new();
    let texts = Texts::new("fields", file, changes, &mut problems)?;
    let text = effective::text(texts.tree(&mut problems), &mut problems);
    problems.into_result()?;
    text.ok_or_else(|| incomplete(file.path()))
}

/// Builds a scenario from the whole tree of a file, which has so many bytes. `None` only with problems.
fn scenario(
    mut source: Source<'_>,
    read_from: (ScenarioFile, Vec<Change>),
    bytes: u64,
    problems: &mut Problems,
) -> Option<Scenario> {
    let settings = source.flat();
    let path = read_from.0.path();
    let (folder, name) = (path.parent().unwrap_or(Path::new("")), path.display().to_string());
    let mut inputs = vec![(path.to_owned(), bytes)];
    let model: Option<At<String>> = source.take("model", problems);
    if let Some(model) = model.filter(|model| model.value != "fields") {
        problems.push(model.place, format!("\"{}\"", names::shown(&model.value)), "expected \"fields\"");
    }
    let title = source.take::<String>("title", problems);
    if let Some(title) = &title {
        names::check(&title.value, &title.place, names::LONGEST_TITLE, problems);
    }
    let title = title.map_or_else(|| "Fields".to_owned(), |title| title.value);
    let seed = source.take::<i64>("seed", problems).map_or(1, |seed| seed.value);
    let layers = layers(source.take("layers", problems), problems);
    let grid = needed(&mut source, "grid", &name, problems);
    let run = needed(&mut source, "run", &name, problems);
    let walls: Vec<At<written::Wall>> = source.take_list("walls", problems);
    let written_profiles: Vec<(String, At<written::Profile>)> = source.take_named("profiles", problems);
    let stamps: Vec<(String, At<written::Stamp>)> = source.take_named("stamps", problems);
    let diffusion: Vec<(String, At<written::Diffusion>)> = source.take_named("diffusion", problems);
    let entities: Vec<At<written::Entity>> = source.take_list("entities", problems);
    let goals: Vec<At<written::Area>> = source.take_list("goals", problems);
    let agents: Vec<At<written::Agents>> = source.take_list("agents", problems);
    let combine: Vec<At<written::Combine>> = source.take_list("combine", problems);
    let flow: Option<At<written::Flow>> = source.take("flow", problems);
    let influence: Option<At<written::Influence>> = source.take("influence", problems);
    let output: Option<At<written::Output>> = source.take("output", problems);
    source.finish(&throng_model::root_keys::<written::Root>(), problems);

    let profiles: Vec<(String, Option<Profile>)> =
        written_profiles.iter().map(|(name, profile)| (name.clone(), figures::profile(profile, problems))).collect();
    let mut known_stamps = Vec::new();
    for (name, stamp) in &stamps {
        let (stamp, input) = stamps::stamp(stamp, folder, problems).unzip();
        inputs.extend(input.flatten());
        known_stamps.push((name.clone(), stamp));
    }
    let diffusing = diffusion::read(&diffusion, &layers, problems);
    let teams = influences::teams(influence.as_ref(), &entities, problems);
    let written_grid: Option<At<written::Grid>> = grid;
    let known = Known {
        layers: &layers,
        profiles: &profiles,
        stamps: &known_stamps,
        diffusing: &diffusing,
        teams: &teams,
        origin: written_grid.as_ref().map_or([0.0; 2], |grid| grid.value.origin),
    };
    entities::check_names(&entities, problems);
    entities::names_differ(&entities, problems);
    check_names(&walls, &written_profiles, &stamps, problems);
    let figures: Vec<Figure> = entities.iter().filter_map(|entity| figure(entity, &known, problems)).collect();
    let combination = combine::read(&combine, &layers, problems);
    let flow = flow_rule(flow.as_ref(), &layers, problems);
    let influences =
        influence.as_ref().and_then(|written| influences::read(written, teams.clone(), &figures, problems));
    let output = output.unwrap_or(At { value: written::Output::default(), place: "output".to_owned() });
    let (names, place) = (output.value.legend.clone(), output.part("legend"));
    let output = output::read(output, &layers, problems);
    let legend = Legend::new(&names, &place, (&agents, !goals.is_empty()), &entities, problems);

    let grid = written_grid.as_ref().and_then(|written| ground::grid(written, problems));
    let (mut made_ground, mut idle_walls) = (None, Vec::new());
    if let (Some(written), Some(grid)) = (&written_grid, &grid) {
        let load = Load {
            layers: layers.len(),
            diffusing: diffusing.len(),
            teams: teams.len(),
            flow: agents.iter().any(|group| group.value.follow == Follow::Flow),
        };
        if !memory::check((grid, &written.place), load, &agents, throng_core::available_memory(), problems) {
            return None;
        }
        let map = written.value.map.as_ref().and_then(|map| walls::read_map(&folder.join(map), grid, problems));
        let (map, input) = map.unzip();
        inputs.extend(input);
        let open;
        (open, idle_walls) = walls::open_cells(grid, &walls, map.as_ref(), problems);
        made_ground = ground::ground(grid, open, &goals, written, problems);
        lengths::check(grid, &walls, &written_profiles, &stamps, &entities, problems);
        lengths::check_areas(grid, &goals, &agents, problems);
        names::check(&written.value.unit, &written.part("unit"), names::LONGEST, problems);
    }
    let run: At<written::Run> = run?;
    let (steps, time_step) = (run.value.steps, run.value.time_step);
    let stuck_after = run.value.stuck_after_or_default();
    if steps == 0 {
        problems.push(run.part("steps"), "0", "expected 1 or more");
    }
    for (key, time, given) in [
        // The agents' clock is in single precision.
        ("time_step", time_step as f32, time_step.to_string()),
        ("stuck_after", stuck_after, stuck_after.to_string()),
    ] {
        if !(time.is_finite() && time > 0.0) {
            problems.push(run.part(key), given, "expected a finite number above 0");
        }
    }
    let arithmetic = arithmetic(&run, problems);
    if let Some(arithmetic) = arithmetic {
        fits(&figures, &layers, arithmetic, &run, problems);
    }
    let ground = made_ground?;
    let end = f64::from(steps) * time_step;
    diffusion::check(&diffusion, &layers, ground.grid().cell(), (time_step as f32, end), &figures, problems);
    combine::check(&combine, &layers, &largest_values(&figures, &layers, &diffusing, end), problems);
    let groups = agents::groups(&agents, &ground, seed, time_step, problems);
    if !problems.is_empty() {
        return None;
    }
    Some(Scenario {
        title,
        seed,
        ground,
        idle_walls,
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
        arithmetic: arithmetic?,
        output: output?,
        legend,
        inputs,
        settings,
        read_from,
        loading_s: 0.0,
    })
}

/// Refuses names of walls, profiles and stamps that cannot be shown; all others are checked where they are read.
fn check_names(
    walls: &[At<written::Wall>],
    profiles: &[(String, At<written::Profile>)],
    stamps: &[(String, At<written::Stamp>)],
    problems: &mut Problems,
) {
    let walls = walls.iter().filter_map(|wall| wall.value.name.as_ref().map(|name| (name, &wall.place)));
    let profiles = profiles.iter().map(|(name, profile)| (name, &profile.place));
    let stamps = stamps.iter().map(|(name, stamp)| (name, &stamp.place));
    for (name, place) in walls.chain(profiles).chain(stamps) {
        names::check(name, place, names::LONGEST, problems);
    }
}

/// A required table.
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
        let remedy = format!("expected 1 to {MOST_LAYERS} names");
        problems.push(&written.place, format!("{} layers", layers.len()), remedy);
    }
    for (i, name) in layers.iter().enumerate() {
        names::check(name, &written.place, names::LONGEST, problems);
        if layers[..i].contains(name) {
            problems.push(&written.place, format!("\"{}\" twice", names::shown(name)), "give each layer a unique name");
        }
    }
    layers
}

fn flow_rule(written: Option<&At<written::Flow>>, layers: &[String], problems: &mut Problems) -> Option<FlowRule> {
    let Some(written) = written else {
        let written::Flow { base, weight, every, .. } = written::Flow::without_danger();
        let danger = Danger { base, weight, highest: Some(base * TravelTimes::MOST_RATIO) };
        return Some(FlowRule { layer: None, danger, every });
    };
    let written::Flow { danger, base, weight, highest, every } = &written.value;
    let layer = match danger {
        Some(name) => Some(names::layer(name, &written.part("danger"), layers, problems)?),
        None => None,
    };
    if *every == 0 {
        problems.push(written.part("every"), "0", "expected a number of steps, 1 or more");
    }
    let danger =
        Danger { base: *base, weight: *weight, highest: Some(highest.unwrap_or(base * TravelTimes::MOST_RATIO)) };
    let flat = accept(&written.place, creation::by_tiles(&walls::tiny(), &[]), problems)?;
    accept(&written.place, danger.costs(&flat, None), problems)?;
    Some(FlowRule { layer, danger, every: *every })
}

/// The arithmetic of the layers of entities.
fn arithmetic(run: &At<written::Run>, problems: &mut Problems) -> Option<Arithmetic> {
    let &written::Run { arithmetic, bits, tolerance, .. } = &run.value;
    let given = tolerance.to_string();
    if !(tolerance.is_finite() && tolerance >= 0.0) {
        problems.push(run.part("tolerance"), given, "expected a finite number of 0 or more");
        return None;
    }
    match arithmetic {
        written::Arithmetic::Float => Some(Arithmetic::Float { tolerance }),
        written::Arithmetic::FixedPoint if tolerance > 0.0 => {
            let remedy = "fixed point has no errors to allow: use 0, or arithmetic = \"float\"";
            problems.push(run.part("tolerance"), given, remedy);
            None
        }
        written::Arithmetic::FixedPoint => {
            accept(&run.place, FixedPoint::new(bits), problems).map(Arithmetic::FixedPoint)
        }
    }
}

/// Refuses layers whose sums do not fit into fixed point.
fn fits(
    figures: &[Figure],
    layers: &[String],
    arithmetic: Arithmetic,
    run: &At<written::Run>,
    problems: &mut Problems,
) {
    // Sums are checked before anything is computed: one cell suffices.
    let cell = walls::tiny();
    for (number, name) in layers.iter().enumerate().take(MOST_LAYERS as usize) {
        let members = figures.iter().filter(|figure| figure.entity.layers >> number & 1 == 1);
        let members: Vec<Entity> = members.map(|figure| figure.entity.clone()).collect();
        accept(&run.part(&format!("layer \"{}\"", names::shown(name))), arithmetic.moving(&cell, members), problems);
    }
}

/// The largest possible absolute value of each layer.
fn largest_values(figures: &[Figure], layers: &[String], diffusing: &[Diffusing], end: f64) -> Vec<f64> {
    let mut largest = vec![0.0; layers.len()];
    for figure in figures {
        for (layer, largest) in largest.iter_mut().enumerate().take(MOST_LAYERS as usize) {
            if figure.entity.layers >> layer & 1 == 1 {
                *largest += f64::from(figure.entity.most());
            }
        }
    }
    for diffusing in diffusing {
        largest[diffusing.layer] = diffusing.most(figures, end);
    }
    largest
}
