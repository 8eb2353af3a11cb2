//! What the model promises, on every executor.

use throng::core::{Finding, VerificationCase as Case};
use throng::device::AnyDevice;
use throng::device::angles::{CIRCLE, QUARTER};
use throng::model::Failure;

use crate::model::{Observer, simulate};
use crate::rules::PATCH;
use crate::scenario::{Scenario, State};

type Verify = fn(Option<&AnyDevice>) -> Result<Finding, Failure>;

pub const CASES: [Case<Verify>; 2] = [
    Case::new(
        "directions are equal",
        directions_are_equal,
        "a world turned by a quarter has the same future, to the bit",
    ),
    Case::new("birds align", birds_align, "the mean direction after 1000 ticks is at least half as long as each"),
];

fn directions_are_equal(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let scenario = Scenario { ticks: 200, ..Scenario::default() };
    let size = scenario.size as i32 * PATCH;
    let turned = |State { xs, ys, headings }: State| State {
        xs: ys.iter().map(|y| (size - y) % size).collect(),
        ys: xs,
        headings: headings.iter().map(|heading| (heading + QUARTER) % CIRCLE).collect(),
    };
    let turned_after = turned(end(device, &scenario, &scenario.start())?);
    Ok(Finding::same(&turned_after.hash(), &end(device, &scenario, &turned(scenario.start()))?.hash()))
}

fn birds_align(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let scenario = Scenario { ticks: 1000, ..Scenario::default() };
    Ok(Finding::close(1.0, end(device, &scenario, &scenario.start())?.order(), 0.5))
}

/// The state after the last tick.
pub fn end(device: Option<&AnyDevice>, scenario: &Scenario, state: &State) -> Result<State, Failure> {
    let mut last = Last(scenario.ticks, State::default());
    simulate(device, scenario, state, &mut last)?;
    Ok(last.1)
}

struct Last(u32, State);

impl Observer for Last {
    fn wants(&self, tick: u32) -> bool {
        tick == self.0
    }

    fn see(&mut self, _: u32, state: &State) -> Result<(), Failure> {
        self.1 = state.clone();
        Ok(())
    }
}
