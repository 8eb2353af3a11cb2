//! Bodies of several space units: equality with the definition, and bodies that squeeze.

use throng_model::prelude::*;
use throng_model::scenario_file::Border;

use super::super::super::scene::Pedestrians;
use super::super::super::start::Flow;
use super::super::scenario::{Group, Scenario, Wall};
use super::super::{Crowd, SocialFieldModel};
use super::exact::by_definition;
use super::executor::CaseExecutor;
use super::{after, course, crowd};

pub fn constant_as_definition(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let group = |persons, body_su| Group { persons: Some(persons), body_su, headings: Flow::Eight, ..Group::default() };
    let groups = vec![group(60, [2, 2]), group(30, [1, 3]), group(100, [1, 1]), group(20, [2, 3])];
    by_definition(on, &Scenario { groups, ..crowd(44, 0.0, Flow::Eight) }, 60)
}

/// A dense crowd in which some groups squeeze.
fn squeezing() -> Scenario {
    let group = |persons, body_su, smallest_body_su| Group {
        persons: Some(persons),
        body_su,
        smallest_body_su,
        headings: Flow::Eight,
        walk_periods: vec![1, 2],
        ..Group::default()
    };
    let groups = vec![
        group(60, [2, 2], Some([1, 1])),
        group(40, [1, 3], Some([1, 2])),
        group(100, [1, 1], None),
        group(50, [3, 2], Some([1, 2])),
    ];
    Scenario { groups, squeeze_after_ticks: 2, ..crowd(44, 0.0, Flow::Eight) }
}

pub fn changing_as_definition(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    by_definition(on, &squeezing(), 60)
}

/// A body of 2 x 3 in front of a gap of two rows in a wall in column 15. It walks from column 2 to 13 in 11 ticks,
/// squeezes in the third tick in which it cannot move, has passed the wall after three steps, in column 16, takes a
/// tick to grow back, and makes 12 more steps.
pub fn narrow_gap(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let place = |crowd: &Crowd| {
        let Pedestrians { at, .. } = &crowd.pedestrians;
        let [columns, rows] = crowd.pedestrians.body(0);
        format!("column {} with {columns} x {rows}", at[0] % 40)
    };
    let walk = |smallest_body_su: Option<[u8; 2]>| -> Result<String, Failure> {
        let (persons, body_su, headings) = (Some(1), [2, 3], Flow::Uni);
        let groups = vec![Group { persons, headings, body_su, smallest_body_su, ..Group::default() }];
        let walls = vec![Wall { at_su: [15, 0], size_su: [1, 11] }, Wall { at_su: [15, 13], size_su: [1, 12] }];
        let (border, field_size, threshold) = (Border::Closed, 1, 0.9);
        let world = Scenario { width_su: 40, height_su: 25, border, field_size, threshold, ..Scenario::default() };
        let scenario = Scenario { walls, groups, ..world };
        let mut start = SocialFieldModel::start(&scenario)?;
        (start.pedestrians.at, start.pedestrians.due) = (vec![11 * 40 + 2], vec![0]);
        let at_gap = after(on, &scenario, start, 14)?;
        let last = after(on, &scenario, at_gap.clone(), 16)?;
        Ok(format!("{}, {}", place(&at_gap), place(&last)))
    };
    let expected =
        "stiff: column 13 with 2 x 3, column 13 with 2 x 3; squeezing: column 13 with 2 x 2, column 28 with 2 x 3";
    Ok(Finding::same(expected, &format!("stiff: {}; squeezing: {}", walk(None)?, walk(Some([2, 2]))?)))
}

pub fn no_overlaps(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let states = course(on, &squeezing(), 60)?;
    let (mut shared, mut beyond, mut squeezes, mut growths) = (0, 0, 0, 0);
    for Crowd { pedestrians, prepared, .. } in &states {
        let grid = prepared.world.grid;
        let mut covered = vec![0u32; grid.units()];
        for i in 0..pedestrians.len() {
            let (body, limits) = (pedestrians.body(i), pedestrians.limits(i));
            grid.rectangle(pedestrians.at[i], body).for_each(|unit| covered[unit as usize] += 1);
            beyond +=
                (0..2).filter(|&axis| !(limits.smallest[axis]..=limits.largest[axis]).contains(&body[axis])).count();
        }
        shared += covered.iter().filter(|&&bodies| bodies > 1).count();
    }
    for pair in states.windows(2) {
        let area = |crowd: &Crowd, i: usize| crowd.pedestrians.body(i).map(u32::from).iter().product::<u32>();
        for i in 0..pair[0].pedestrians.len() {
            let [before, after] = [&pair[0], &pair[1]].map(|crowd| area(crowd, i));
            squeezes += usize::from(after < before);
            growths += usize::from(after > before);
        }
    }
    let expected = "0 space units shared, 0 sides beyond their limits, with over 200 squeezes and growths".to_owned();
    let changes = match squeezes.min(growths) {
        201.. => "over 200 squeezes and growths".to_owned(),
        _ => format!("{squeezes} squeezes and {growths} growths"),
    };
    let found = format!("{shared} space units shared, {beyond} sides beyond their limits, with {changes}");
    Ok(Finding { holds: expected == found, expected, found })
}
