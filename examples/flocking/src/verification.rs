//! Verification cases of the model, for every executor.

use throng::device::angles::{CIRCLE, QUARTER};
use throng::model::prelude::*;

use crate::model::Flocking;
use crate::rules::PATCH;
use crate::scenario::{Birds, Scenario, order};

pub const CASES: [Case; 2] = [
    Case::new(
        "directions are equal",
        directions_are_equal,
        "a world rotated by 90 degrees evolves in the same way, bit for bit",
    ),
    Case::new("birds align", birds_align, "the length of the mean direction after 1000 ticks is at least 0.5"),
];

fn directions_are_equal(on: &Executor) -> Result<Finding, Failure> {
    let scenario = Scenario { ticks: 200, ..Scenario::default() };
    let size = scenario.size as i32 * PATCH;
    let turned = |[xs, ys, headings]: Birds| {
        let turned = |heading| (heading + QUARTER) % CIRCLE;
        [ys.into_iter().map(|y| (size - y) % size).collect(), xs, headings.into_iter().map(turned).collect()]
    };
    let turned_after = turned(last_state::<Flocking>(on, &scenario, scenario.start())?);
    Ok(Finding::same(&turned_after.hash(), &last_state::<Flocking>(on, &scenario, turned(scenario.start()))?.hash()))
}

fn birds_align(on: &Executor) -> Result<Finding, Failure> {
    let scenario = Scenario { ticks: 1000, ..Scenario::default() };
    let [_, _, headings] = last_state::<Flocking>(on, &scenario, scenario.start())?;
    Ok(Finding::close(1.0, order(&headings), 0.5))
}
