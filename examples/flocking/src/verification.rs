//! What the model promises.

use throng_core::{Finding, InputError};
use throng_device::angles::{CIRCLE, QUARTER};

use crate::cpu;
use crate::rules::PATCH;
use crate::scenario::{Scenario, State};

/// To turn the world by a quarter before a run is to turn it afterwards, to the last bit.
pub fn directions_are_equal() -> Result<Finding, InputError> {
    let scenario = Scenario { ticks: 200, ..Scenario::default() };
    let size = scenario.size as i32 * PATCH;
    let turned = |State { xs, ys, headings }: State| State {
        xs: ys.iter().map(|y| (size - y) % size).collect(),
        ys: xs,
        headings: headings.iter().map(|heading| (heading + QUARTER) % CIRCLE).collect(),
    };
    let run = |state| cpu::run(&scenario, state, |_, _| ());
    Ok(Finding::same(&turned(run(scenario.start())?).hash(), &run(turned(scenario.start()))?.hash()))
}

/// Flocks form: after 1000 ticks birds head the same way, by [`order`] at least 0.5.
pub fn birds_align() -> Result<Finding, InputError> {
    let scenario = Scenario { ticks: 1000, ..Scenario::default() };
    let end = cpu::run(&scenario, scenario.start(), |_, _| ())?;
    Ok(Finding::close(1.0, order(&end), 0.5))
}

/// The length of the mean direction: 1 where all birds head the same way, near 0 where they head anywhere.
pub fn order(state: &State) -> f64 {
    let mean = |part: fn(f64) -> f64| state.headings.iter().map(|&heading| part(radians(heading))).sum::<f64>();
    libm::hypot(mean(libm::cos), mean(libm::sin)) / state.headings.len().max(1) as f64
}

fn radians(heading: i32) -> f64 {
    f64::from(heading) / f64::from(CIRCLE) * std::f64::consts::TAU
}
