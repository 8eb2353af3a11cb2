//! Properties in rooms.

use throng_model::prelude::*;

use super::super::super::scene::{LEFT, Pedestrians};
use super::super::SocialFieldModel;
use super::super::scenario::{Group, Place, Scenario, Wall};
use super::after;
use super::executor::{CaseExecutor, SEEDS};
use super::streams::Spread;
use throng_model::scenario_file::Border;

/// A room with 100 pedestrians and an exit of `width` space units.
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

pub fn door_widths(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let time = |width: u32, ticks: u32| {
        let time = |seed: u32| {
            let scenario = Scenario { seed, ..room(width) };
            let last = after(on, &scenario, SocialFieldModel::start(&scenario)?, ticks)?;
            let Pedestrians { at, due, .. } = &last.pedestrians;
            let all = at.iter().all(|&at| at == LEFT);
            Ok(if all { due.iter().copied().max().map_or(0.0, f64::from) } else { f64::INFINITY })
        };
        Spread::of_seeds(SEEDS, time).map(|(spread, _)| spread)
    };
    // The first may start in the exit and leave after one tick; the others follow at intervals of two ticks.
    let times = [time(1, 300)?, time(2, 200)?, time(4, 150)?];
    let [one, two, four] = times;
    Ok(Finding {
        expected: "1: at least 199 ticks; 2: at least 99, at most 0.7 of it; 4: at least 49, at most 0.85 of that"
            .to_owned(),
        found: times.map(|time| time.text(0)).join("; "),
        // The time is infinite if not all leave.
        holds: times.iter().all(|time| time.max.is_finite())
            && one.min >= 199.0
            && two.min >= 99.0
            && four.min >= 49.0
            && two.mean <= 0.7 * one.mean
            && four.mean <= 0.85 * two.mean,
    })
}

/// Checks the minimum interval between two pedestrians that leave through the same space unit, in ticks: four exits
/// side by side, of one space unit each.
pub fn one_at_a_time(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let mut scenario = room(4);
    let units = (0..4).map(|unit| Place { name: format!("exit {unit}"), at_su: [23, 10 + unit], size_su: [1, 1] });
    scenario.exits = units.collect();
    let last = after(on, &scenario, SocialFieldModel::start(&scenario)?, 250)?;
    let Pedestrians { at, due, exit, .. } = &last.pedestrians;
    let mut left: Vec<(u8, u32)> = Vec::new();
    for person in (0..at.len()).filter(|&person| at[person] == LEFT) {
        left.push((exit[person], due[person]));
    }
    left.sort_unstable();
    let next = left.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].1 - pair[0].1);
    let apart = next.min().unwrap_or(0);
    let used = left.chunk_by(|one, other| one.0 == other.0).count();
    let found = format!("{apart} ticks, of {} persons, {used} exits used", left.len());
    Ok(Finding::same("2 ticks, of 100 persons, 4 exits used", &found))
}

pub fn exits_by_crowding(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let through_far = |crowding_weight: f64| -> Result<usize, Failure> {
        let mut scenario = room(1);
        scenario.width_su = 48;
        scenario.rooms[0].size_su = [46, 22];
        scenario.walls = vec![Wall { at_su: [16, 1], size_su: [1, 8] }];
        scenario.exits[0] = Place { name: "near".to_owned(), at_su: [0, 12], size_su: [1, 1] };
        scenario.exits.push(Place { name: "far".to_owned(), at_su: [47, 12], size_su: [1, 1] });
        (scenario.choose_every_s, scenario.crowding_weight) = (1.5, crowding_weight);
        let mut start = SocialFieldModel::start(&scenario)?;
        // All start in the western third.
        let places = (0..100).map(|i| (2 + i / 20) + 48 * (2 + i % 20));
        start.pedestrians.at = places.collect();
        start.pedestrians.exit = vec![0; 100];
        let last = after(on, &scenario, start, 500)?;
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
