//! From a scenario file to a scenario, with all problems in one report.

use std::path::Path;
use std::time::Instant;

use throng_core::{Change, InputError, Problems};
use throng_fields_core::Profile;
use throng_fields_core::layers::MOST_LAYERS;
use throng_model::{At, ScenarioFile, Source, Texts, word_of};

use crate::agents::Surroundings;
use crate::combine::Combinations;
use crate::diffusion::Diffusing;
use crate::entities::{Known, figure};
use crate::extracts::Extracts;
use crate::legend::Legend;
use crate::maps::Map;
use crate::memory::Load;
use crate::output::Drawable;
use crate::sources::Sources;
use crate::tables::Tables;
use crate::team_colours::TeamColours;
use crate::terrain::Terrain;
use crate::{
    Figure, Scenario, agents, arithmetic, arrays, costmap, diffusion, effective, entities, extracts, figures, flows,
    ground, influences, lengths, memory, names, output, queries, rules, spawn, stamps, written,
};

pub fn read(file: &ScenarioFile, changes: &[Change]) -> Result<Scenario, InputError> {
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
pub fn effective(file: &ScenarioFile, changes: &[Change]) -> Result<String, InputError> {
    let mut problems = Problems::new();
    let texts = Texts::new("fields", file, changes, &mut problems)?;
    let text = effective::text(texts.tree(&mut problems), &mut problems);
    problems.into_result()?;
    text.ok_or_else(|| incomplete(file.path()))
}

/// Builds a scenario from the whole tree of a file, which has so many bytes. `None` only with problems.
fn scenario(
    source: Source<'_>,
    read_from: (ScenarioFile, Vec<Change>),
    bytes: u64,
    problems: &mut Problems,
) -> Option<Scenario> {
    let settings = source.flat();
    let path = read_from.0.path();
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut inputs = vec![(path.to_owned(), bytes)];
    let mut tables = Tables::take(source, problems);
    let map = tables.grid.as_mut().and_then(|grid| read_map(grid, folder, problems));
    let tables = &tables;
    check_distro(tables, map.as_ref(), problems);
    let (title, seed) = heading(tables, problems);
    let layers = layers(tables.layers.as_ref(), problems);
    let profiles: Vec<(String, Option<Profile>)> =
        tables.profiles.iter().map(|(name, profile)| (name.clone(), figures::profile(profile, problems))).collect();
    let mut known_stamps = Vec::new();
    for (name, stamp) in &tables.stamps {
        let (stamp, input) = stamps::stamp(stamp, folder, problems).unzip();
        inputs.extend(input.flatten());
        known_stamps.push((name.clone(), stamp));
    }
    inputs.extend(map.iter().flat_map(|map| map.inputs.clone()));
    let diffusing = diffusion::read(&tables.diffusion, &layers, problems);
    let teams = {
        let Tables { entities, agents, goals, .. } = tables;
        influences::teams(tables.influence.as_ref(), entities, agents, goals, problems)
    };
    let known = Known {
        layers: &layers,
        profiles: &profiles,
        stamps: &known_stamps,
        diffusing: &diffusing,
        teams: &teams,
        has_influence: tables.influence.is_some(),
        origin: tables.grid.as_ref().map_or([0.0; 2], |grid| grid.value.origin_or_default()),
    };
    check_names(tables, problems);
    let figures: Vec<Figure> = tables.entities.iter().filter_map(|entity| figure(entity, &known, problems)).collect();
    let combinations = Combinations::read(&tables.combine, &tables.combinations, &layers, problems);
    let (flow_names, flows) = flows::all(tables.flow.as_ref(), &tables.flows, &layers, &combinations.names, problems);
    let times = tables.run.as_ref().map_or((0.0, 0), |run| (run.value.time_step, run.value.steps));
    let schedules: Vec<Option<u32>> =
        tables.agents.iter().map(|group| spawn::entering(group, times, agents::MOST, problems)).collect();
    let entering: Vec<u32> = schedules.iter().map(|entering| entering.unwrap_or(0)).collect();
    let influences = tables.influence.as_ref().and_then(|written| {
        influences::read(written, teams.clone(), strengths(&figures, &tables.agents, &entering), problems)
    });
    let no_output = At { value: written::Output::default(), place: "output".to_owned() };
    let written_output = tables.output.as_ref().unwrap_or(&no_output);
    let drawable = drawable(tables, &diffusing, &teams);
    let output = output::read(written_output, &layers, &combinations.names, &diffusing, drawable, problems);
    let colours = TeamColours::new(&teams, &tables.entities, &tables.agents);
    let legend = legend(tables, &colours, written_output, problems);

    let has_unread_map = map.is_none() && tables.grid.as_ref().is_some_and(|grid| grid.value.map.is_some());
    let written_grid = tables.grid.as_ref();
    let mut terrain = None;
    if let Some(grid) = written_grid.and_then(|written| ground::grid(written, has_unread_map, problems)) {
        let written = written_grid?;
        let load = Load::of(tables, layers.len(), teams.len());
        let memory = (throng_core::available_memory(), entering.as_slice());
        if !memory::check((&grid, &written.place), load, &tables.agents, memory, problems) {
            return None;
        }
        terrain = Terrain::read(tables, (written, &grid), map.as_ref(), &teams, problems);
        lengths::check(&grid, tables, problems);
        names::check(&written.value.unit, &written.part("unit"), names::LONGEST, problems);
        if let Some(output) = &output {
            let steps = (times.1, written_output.place.as_str());
            output.check(steps, (&grid, &written.value.unit), (&legend, &teams), problems);
        }
    }
    let run = tables.run.as_ref()?;
    check_run(run, problems);
    let (steps, time_step) = (run.value.steps, run.value.time_step);
    // Ten of the longest time steps are beyond single precision.
    let stuck_after = run.value.stuck_after_or_default().min(f64::from(f32::MAX)) as f32;
    let arithmetic = arithmetic::read(run, problems);
    let Terrain { ground, goals, idle_walls, costmap } = terrain?;
    // Nothing follows from a time step that is refused.
    let end = if lengths::is_time(time_step) { f64::from(steps) * time_step } else { 0.0 };
    let around = Surroundings {
        ground: &ground,
        seed,
        time_step,
        steps,
        schedules: &schedules,
        colours: &colours.groups,
        known: &rules::Known {
            teams: &teams,
            groups: &tables.agents,
            entities: &tables.entities,
            goals: &tables.goals,
            combinations: &combinations.names,
            flows: &flow_names,
        },
        sources: &known,
    };
    let (groups, passages) = agents::groups(&around, problems);
    let sources = Sources::new(&figures, &groups, layers.len());
    if let Some(arithmetic) = arithmetic {
        arithmetic::check(&sources, &layers, arithmetic, run, problems);
    }
    let of_run = (run, end);
    diffusion::check(&tables.diffusion, &layers, ground.grid().cell(), of_run, &sources.emitted, problems);
    combinations.check(&layers, &sources.largest_values(&diffusing, end), problems);
    let made_combinations = combinations.made()?;
    if problems.is_empty() {
        agents::check_own_fields(&groups, &layers, &made_combinations, &tables.agents, problems);
    }
    if let (Some(nav2), Some(costmap)) = (&tables.nav2, &costmap) {
        costmap::check_goals(nav2, costmap, &ground, problems);
    }
    let context = extracts::Context {
        grid: ground.grid(),
        layers: &layers,
        combinations: &combinations.names,
        teams: if tables.influence.is_some() { &teams } else { &[] },
        has_goals: !tables.goals.is_empty(),
        steps,
        time_step,
    };
    let extracts = Extracts {
        arrays: arrays::read(&tables.arrays, context, problems),
        queries: queries::read(&tables.queries, context, problems),
        costmap: costmap.is_some(),
    };
    if !problems.is_empty() {
        return None;
    }
    Some(Scenario {
        title,
        seed,
        ground,
        goals,
        teams,
        team_colours: colours.teams,
        idle_walls,
        ignored_yaw: map.as_ref().and_then(Map::ignored_yaw),
        unit: written_grid?.value.unit.clone(),
        layers,
        figures,
        diffusing,
        combinations: made_combinations,
        flows: flows.into_iter().collect::<Option<_>>()?,
        influences,
        groups,
        passages,
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

/// Title and seed; refuses another model.
fn heading(tables: &Tables, problems: &mut Problems) -> (String, i64) {
    if let Some(model) = tables.model.as_ref().filter(|model| model.value != "fields") {
        problems.push(&model.place, format!("\"{}\"", names::shown(&model.value)), "expected \"fields\"");
    }
    if let Some(title) = &tables.title {
        names::check(&title.value, &title.place, names::LONGEST_TITLE, problems);
    }
    let title = tables.title.as_ref().map_or_else(|| "Fields".to_owned(), |title| title.value.clone());
    (title, tables.seed.as_ref().map_or(1, |seed| seed.value))
}

/// Reads the map of a grid, and completes the grid if it is the map of a robot.
pub fn read_map(grid: &mut At<written::Grid>, folder: &Path, problems: &mut Problems) -> Option<Map> {
    let distro = grid.value.ros_distro.unwrap_or_default();
    let map = grid.value.map.as_ref().and_then(|file| Map::read(&folder.join(file), distro, problems));
    if let Some(map) = &map {
        map.complete(grid, problems);
    }
    // What a map that cannot be read has is not known.
    let is_of_robot = map.as_ref().map_or(grid.value.map.is_some(), Map::is_of_robot);
    if grid.value.unknown_is_open && !is_of_robot {
        let remedy = "only the map of a robot (.yaml) has unknown cells: leave the key out, or give one as map";
        problems.push(grid.part("unknown_is_open"), "true", remedy);
    }
    if is_of_robot {
        grid.value.ros_distro.get_or_insert_default();
    }
    map
}

/// Refuses a distribution of ROS 2 without anything that follows it.
fn check_distro(tables: &Tables, map: Option<&Map>, problems: &mut Problems) {
    let Some(grid) = &tables.grid else { return };
    let is_used = map.map_or(grid.value.map.is_some(), Map::is_of_robot) || tables.nav2.is_some();
    if let Some(distro) = grid.value.ros_distro.filter(|_| !is_used) {
        let remedy = "only the map of a robot (.yaml) and [nav2] follow it: leave the key out, or give one of them";
        problems.push(grid.part("ros_distro"), word_of(&distro), remedy);
    }
}

/// Refuses names that cannot be shown or that several entities have; all others are checked where they are read.
fn check_names(tables: &Tables, problems: &mut Problems) {
    entities::check_names(&tables.entities, problems);
    let teams = tables.agents.iter().filter_map(|group| Some((group.value.team.as_ref()?, group.part("team"))));
    for (name, place) in teams {
        names::check_name(name, &place, problems);
    }
    entities::names_differ(&tables.entities, problems);
    let walls = tables.walls.iter().filter_map(|wall| wall.value.name.as_ref().map(|name| (name, &wall.place)));
    let profiles = tables.profiles.iter().map(|(name, profile)| (name, &profile.place));
    let stamps = tables.stamps.iter().map(|(name, stamp)| (name, &stamp.place));
    for (name, place) in walls.chain(profiles).chain(stamps) {
        names::check_name(name, place, problems);
    }
}

/// What pictures can show.
fn drawable(tables: &Tables, diffusing: &[Diffusing], teams: &[String]) -> Drawable {
    let of_agents = tables.agents.iter().any(|group| group.value.profile.is_some());
    Drawable {
        fields: !tables.entities.is_empty() || !diffusing.is_empty() || of_agents,
        costmap: tables.nav2.is_some(),
        influence: tables.influence.is_some() && !teams.is_empty(),
    }
}

fn legend(tables: &Tables, colours: &TeamColours, output: &At<written::Output>, problems: &mut Problems) -> Legend {
    let agents = (tables.agents.as_slice(), colours.groups.as_slice(), !tables.goals.is_empty());
    Legend::new(&output.value.legend, &output.part("legend"), agents, &tables.entities, problems)
}

/// Refuses numbers and lengths of steps that a run cannot have.
fn check_run(run: &At<written::Run>, problems: &mut Problems) {
    let written::Run { steps, time_step, stuck_after, .. } = run.value;
    if steps == 0 {
        problems.push(run.part("steps"), "0", "expected 1 or more");
    }
    for (key, time) in [("time_step", Some(time_step)), ("stuck_after", stuck_after)] {
        if let Some(time) = time.filter(|time| !lengths::is_time(*time)) {
            let remedy = "expected a number from 1.2e-38 to 3.4e38, above 0 and in the range of single precision";
            problems.push(run.part(key), format!("{time:?}"), remedy);
        }
    }
}

fn layers(written: Option<&At<Vec<String>>>, problems: &mut Problems) -> Vec<String> {
    let Some(written) = written else { return vec!["field".to_owned()] };
    let layers = &written.value;
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
    layers.clone()
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
