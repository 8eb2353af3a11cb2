//! What holds in rooms.

use throng_model::prelude::*;

use super::super::super::scene::{LEFT, Pedestrians};
use super::super::SocialFieldModel;
use super::super::scenario::{Group, Place, Scenario, Wall};
use super::after;
use crate::Border;

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

pub fn door_widths(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
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

pub fn exits_by_crowding(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
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
