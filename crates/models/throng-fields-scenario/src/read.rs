//! Conversion of a scenario file to a scenario, with all problems in one report.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use throng_core::{Change, InputError, Problems};
use throng_fields_core::layers::MAX_LAYERS;
use throng_model::scenario_file::{At, ScenarioFile, Source, Texts, to_toml};

use crate::agents::AgentsTable;
use crate::combine::Combinations;
use crate::entities::MapEntity;
use crate::extracts::Extracts;
use crate::groups::Surroundings;
use crate::legend::Legend;
use crate::maps::Map;
use crate::memory::Load;
use crate::names::Known;
use crate::output::Drawable;
use crate::scenario::{FieldId, Scenario};
use crate::sources::Sources;
use crate::tables::{Tables, default_at};
use crate::team_colours::TeamColours;
use crate::terrain::Terrain;
use crate::value_checks::check_lengths;
use crate::wall_times::WallTimes;
use crate::{
    agents, arrays, diffusion, entities, extracts, flows, grid, groups, influences, memory, names, nav2, output,
    profiles, queries, run, sight, spawn, stamps, value_checks,
};

pub(crate) fn read(file: &ScenarioFile, changes: &[Change]) -> Result<Scenario, InputError> {
    let began = Instant::now();
    let mut problems = Problems::new();
    let texts = Texts::new("fields", file, changes, &mut problems)?;
    let source = texts.tree(&mut problems);
    if !problems.is_empty() {
        return Err(InputError(problems));
    }
    let bytes = file.text()?.len() as u64;
    let made = scenario(source, file.path(), bytes, &mut problems);
    texts.locate(&mut problems);
    problems.sort_by_line();
    problems.into_result()?;
    let name = file.path().display().to_string();
    let made = made.ok_or_else(|| InputError::one(name, "is not complete", "this is a bug, please report it"))?;
    Ok(Scenario { loading_s: began.elapsed().as_secs_f64(), ..made })
}

/// Builds a scenario from the tree of a file with a size of `bytes`. `None` only with problems.
fn scenario(source: Source<'_>, path: &Path, bytes: u64, problems: &mut Problems) -> Option<Scenario> {
    let settings = source.flat();
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut inputs = vec![(path.to_owned(), bytes)];
    let tables = &mut Tables::take(source, problems);
    let has_nav2 = tables.nav2.is_some();
    let map = tables.grid.as_mut().and_then(|grid| grid::read_map(grid, folder, has_nav2, problems));
    let has_unread_map = map.is_none() && tables.grid.as_ref().is_some_and(|grid| grid.value.map.is_some());
    let grid = tables.grid.as_ref().and_then(|written| grid::grid(written, has_unread_map, problems));
    let (title, seed) = heading(tables, problems);
    let layers = layers(&mut tables.layers, problems);
    let mut profiles = BTreeMap::new();
    for (name, written) in &tables.profiles {
        let fits = check_lengths(grid.as_ref(), &written.place, written.value.lengths(), problems);
        profiles.insert(name.clone(), profiles::profile(written, problems).filter(|_| fits));
    }
    let mut known_stamps = BTreeMap::new();
    for (name, written) in &tables.stamps {
        let (stamp, input) = stamps::stamp(written, folder, problems).unzip();
        inputs.extend(input.flatten());
        let fits = check_lengths(grid.as_ref(), &written.place, written.value.lengths(), problems);
        known_stamps.insert(name.clone(), stamp.filter(|_| fits));
    }
    inputs.extend(map.iter().flat_map(|map| map.inputs.clone()));
    let diffusing = diffusion::read(&tables.diffusion, &layers, problems);
    let sights = sight::read(&tables.sight, &layers, &profiles, &diffusing, tables.run.as_ref(), problems);
    let teams = {
        let Tables { entities, agents, goals, .. } = tables;
        influences::teams(tables.influence.as_ref(), entities, agents, goals, problems)
    };
    check_names(tables, problems);
    let combinations = Combinations::read(&mut tables.combine, &mut tables.combinations, &layers, problems);
    let (flow_names, flows) = flows::all(&mut tables.flow, &mut tables.flows, &layers, &combinations.names, problems);
    let group_names: Vec<String> = tables.agents.iter().map(|group| group.value.name.clone()).collect();
    let entity_names: Vec<Option<String>> = tables.entities.iter().map(|entity| entity.value.name.clone()).collect();
    let known = Known {
        layers: &layers,
        profiles: &profiles,
        stamps: &known_stamps,
        diffusing: &diffusing,
        sights: &sights,
        combinations: &combinations.names,
        flows: &flow_names,
        teams: &teams,
        groups: &group_names,
        entities: &entity_names,
        goals: &tables.goals,
        has_influence: tables.influence.is_some(),
        grid,
    };
    let made = tables.entities.iter_mut().filter_map(|entity| entities::entity(entity, &known, problems));
    let entities: Vec<MapEntity> = made.collect();
    let times = tables.run.as_ref().map_or((0.0, 0), |run| (run.value.time_step, run.value.steps));
    let schedules: Vec<Option<u32>> =
        tables.agents.iter_mut().map(|group| spawn::entering(group, times, agents::MAX, problems)).collect();
    let entering: Vec<u32> = schedules.iter().map(|entering| entering.unwrap_or(0)).collect();
    let influences = tables.influence.as_ref().and_then(|written| {
        influences::read(written, teams.clone(), strengths(&entities, &tables.agents, &entering), problems)
    });
    let written_output = tables.output.as_ref()?;
    let amounts = diffusing.iter().map(|diffusing| diffusing.layer).chain(sights.iter().map(|sight| sight.layer));
    let amounts: Vec<usize> = amounts.collect();
    let drawable = drawable(tables, !amounts.is_empty(), &teams);
    let is_amount = |field: FieldId| match field {
        FieldId::Layer(layer) => amounts.contains(&layer),
        FieldId::Combination(number) => {
            let of_combination = combinations.layers_of(number);
            let mut layers = (0..layers.len()).filter(|&layer| of_combination & names::layer_bit(layer) != 0);
            of_combination != 0 && layers.all(|layer| amounts.contains(&layer))
        }
    };
    let output = output::read(written_output, &layers, &combinations.names, is_amount, drawable, problems);
    let colours = TeamColours::new(&teams, &tables.entities, &tables.agents);
    let legend = legend(tables, &colours, problems)?;

    let mut terrain = None;
    let mut wall_times = WallTimes::read(&tables.walls, times, throng_core::available_memory(), problems);
    let idle_intervals = std::mem::take(&mut wall_times.idle);
    if let Some(grid) = grid {
        let written = tables.grid.as_ref()?;
        let load = Load::of(tables, layers.len(), (teams.len(), wall_times.sets.len()));
        let memory = (throng_core::available_memory(), entering.as_slice());
        if !memory::check((&grid, &written.place), load, &tables.agents, memory, problems) {
            return None;
        }
        let of_map = (map.as_ref(), &grid);
        let walls = (tables.walls.as_mut_slice(), wall_times);
        terrain = Terrain::read(of_map, written, walls, tables.nav2.as_mut(), &known, problems);
        names::check(&written.value.unit, &written.part("unit"), names::MAX_LENGTH, problems);
        if let Some(output) = &output {
            let steps = (times.1, tables.output.as_ref()?.place.as_str());
            output.check(steps, (&grid, &written.value.unit), (&legend, &teams), problems);
        }
    }
    run::check(tables.run.as_mut()?, problems);
    let run = tables.run.as_ref()?;
    let (steps, time_step) = (run.value.steps, run.value.time_step);
    // Ten maximum time steps exceed single precision.
    let stuck_after = run.value.stuck_after?.min(f64::from(f32::MAX)) as f32;
    let arithmetic = run::arithmetic(run, problems);
    let Terrain { terrains, goals, idle_walls, costmap } = terrain?;
    let ground = terrains.ground(terrains.after(0));
    // A rejected time step has no further consequences.
    let end = if value_checks::is_time(time_step) { f64::from(steps) * time_step } else { 0.0 };
    let around = Surroundings {
        terrains: &terrains,
        seed,
        time_step,
        steps,
        schedules: &schedules,
        colours: &colours.groups,
        known: &known,
    };
    let (groups, passages) = groups::groups(&mut tables.agents, &around, problems);
    let sources = Sources::new(&entities, &groups, layers.len());
    if let Some(arithmetic) = arithmetic {
        run::check_sums((&sources, &layers), ground.grid(), arithmetic, run, problems);
    }
    sight::check(&sights, &layers, (&entities, &groups), run, problems);
    let of_run = (run, end);
    diffusion::check(&tables.diffusion, &layers, ground.grid().cell(), of_run, &sources.emitted, problems);
    combinations.check(&layers, &sources.largest_values(&diffusing, &sights, end), problems);
    let made_combinations = combinations.made()?;
    if problems.is_empty() {
        groups::check_own_fields(&groups, &layers, &made_combinations, &tables.agents, problems);
    }
    if let (Some(nav2), Some(costmap)) = (&tables.nav2, &costmap) {
        nav2::check_goals(nav2, costmap, ground, problems);
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
    let written_output = &mut tables.output.as_mut()?.value;
    let extracts = Extracts {
        arrays: arrays::read(&mut written_output.arrays, context, problems),
        queries: queries::read(&mut written_output.queries, context, problems),
        costmap: costmap.is_some(),
    };
    if !problems.is_empty() {
        return None;
    }
    let effective = to_toml(tables).map_err(|error| {
        problems.push(path.display().to_string(), error.to_string(), "use only values that TOML can express");
    });
    Some(Scenario {
        title,
        seed,
        terrains,
        goals,
        teams,
        team_colours: colours.teams,
        idle_walls,
        idle_intervals,
        ignored_yaw: map.as_ref().and_then(Map::ignored_yaw),
        unit: tables.grid.as_ref()?.value.unit.clone(),
        layers,
        entities,
        diffusing,
        sights,
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
        effective: effective.ok()?,
        loading_s: 0.0,
    })
}

/// Reads title and seed; rejects another model.
fn heading(tables: &mut Tables, problems: &mut Problems) -> (String, i64) {
    let model = tables.model.get_or_insert_with(|| default_at("fields".to_owned(), "model"));
    if model.value != "fields" {
        problems.push(&model.place, format!("\"{}\"", names::shown(&model.value)), "expected \"fields\"");
    }
    let title = tables.title.get_or_insert_with(|| default_at("Fields".to_owned(), "title"));
    names::check(&title.value, &title.place, names::MAX_TITLE_LETTERS, problems);
    (title.value.clone(), tables.seed.get_or_insert_with(|| default_at(1, "seed")).value)
}

/// Rejects names that cannot be displayed or that several entities have; other names are checked where they are read.
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

/// Returns the quantities that images can show.
fn drawable(tables: &Tables, has_amounts: bool, teams: &[String]) -> Drawable {
    let of_agents = tables.agents.iter().any(|group| group.value.profile.is_some());
    Drawable {
        fields: !tables.entities.is_empty() || has_amounts || of_agents,
        costmap: tables.nav2.is_some(),
        influence: tables.influence.is_some() && !teams.is_empty(),
    }
}

fn legend(tables: &Tables, colours: &TeamColours, problems: &mut Problems) -> Option<Legend> {
    let output = tables.output.as_ref()?;
    let agents = (tables.agents.as_slice(), colours.groups.as_slice(), !tables.goals.is_empty());
    Some(Legend::new(&output.value.legend, &output.part("legend"), agents, &tables.entities, problems))
}

/// Reads the names of the layers.
fn layers(written: &mut Option<At<Vec<String>>>, problems: &mut Problems) -> Vec<String> {
    let written = written.get_or_insert_with(|| default_at(vec!["field".to_owned()], "layers"));
    let layers = &written.value;
    if layers.is_empty() || layers.len() > MAX_LAYERS as usize {
        let remedy = format!("expected 1 to {MAX_LAYERS} names");
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

/// The sum of the strengths of all entities and agents; `entering` agents enter each group later.
fn strengths(entities: &[MapEntity], agents: &[At<AgentsTable>], entering: &[u32]) -> f64 {
    let of_entities: f64 =
        entities.iter().filter_map(|entity| entity.team).map(|(_, strength)| f64::from(strength)).sum();
    let of_agents = |(group, &entering): (&At<AgentsTable>, &u32)| {
        // At least one, so that a strength out of range is rejected in any case.
        let count = (f64::from(group.value.count) + f64::from(entering)).max(1.0);
        f64::from(group.value.strength.unwrap_or(0.0)) * count
    };
    of_entities + agents.iter().zip(entering).map(of_agents).sum::<f64>()
}

#[cfg(test)]
mod tests;
