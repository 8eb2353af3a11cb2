//! From a scenario file to a scenario, with all problems in one report.

use std::path::Path;
use std::time::Instant;

use crate::creation::{Arithmetic, FixedPoint};
use crate::layers::{Combination, MOST_LAYERS};
use crate::routing::{Danger, TravelTimes};
use crate::{Profile, creation};
use throng_core::{InputError, Problems};

use crate::scenario::agents::{self, Surroundings};
use crate::scenario::arrays;
use crate::scenario::combine;
use crate::scenario::costmap;
use crate::scenario::diffusion;
use crate::scenario::effective;
use crate::scenario::entities::{self, Known, figure};
use crate::scenario::extracts::{Context, Extracts};
use crate::scenario::figures;
use crate::scenario::given::accept;
use crate::scenario::goals;
use crate::scenario::ground;
use crate::scenario::influences;
use crate::scenario::legend::Legend;
use crate::scenario::lengths;
use crate::scenario::maps::{self, Map};
use crate::scenario::memory::{self, Load};
use crate::scenario::names;
use crate::scenario::output::{self, Drawable};
use crate::scenario::queries;
use crate::scenario::rules;
use crate::scenario::sources::Sources;
use crate::scenario::spawn;
use crate::scenario::stamps;
use crate::scenario::walls;
use crate::scenario::written::{self, Follow};
use crate::scenario::{Figure, FlowRule, Scenario, Shown};
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
    let goals: Vec<At<written::Goal>> = source.take_list("goals", problems);
    let agents: Vec<At<written::Agents>> = source.take_list("agents", problems);
    let combine: Vec<At<written::Combine>> = source.take_list("combine", problems);
    let combinations: Vec<(String, At<written::Combination>)> = source.take_named("combinations", problems);
    let flow: Option<At<written::Flow>> = source.take("flow", problems);
    let flows: Vec<(String, At<written::Flow>)> = source.take_named("flows", problems);
    let influence: Option<At<written::Influence>> = source.take("influence", problems);
    let nav2: Option<At<written::Nav2>> = source.take("nav2", problems);
    // Each entry has its own line in messages.
    let arrays: Vec<At<written::Array>> = source.take_list_of("output", "arrays", problems);
    let queries: Vec<At<written::Query>> = source.take_list_of("output", "queries", problems);
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
    let teams = influences::teams(influence.as_ref(), &entities, &agents, problems);
    let mut written_grid: Option<At<written::Grid>> = grid;
    let map = written_grid.as_mut().and_then(|grid| read_map(grid, folder, problems));
    inputs.extend(map.iter().flat_map(|map| map.inputs.clone()));
    if let Some(grid) = written_grid.as_ref().filter(|grid| grid.value.unknown_is_open) {
        // What a map that cannot be read has is not known.
        if map.as_ref().map_or(grid.value.map.is_none(), |map| !map.is_of_robot()) {
            let remedy = "only the map of a robot (.yaml) has unknown cells: leave the key out, or give one as map";
            problems.push(grid.part("unknown_is_open"), "true", remedy);
        }
    }
    let known = Known {
        layers: &layers,
        profiles: &profiles,
        stamps: &known_stamps,
        diffusing: &diffusing,
        teams: &teams,
        has_influence: influence.is_some(),
        origin: written_grid.as_ref().map_or([0.0; 2], |grid| grid.value.origin_or_default()),
    };
    entities::check_names(&entities, problems);
    for (name, place) in agents.iter().filter_map(|group| Some((group.value.team.as_ref()?, group.part("team")))) {
        names::check_name(name, &place, problems);
    }
    entities::names_differ(&entities, problems);
    check_names(&walls, &written_profiles, &stamps, problems);
    let figures: Vec<Figure> = entities.iter().filter_map(|entity| figure(entity, &known, problems)).collect();
    let named_steps: Vec<(String, Vec<At<written::Combine>>)> =
        combinations.iter().map(|(name, written)| (name.clone(), combine::steps_of(written, problems))).collect();
    let mut combination_names = vec![String::new()];
    let mut made_combinations = vec![combine::read(&combine, &layers, problems)];
    for ((name, steps), (_, written)) in named_steps.iter().zip(&combinations) {
        names::check_name(name, &written.place, problems);
        if layers.contains(name) {
            let remedy = "a layer has this name: choose another one, so that it is clear which of both is meant";
            problems.push(&written.place, format!("\"{}\"", names::shown(name)), remedy);
        }
        combination_names.push(name.clone());
        made_combinations.push(combine::read(steps, &layers, problems));
    }
    let mut flow_names = vec![String::new()];
    let mut made_flows = vec![flow_rule(flow.as_ref(), &layers, &combination_names, problems)];
    for (name, written) in &flows {
        names::check_name(name, &written.place, problems);
        flow_names.push(name.clone());
        made_flows.push(flow_rule(Some(written), &layers, &combination_names, problems));
    }
    let times = run.as_ref().map_or((0.0, 0), |run: &At<written::Run>| (run.value.time_step, run.value.steps));
    let schedules: Vec<Option<u32>> =
        agents.iter().map(|group| spawn::entering(group, times, agents::MOST, problems)).collect();
    let entering: Vec<u32> = schedules.iter().map(|entering| entering.unwrap_or(0)).collect();
    let influences = influence.as_ref().and_then(|written| {
        influences::read(written, teams.clone(), strengths(&figures, &agents, &entering), problems)
    });
    let output = output.unwrap_or(At { value: written::Output::default(), place: "output".to_owned() });
    let (names, place) = (output.value.legend.clone(), output.part("legend"));
    let output_place = output.place.clone();
    let drawable = Drawable {
        fields: !entities.is_empty()
            || !diffusing.is_empty()
            || agents.iter().any(|group| group.value.profile.is_some()),
        costmap: nav2.is_some(),
        influence: influence.is_some() && !teams.is_empty(),
    };
    let output = output::read(output, &layers, &combination_names, &diffusing, drawable, problems);
    let legend = Legend::new(&names, &place, (&agents, !goals.is_empty()), &entities, problems);

    let has_unread_map = map.is_none() && written_grid.as_ref().is_some_and(|grid| grid.value.map.is_some());
    let grid = written_grid.as_ref().and_then(|written| ground::grid(written, has_unread_map, problems));
    let (mut made_ground, mut made_goals, mut idle_walls, mut costmap) = (None, Vec::new(), Vec::new(), None);
    if let (Some(written), Some(grid)) = (&written_grid, &grid) {
        let follows = agents.iter().flat_map(|group| group.value.follows());
        let load = Load {
            layers: layers.len(),
            diffusing: diffusing.len(),
            teams: if influence.is_some() { teams.len() } else { 0 },
            combinations: combination_names.len(),
            goals: agents.iter().map(|group| 1 + group.value.rules.len()).sum(),
            flows: follows.filter(|follow| *follow == Follow::Flow).count(),
            extracts: !arrays.is_empty() || !queries.is_empty(),
            costmap: nav2.is_some(),
        };
        let memory = (throng_core::available_memory(), entering.as_slice());
        if !memory::check((grid, &written.place), load, &agents, memory, problems) {
            return None;
        }
        let costs = map.as_ref().and_then(|map| map.costs_on(grid, problems));
        let open_on_map = costs.as_ref().map(|costs| maps::open_cells(grid, costs, written.value.unknown_is_open));
        let open;
        (open, idle_walls) = walls::open_cells(grid, &walls, open_on_map.as_ref(), problems);
        costmap = nav2.as_ref().and_then(|nav2| {
            let resolution = written.value.cell.unwrap_or_else(|| grid.cell().into());
            costmap::read(nav2, (grid, resolution), &open, costs.as_deref(), problems)
        });
        made_goals = goals::goals(&goals, grid, &open, &teams, problems);
        made_ground =
            accept(&written.place, ground::ground(grid, &open, &made_goals.iter().collect::<Vec<_>>()), problems);
        lengths::check(grid, &walls, &written_profiles, &stamps, &entities, problems);
        lengths::check_areas(grid, &goals, &agents, problems);
        names::check(&written.value.unit, &written.part("unit"), names::LONGEST, problems);
        if let Some(output) = &output {
            let steps = run.as_ref().map_or(0, |run| run.value.steps);
            output.check((steps, &output_place), (grid, &written.value.unit), (&legend, &teams), problems);
        }
    }
    let run: At<written::Run> = run?;
    let (steps, time_step) = (run.value.steps, run.value.time_step);
    // Ten of the longest time steps are beyond single precision.
    let stuck_after = run.value.stuck_after_or_default().min(f64::from(f32::MAX)) as f32;
    if steps == 0 {
        problems.push(run.part("steps"), "0", "expected 1 or more");
    }
    for (key, time) in [("time_step", Some(time_step)), ("stuck_after", run.value.stuck_after)] {
        if let Some(time) = time.filter(|time| !lengths::is_time(*time)) {
            let remedy = "expected a number from 1.2e-38 to 3.4e38, above 0 and in the range of single precision";
            problems.push(run.part(key), format!("{time:?}"), remedy);
        }
    }
    let arithmetic = arithmetic(&run, problems);
    let ground = made_ground?;
    // Nothing follows from a time step that is refused.
    let end = if lengths::is_time(time_step) { f64::from(steps) * time_step } else { 0.0 };
    let around = Surroundings {
        ground: &ground,
        seed,
        time_step,
        steps,
        schedules: &schedules,
        known: &rules::Known {
            teams: &teams,
            groups: &agents,
            entities: &entities,
            goals: &goals,
            combinations: &combination_names,
            flows: &flow_names,
        },
        sources: &known,
    };
    let groups = agents::groups(&around, problems);
    let sources = Sources::new(&figures, &groups, layers.len());
    if let Some(arithmetic) = arithmetic {
        fits(&sources, &layers, arithmetic, &run, problems);
    }
    diffusion::check(&diffusion, &layers, ground.grid().cell(), (&run, end), &sources.emitted, problems);
    let largest = sources.largest_values(&diffusing, end);
    for steps in [&combine].into_iter().chain(named_steps.iter().map(|(_, steps)| steps)) {
        combine::check(steps, &layers, &largest, problems);
    }
    let made_combinations: Vec<Combination> = made_combinations.into_iter().collect::<Option<_>>()?;
    if problems.is_empty() {
        agents::check_own_fields(&groups, &layers, &made_combinations, &agents, problems);
    }
    if let (Some(nav2), Some(costmap)) = (&nav2, &costmap) {
        costmap::check_goals(nav2, costmap, &ground, problems);
    }
    let context = Context {
        grid: ground.grid(),
        layers: &layers,
        combinations: &combination_names,
        teams: if influence.is_some() { &teams } else { &[] },
        has_goals: !goals.is_empty(),
        steps,
        time_step,
    };
    let extracts = Extracts {
        arrays: arrays::read(&arrays, context, problems),
        queries: queries::read(&queries, context, problems),
        costmap: costmap.is_some(),
    };
    if !problems.is_empty() {
        return None;
    }
    Some(Scenario {
        title,
        seed,
        ground,
        goals: made_goals,
        teams,
        idle_walls,
        unit: written_grid?.value.unit,
        layers,
        figures,
        diffusing,
        combinations: made_combinations,
        flows: made_flows.into_iter().collect::<Option<_>>()?,
        influences,
        groups,
        steps,
        time_step,
        stuck_after,
        arithmetic: arithmetic?,
        output: output?,
        legend,
        extracts,
        costmap,
        inputs,
        settings,
        read_from,
        loading_s: 0.0,
    })
}

/// Reads the map of a grid, and completes the grid if it is the map of a robot.
pub(crate) fn read_map(grid: &mut At<written::Grid>, folder: &Path, problems: &mut Problems) -> Option<Map> {
    let map = Map::read(&folder.join(grid.value.map.as_ref()?), problems)?;
    map.complete(grid, problems);
    Some(map)
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
        names::check_name(name, place, problems);
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
        names::check_name(name, &written.place, problems);
        if layers[..i].contains(name) {
            problems.push(&written.place, format!("\"{}\" twice", names::shown(name)), "give each layer a unique name");
        }
    }
    layers
}

/// Costs of paths; without any, the lengths of paths. The first name of a combination is that of the combined field.
fn flow_rule(
    written: Option<&At<written::Flow>>,
    layers: &[String],
    combinations: &[String],
    problems: &mut Problems,
) -> Option<FlowRule> {
    let Some(written) = written else {
        let written::Flow { base, weight, every, order, .. } = written::Flow::without_danger();
        let danger = Danger { base, weight, highest: Some(base * TravelTimes::MOST_RATIO) };
        return Some(FlowRule { felt: Shown::Combination(0), danger, every, order });
    };
    let &written::Flow { ref danger, base, weight, highest, every, order } = &written.value;
    let felt = match danger {
        Some(name) => names::field(name, &written.part("danger"), layers, combinations, problems)?,
        None => Shown::Combination(0),
    };
    if every == 0 {
        problems.push(written.part("every"), "0", "expected a number of steps, 1 or more");
    }
    let danger = Danger { base, weight, highest: Some(highest.unwrap_or(base * TravelTimes::MOST_RATIO)) };
    let flat = accept(&written.place, creation::by_tiles(&walls::tiny(), &[]), problems)?;
    accept(&written.place, danger.costs(&flat, None), problems)?;
    Some(FlowRule { felt, danger, every, order })
}

/// The strengths of all entities and agents, of which `entering` enter each group later.
fn strengths(figures: &[Figure], agents: &[At<written::Agents>], entering: &[u32]) -> f64 {
    let of_figures: f64 =
        figures.iter().filter_map(|figure| figure.team).map(|(_, strength)| f64::from(strength)).sum();
    let of_agents = |(group, &entering): (&At<written::Agents>, &u32)| {
        // One at least, so that a strength out of range is refused in any case.
        let count = (f64::from(group.value.count) + f64::from(entering)).max(1.0);
        f64::from(group.value.strength.unwrap_or(0.0)) * count
    };
    of_figures + agents.iter().zip(entering).map(of_agents).sum::<f64>()
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
    sources: &Sources<'_>,
    layers: &[String],
    arithmetic: Arithmetic,
    run: &At<written::Run>,
    problems: &mut Problems,
) {
    // Sums are checked before anything is computed: one cell suffices.
    let cell = walls::tiny();
    for (number, name) in layers.iter().enumerate().take(MOST_LAYERS as usize) {
        accept(
            &run.part(&format!("layer \"{}\"", names::shown(name))),
            arithmetic.check(&cell, &sources.members(number)),
            problems,
        );
    }
}
