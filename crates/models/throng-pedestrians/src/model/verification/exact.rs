//! Exact properties: conservation, equality with the definition, symmetries, and cases with known answers.

use std::collections::BTreeSet;

use throng_model::prelude::*;

use super::super::super::rules::direction::turned;
use super::super::super::rules::directional::Reading;
use super::super::super::rules::grid::Grid;
use super::super::super::scene::Pedestrians;
use super::super::super::sector_map::SectorMap;
use super::super::super::start::Flow;
use super::super::scenario::{Arrivals, Door, Entry, Group, Place, Scenario, Wall};
use super::super::{Crowd, SocialFieldModel};
use super::executor::CaseExecutor;
use super::{after, course, crowd, moved};
use throng_model::scenario_file::Border;

pub fn conservation(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let scenario = crowd(48, 0.4, Flow::Eight);
    let start = SocialFieldModel::start(&scenario)?;
    let last = after(on, &scenario, start.clone(), 200)?;
    let places: BTreeSet<u32> = last.pedestrians.at.iter().copied().filter(|&at| at < 48 * 48).collect();
    let most_moved = moved(&start, &last) * 10 > places.len() * 9;
    let expected = format!("{} positions, most of them new", start.pedestrians.len());
    let found = format!("{} positions, {} new", places.len(), if most_moved { "most of them" } else { "few of them" });
    Ok(Finding { holds: expected == found, expected, found })
}

pub fn short_steps(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let mut scenario = crowd(32, 0.3, Flow::Four);
    scenario.walk_periods = vec![1, 3];
    let periods = SocialFieldModel::start(&scenario)?.pedestrians.period;
    let states = course(on, &scenario, 40)?;
    let (mut long, mut early, mut steps) = (0, 0, 0);
    let grid = Grid { width: 32, height: 32, boundary: Boundary::Periodic };
    // The tick before which each pedestrian may not make another step.
    let mut next = vec![0; periods.len()];
    for (tick, pair) in (0u32..).zip(states.windows(2)) {
        let [before, after] = [&pair[0].pedestrians, &pair[1].pedestrians];
        for i in (0..before.len()).filter(|&i| before.at[i] != after.at[i]) {
            let [[x, y], to] = [grid.place(before.at[i]), grid.place(after.at[i])];
            let reached = (0..8).any(|direction| grid.place(grid.neighbour(x, y, direction)) == to);
            long += usize::from(!reached);
            early += usize::from(tick < next[i]);
            next[i] = tick + periods[i];
            steps += 1;
        }
    }
    let expected = "0 long, 0 early of over 5000 steps".to_owned();
    let found =
        if steps > 5000 { format!("{long} long, {early} early of over 5000 steps") } else { format!("{steps} steps") };
    Ok(Finding { holds: expected == found, expected, found })
}

/// Compares the state hashes of the definition and an executor.
pub fn by_definition(on: &dyn CaseExecutor, scenario: &Scenario, ticks: u32) -> Result<Finding, Failure> {
    let start = SocialFieldModel::start(scenario)?;
    let hash = |hash: u64| format!("{hash:016x}");
    let expected = on.hash_by_definition(&start, ticks)?;
    Ok(Finding::same(&hash(expected), &hash(after(on, scenario, start, ticks)?.hash())))
}

pub fn same_as_definition(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    by_definition(on, &crowd(40, 0.45, Flow::Eight), 60)
}

/// Two rooms, each with an exit, and a door between them that is shut for a while and through which streams meet;
/// pedestrians enter on the left. Exits and walls have fields.
fn two_rooms() -> Scenario {
    let place = |name: &str, at_su, size_su| Place { name: name.to_owned(), at_su, size_su };
    let wall = |at_su, size_su| Wall { at_su, size_su };
    let group = |room: &str, persons, exits: &[&str]| Group {
        room: Some(room.to_owned()),
        persons: Some(persons),
        exits: Some(exits.iter().map(|&exit| exit.to_owned()).collect()),
        ..Group::default()
    };
    Scenario {
        width_su: 40,
        height_su: 22,
        border: Border::Closed,
        exchange_ticks: 2,
        choose_every_s: 1.2,
        rooms: vec![place("left", [1, 1], [18, 20]), place("right", [20, 1], [19, 20])],
        // The small walls touch at their corners.
        walls: [vec![wall([8, 5], [2, 7])], (0..6).map(|i| wall([11 + i, 12 + i], [1, 1])).collect()].concat(),
        opening_weight: 0.2,
        obstacle_weight: 0.02,
        side_weight: 0.05,
        doors: vec![Door {
            name: "door".to_owned(),
            at_su: [19, 9],
            size_su: [1, 3],
            open_s: Some(vec![[0.0, 6.0], [15.0, 1000.0]]),
        }],
        exits: vec![place("west", [0, 18], [1, 2]), place("east", [39, 3], [1, 2])],
        entries: vec![Entry {
            name: "in".to_owned(),
            at_su: [0, 3],
            size_su: [1, 4],
            persons_per_s: 2.0,
            from_s: 1.0,
            to_s: None,
            arrivals: Arrivals::Random,
            exits: Some(vec!["east".to_owned()]),
            walk_periods: vec![1, 2],
        }],
        groups: vec![
            Group { walk_periods: vec![1, 2], ..group("left", 50, &["west", "east"]) },
            group("left", 20, &["east"]),
            group("right", 60, &["west", "east"]),
            group("right", 20, &["west"]),
        ],
        ticks: 200,
        ..Scenario::default()
    }
}

pub fn rooms_as_definition(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    by_definition(on, &two_rooms(), 120)
}

/// The worlds for symmetries: all sector maps with fields counted in windows, and a larger field.
fn symmetric_worlds(headings: Flow) -> Vec<Scenario> {
    let fields = [(SectorMap::Exact45, 7), (SectorMap::Seed7, 7), (SectorMap::Skew, 9), (SectorMap::Exact45, 15)];
    let world = |(sector_map, field_size)| Scenario { field_size, sector_map, ..crowd(36, 0.3, headings) };
    fields.map(world).to_vec()
}

/// Counts the worlds for which changing all positions and headings and then simulating differs from simulating first.
fn changed_worlds(
    on: &dyn CaseExecutor,
    worlds: &[Scenario],
    place: impl Fn(u32, u32) -> u32,
    heading: impl Fn(u8) -> u8,
) -> Result<Finding, Failure> {
    let mut differ = 0;
    for scenario in worlds {
        let change = |mut crowd: Crowd| {
            crowd.pedestrians.at.iter_mut().for_each(|at| *at = place(*at, scenario.width_su));
            crowd.pedestrians.heading.iter_mut().for_each(|of| *of = heading(*of));
            crowd
        };
        let start = SocialFieldModel::start(scenario)?;
        let last = after(on, scenario, start.clone(), 60)?;
        let found = after(on, scenario, change(start.clone()), 60)?;
        let has_moved = moved(&start, &last) * 2 > last.pedestrians.len();
        differ += usize::from(change(last).hash() != found.hash() || !has_moved);
    }
    Ok(Finding::no_difference(&format!("of {} worlds", worlds.len()), differ))
}

pub fn turned_world(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let place = |at: u32, side: u32| (at % side) * side + (side - 1 - at / side);
    changed_worlds(on, &symmetric_worlds(Flow::Four), place, |heading| turned(heading.into(), 2) as u8)
}

pub fn shifted_world(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    // Shifts that are not multiples of a word of the planes.
    let place = |at: u32, side: u32| (at / side + 23) % side * side + (at % side + 11) % side;
    changed_worlds(on, &symmetric_worlds(Flow::Eight), place, |heading| heading)
}

pub fn rule_184(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let flow = |density: f64| -> Result<f64, Failure> {
        let mut scenario = crowd(1, density, Flow::Uni);
        (scenario.width_su, scenario.field_size, scenario.threshold) = (200, 1, 0.99);
        let before = after(on, &scenario, SocialFieldModel::start(&scenario)?, 400)?;
        let next = after(on, &scenario, before.clone(), 1)?;
        Ok(moved(&before, &next) as f64 / 200.0)
    };
    let densities = [0.1, 0.3, 0.5, 0.7, 0.9];
    let found = densities.into_iter().map(flow).collect::<Result<Vec<_>, _>>()?;
    Ok(Finding::all_close(&densities.map(|density| f64::min(density, 1.0 - density)), &found, 1e-9))
}

pub fn walk_periods(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let steps = |period: u32| -> Result<f64, Failure> {
        let mut scenario = crowd(200, 0.0, Flow::Uni);
        scenario.height_su = 9;
        let group = Group { persons: Some(1), headings: Flow::Uni, walk_periods: vec![period], ..Group::default() };
        scenario.groups = vec![group];
        let mut start = SocialFieldModel::start(&scenario)?;
        start.pedestrians.due = vec![0];
        let from = start.pedestrians.at[0];
        let to = after(on, &scenario, start, 100)?.pedestrians.at[0];
        Ok(f64::from((to % 200 + 200 - from % 200) % 200))
    };
    let found = [1, 2, 3, 7].into_iter().map(steps).collect::<Result<Vec<_>, _>>()?;
    Ok(Finding::all_close(&[100.0, 50.0, 34.0, 15.0], &found, 0.0))
}

pub fn full_world(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let scenario = crowd(20, 1.0, Flow::Eight);
    let start = SocialFieldModel::start(&scenario)?;
    let full = moved(&start, &after(on, &scenario, start.clone(), 5)?);
    // One space unit is free: in each tick one neighbour may enter it.
    let mut start = start;
    let Pedestrians { at, heading, period, due, .. } = &mut start.pedestrians;
    for column in [at, period, due] {
        column.pop();
    }
    heading.pop();
    let first = after(on, &scenario, start.clone(), 1)?;
    let found = format!("{full} moved, then {}", moved(&start, &first));
    Ok(Finding::same("0 moved, then 1", &found))
}

pub fn empty_world(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let scenario = crowd(20, 0.0, Flow::Eight);
    let last = after(on, &scenario, SocialFieldModel::start(&scenario)?, 20)?;
    Ok(Finding::same(
        "0 pedestrians at tick 20",
        &format!("{} pedestrians at tick {}", last.pedestrians.len(), last.tick),
    ))
}

pub fn free_flow(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let scenario = crowd(64, 0.1, Flow::Uni);
    let before = after(on, &scenario, SocialFieldModel::start(&scenario)?, 200)?;
    let next = after(on, &scenario, before.clone(), 1)?;
    Ok(Finding::close(1.0, moved(&before, &next) as f64 / before.pedestrians.len() as f64, 0.01))
}

pub fn traces_as_definition(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let scenario =
        Scenario { trace_decay: 3, reading: Reading::Cone, exchange_ticks: 2, ..crowd(28, 0.45, Flow::Eight) };
    by_definition(on, &scenario, 20)
}
