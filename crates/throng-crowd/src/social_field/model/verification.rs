//! What the social field model promises, on every executor.

use std::collections::BTreeSet;

use throng_model::prelude::*;

use super::super::reference::Reference;
use super::super::rules::direction::turned;
use super::super::rules::grid::Grid;
use super::super::scene::{LEFT, Pedestrians};
use super::super::start::Flow;
use super::measures::lane_order;
use super::scenario::{Arrivals, Door, Entry, Group, Place, Scenario, Wall};
use super::{Crowd, SocialFieldModel};
use crate::Border;

pub const CASES: [Case; 14] = [
    Case::new("pedestrians are conserved", conservation, "each has a space unit of its own after 200 ticks in a crowd"),
    Case::new("steps are short", short_steps, "no step is longer than a space unit, or earlier than the walk period"),
    Case::new("states by definition", same_as_definition, "state hash of 60 ticks computed pedestrian by pedestrian"),
    Case::new("definition with rooms", rooms_as_definition, "the same with exits, an entry, a door, and exchanges"),
    Case::new("directions are equal", turned_world, "a world turned by a quarter has the same future, to the bit"),
    Case::new("rule 184", rule_184, "one lane without fields: the flow is the lesser of density and 1 - density"),
    Case::new("walk periods", walk_periods, "a pedestrian alone makes a step in each walk period"),
    Case::new("a full world", full_world, "nobody moves, until one leaves: then one a tick"),
    Case::new("free flow", free_flow, "at a density of 0.1 in one direction all walk at full speed"),
    Case::new("lanes form", lanes_form, "opposite streams separate into rows (mean of 10 seeds)"),
    Case::new("lanes need fields", lanes_need_fields, "without field weights they do not (mean of 10 seeds)"),
    Case::new("equal speeds", equal_speeds, "with equal_speeds, speed on diagonals over that on axes, walk period 5"),
    Case::new("wide doors are quicker", door_widths, "100 persons leave sooner through 4 space units than through 1"),
    Case::new("exits by crowding", exits_by_crowding, "a crowd at one exit also uses a farther one"),
];

/// The future of a crowd.
fn after(device: Option<&AnyDevice>, scenario: &Scenario, crowd: Crowd, ticks: u32) -> Result<Crowd, Failure> {
    let mut executor = SocialFieldModel::executor(device, scenario, crowd)?;
    for _ in 0..ticks {
        executor.step()?;
    }
    executor.state()
}

/// All states of a crowd.
fn course(device: Option<&AnyDevice>, scenario: &Scenario, ticks: u32) -> Result<Vec<Crowd>, Failure> {
    let mut executor = SocialFieldModel::executor(device, scenario, SocialFieldModel::start(scenario)?)?;
    let mut states = vec![executor.state()?];
    for _ in 0..ticks {
        executor.step()?;
        states.push(executor.state()?);
    }
    Ok(states)
}

/// A periodic world with a crowd.
fn crowd(side_su: u32, density: f64, headings: Flow) -> Scenario {
    Scenario { width_su: side_su, height_su: side_su, density, headings, ..Scenario::default() }
}

/// How many pedestrians are elsewhere after a tick.
fn moved(before: &Crowd, after: &Crowd) -> usize {
    before.pedestrians.at.iter().zip(&after.pedestrians.at).filter(|(before, after)| before != after).count()
}

fn conservation(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let scenario = crowd(48, 0.4, Flow::Eight);
    let start = SocialFieldModel::start(&scenario)?;
    let last = after(device, &scenario, start.clone(), 200)?;
    let places: BTreeSet<u32> = last.pedestrians.at.iter().copied().filter(|&at| at < 48 * 48).collect();
    let most_moved = moved(&start, &last) * 10 > places.len() * 9;
    let expected = format!("{} places, most of them new", start.pedestrians.len());
    let found = format!("{} places, {} new", places.len(), if most_moved { "most of them" } else { "few of them" });
    Ok(Finding { holds: expected == found, expected, found })
}

fn short_steps(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let mut scenario = crowd(32, 0.3, Flow::Four);
    scenario.walk_periods = vec![1, 3];
    let states = course(device, &scenario, 40)?;
    let (mut long, mut early, mut steps) = (0, 0, 0);
    let grid = Grid { width: 32, height: 32, boundary: Boundary::Periodic };
    for pair in states.windows(2) {
        let [before, after] = [&pair[0].pedestrians, &pair[1].pedestrians];
        for i in (0..before.len()).filter(|&i| before.at[i] != after.at[i]) {
            let [[x, y], to] = [grid.place(before.at[i]), grid.place(after.at[i])];
            let reached = (0..8).any(|direction| grid.place(grid.neighbour(x, y, direction)) == to);
            long += usize::from(!reached);
            early += usize::from(before.due[i] > pair[0].tick);
            steps += 1;
        }
    }
    let expected = "0 long, 0 early of over 5000 steps".to_owned();
    let found =
        if steps > 5000 { format!("{long} long, {early} early of over 5000 steps") } else { format!("{steps} steps") };
    Ok(Finding { holds: expected == found, expected, found })
}

/// The state hash by the definition and by an executor.
fn by_definition(device: Option<&AnyDevice>, scenario: &Scenario, ticks: u32) -> Result<Finding, Failure> {
    let start = SocialFieldModel::start(scenario)?;
    let (world, tables) = (start.prepared.world.clone(), start.prepared.tables.clone());
    let mut reference = Reference::new(world, tables, start.pedestrians.clone(), scenario.seed.into(), 0)?;
    for _ in 0..ticks {
        reference.step();
    }
    let hash = |hash: u64| format!("{hash:016x}");
    let found = after(device, scenario, start, ticks)?.hash();
    Ok(Finding::same(&hash(reference.pedestrians().hash()), &hash(found)))
}

fn same_as_definition(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    by_definition(device, &crowd(40, 0.45, Flow::Eight), 60)
}

/// Two rooms with a door between them that is shut for a while, and an exit each; people enter on the left.
fn two_rooms() -> Scenario {
    let place = |name: &str, at_su, size_su| Place { name: name.to_owned(), at_su, size_su };
    Scenario {
        width_su: 40,
        height_su: 22,
        border: Border::Closed,
        exchange_ticks: 2,
        choose_every_s: 1.2,
        rooms: vec![place("left", [1, 1], [18, 20]), place("right", [20, 1], [19, 20])],
        walls: vec![Wall { at_su: [8, 5], size_su: [2, 7] }],
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
            Group { room: Some("right".to_owned()), density: Some(0.2), ..Group::default() },
            Group { room: Some("left".to_owned()), persons: Some(40), walk_periods: vec![1, 2], ..Group::default() },
        ],
        ticks: 200,
        ..Scenario::default()
    }
}

fn rooms_as_definition(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    by_definition(device, &two_rooms(), 120)
}

fn turned_world(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let side = 36;
    let scenario = crowd(side, 0.3, Flow::Four);
    let turn = |crowd: Crowd| {
        let Pedestrians { at, heading, .. } = &crowd.pedestrians;
        let place = |&at: &u32| (at % side) * side + (side - 1 - at / side);
        let (at, heading) =
            (at.iter().map(place).collect(), heading.iter().map(|&h| turned(h.into(), 2) as u8).collect());
        Crowd { pedestrians: Pedestrians { at, heading, ..crowd.pedestrians.clone() }, ..crowd }
    };
    let start = SocialFieldModel::start(&scenario)?;
    let expected = turn(after(device, &scenario, start.clone(), 100)?);
    let found = after(device, &scenario, turn(start.clone()), 100)?;
    let hash = |crowd: &Crowd| format!("{:016x}", crowd.hash());
    let mut finding = Finding::same(&hash(&expected), &hash(&found));
    finding.holds &= moved(&turn(start), &found) > 100;
    Ok(finding)
}

fn rule_184(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let flow = |density: f64| -> Result<f64, Failure> {
        let mut scenario = crowd(1, density, Flow::Uni);
        (scenario.width_su, scenario.field_size, scenario.threshold) = (200, 1, 0.99);
        let before = after(device, &scenario, SocialFieldModel::start(&scenario)?, 400)?;
        let next = after(device, &scenario, before.clone(), 1)?;
        Ok(moved(&before, &next) as f64 / 200.0)
    };
    let densities = [0.1, 0.3, 0.5, 0.7, 0.9];
    let found = densities.into_iter().map(flow).collect::<Result<Vec<_>, _>>()?;
    Ok(Finding::all_close(&densities.map(|density| f64::min(density, 1.0 - density)), &found, 1e-9))
}

fn walk_periods(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let steps = |period: u32| -> Result<f64, Failure> {
        let mut scenario = crowd(200, 0.0, Flow::Uni);
        scenario.height_su = 9;
        let group = Group { persons: Some(1), headings: Flow::Uni, walk_periods: vec![period], ..Group::default() };
        scenario.groups = vec![group];
        let mut start = SocialFieldModel::start(&scenario)?;
        start.pedestrians.due = vec![0];
        let from = start.pedestrians.at[0];
        let to = after(device, &scenario, start, 100)?.pedestrians.at[0];
        Ok(f64::from((to % 200 + 200 - from % 200) % 200))
    };
    let found = [1, 2, 3, 7].into_iter().map(steps).collect::<Result<Vec<_>, _>>()?;
    Ok(Finding::all_close(&[100.0, 50.0, 34.0, 15.0], &found, 0.0))
}

fn full_world(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let scenario = crowd(20, 1.0, Flow::Eight);
    let start = SocialFieldModel::start(&scenario)?;
    let full = moved(&start, &after(device, &scenario, start.clone(), 5)?);
    // One place is free: in each tick a neighbour may enter it.
    let mut start = start;
    let Pedestrians { at, heading, period, due, .. } = &mut start.pedestrians;
    for column in [at, period, due] {
        column.pop();
    }
    heading.pop();
    let first = after(device, &scenario, start.clone(), 1)?;
    let found = format!("{full} moved, then {}", moved(&start, &first));
    Ok(Finding::same("0 moved, then 1", &found))
}

fn free_flow(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let scenario = crowd(64, 0.1, Flow::Uni);
    let before = after(device, &scenario, SocialFieldModel::start(&scenario)?, 200)?;
    let next = after(device, &scenario, before.clone(), 1)?;
    Ok(Finding::close(1.0, moved(&before, &next) as f64 / before.pedestrians.len() as f64, 0.01))
}

/// The order parameter of lanes after 600 ticks at a density of 0.2, the mean and the extremes of ten seeds.
fn lanes(device: Option<&AnyDevice>, change: impl Fn(&mut Scenario)) -> Result<[f64; 3], Failure> {
    let mut orders = Vec::new();
    for seed in 1..=10 {
        let mut scenario = Scenario { seed, ..crowd(40, 0.2, Flow::Bi) };
        change(&mut scenario);
        orders.push(lane_order(&after(device, &scenario, SocialFieldModel::start(&scenario)?, 600)?));
    }
    let mean = orders.iter().sum::<f64>() / orders.len() as f64;
    let [least, most] = [f64::min, f64::max].map(|pick| orders.iter().copied().reduce(pick).unwrap_or(mean));
    Ok([mean, least, most])
}

fn lanes_form(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let [mean, least, most] = lanes(device, |_| {})?;
    let found = format!("{mean:.2} ({least:.2} to {most:.2})");
    Ok(Finding { expected: "at least 0.9".to_owned(), found, holds: mean >= 0.9 })
}

fn lanes_need_fields(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let without = |scenario: &mut Scenario| {
        (scenario.crowd_weight, scenario.same_weight, scenario.oncoming_weight) = (0.0, 0.0, 0.0);
    };
    let [mean, least, most] = lanes(device, without)?;
    let found = format!("{mean:.2} ({least:.2} to {most:.2})");
    Ok(Finding { expected: "at most 0.7, more than 0".to_owned(), found, holds: mean <= 0.7 && mean > 0.0 })
}

fn equal_speeds(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let mut scenario = crowd(80, 0.02, Flow::Eight);
    scenario.equal_speeds = true;
    scenario.walk_periods = vec![5];
    let states = course(device, &scenario, 100)?;
    let mut steps = [[0.0f64; 2]; 2];
    for pair in states[20..].windows(2) {
        let [before, after] = [&pair[0].pedestrians, &pair[1].pedestrians];
        for i in (0..before.len()).filter(|&i| before.at[i] != after.at[i]) {
            steps[usize::from(before.heading[i] % 2 == 1)][0] += 1.0;
        }
    }
    for heading in &states[0].pedestrians.heading {
        steps[usize::from(heading % 2 == 1)][1] += 1.0;
    }
    let speed = |[steps, persons]: [f64; 2], length: f64| steps * length / persons;
    let found = speed(steps[1], libm::sqrt(2.0)) / speed(steps[0], 1.0);
    // 7 ticks for a diagonal step, instead of 5 times the root of 2.
    Ok(Finding::close(libm::sqrt(2.0) * 5.0 / 7.0, found, 0.05))
}

/// A room with 100 persons and an exit of so many space units.
fn room(width: u32) -> Scenario {
    Scenario {
        width_su: 24,
        height_su: 24,
        border: Border::Closed,
        rooms: vec![Place { name: "room".to_owned(), at_su: [1, 1], size_su: [22, 22] }],
        exits: vec![Place { name: "exit".to_owned(), at_su: [23, 12 - width / 2], size_su: [1, width] }],
        groups: vec![Group { persons: Some(100), ..Group::default() }],
        ..Scenario::default()
    }
}

fn door_widths(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let time = |width: u32| -> Result<u32, Failure> {
        let scenario = room(width);
        let last = after(device, &scenario, SocialFieldModel::start(&scenario)?, 500)?;
        let Pedestrians { at, due, .. } = &last.pedestrians;
        Ok(if at.iter().all(|&at| at == LEFT) { due.iter().copied().max().unwrap_or(0) } else { u32::MAX })
    };
    let (narrow, wide) = (time(1)?, time(4)?);
    Ok(Finding {
        expected: "1: at least 100 ticks; 4: at most half".to_owned(),
        found: format!("1: {narrow} ticks; 4: {wide}"),
        holds: (100..u32::MAX).contains(&narrow) && wide >= 25 && wide * 2 <= narrow,
    })
}

fn exits_by_crowding(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let through_far = |crowding_weight: f64| -> Result<usize, Failure> {
        let mut scenario = room(1);
        scenario.width_su = 48;
        scenario.rooms[0].size_su = [46, 22];
        scenario.walls = vec![Wall { at_su: [16, 1], size_su: [1, 8] }];
        scenario.exits[0] = Place { name: "near".to_owned(), at_su: [0, 12], size_su: [1, 1] };
        scenario.exits.push(Place { name: "far".to_owned(), at_su: [47, 12], size_su: [1, 1] });
        (scenario.choose_every_s, scenario.crowding_weight) = (1.5, crowding_weight);
        let mut start = SocialFieldModel::start(&scenario)?;
        // All in the western third.
        let places = (0..100).map(|i| (2 + i / 20) + 48 * (2 + i % 20));
        start.pedestrians.at = places.collect();
        start.pedestrians.exit = vec![0; 100];
        let last = after(device, &scenario, start, 500)?;
        let Pedestrians { at, exit, .. } = &last.pedestrians;
        Ok(at.iter().zip(exit).filter(|&(&at, &exit)| at == LEFT && exit == 1).count())
    };
    let (by_distance, by_crowding) = (through_far(0.0)?, through_far(1.0)?);
    Ok(Finding {
        expected: "0 by distance, 10 to 50 by crowding".to_owned(),
        found: format!("{by_distance} by distance, {by_crowding} by crowding"),
        holds: by_distance == 0 && (10..=50).contains(&by_crowding),
    })
}
