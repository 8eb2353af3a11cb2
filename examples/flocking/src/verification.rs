//! What the model promises.

use throng_core::{Finding, InputError};

use crate::cpu;
use crate::rules::{CIRCLE, PATCH, QUARTER};
use crate::scenario::{Scenario, State};

/// A bird that is alone flies straight: after `n` ticks it is `n` times its speed away. The rounding of a step is at most
/// 1.5 units along each axis, and at most 1/4096 patch is promised for each tick and unit of it.
pub fn lone_birds_fly_straight() -> Result<Finding, InputError> {
    let (scenario, ticks) = (Scenario { population: 1, ..Scenario::default() }, 30);
    let mut worst = 0.0_f64;
    for heading in (0..CIRCLE).step_by(997) {
        let middle = scenario.size as i32 * PATCH / 2;
        let start = State { xs: vec![middle], ys: vec![middle], headings: vec![heading] };
        let end = cpu::run(&scenario, start, ticks, |_, _| ())?;
        let angle = f64::from(heading) / f64::from(CIRCLE) * std::f64::consts::TAU;
        let miss = |at: i32, part: f64| (f64::from(at - middle) / f64::from(PATCH) - f64::from(ticks) * part).abs();
        worst = worst.max(miss(end.xs[0], libm::cos(angle))).max(miss(end.ys[0], libm::sin(angle)));
    }
    Ok(Finding::at_most(1.5 * f64::from(ticks) / f64::from(PATCH), worst))
}

/// Turning the world by a quarter before a run gives the same as turning it afterwards, to the last bit.
pub fn directions_are_equal() -> Result<Finding, InputError> {
    let scenario = Scenario::default();
    let size = scenario.size as i32 * PATCH;
    let turned = |state: &State| State {
        xs: state.ys.iter().map(|&y| (size - y) % size).collect(),
        ys: state.xs.clone(),
        headings: state.headings.iter().map(|&heading| (heading + QUARTER) % CIRCLE).collect(),
    };
    let afterwards = turned(&cpu::run(&scenario, scenario.start(), 200, |_, _| ())?);
    let before = cpu::run(&scenario, turned(&scenario.start()), 200, |_, _| ())?;
    let differ = |bird: &usize| {
        let of = |state: &State| (state.xs[*bird], state.ys[*bird], state.headings[*bird]);
        of(&afterwards) != of(&before)
    };
    Ok(Finding::no_difference("birds", (0..before.xs.len()).filter(differ).count()))
}

/// Flocks form: the length of the mean direction, near 0 at first, is above 0.5 after 1000 ticks.
pub fn birds_align() -> Result<Finding, InputError> {
    let scenario = Scenario::default();
    let end = cpu::run(&scenario, scenario.start(), 1000, |_, _| ())?;
    Ok(Finding::at_most(-0.5, -order(&end)))
}

/// The length of the mean of all directions, 0 to 1.
pub fn order(state: &State) -> f64 {
    let angles = state.headings.iter().map(|&heading| f64::from(heading) / f64::from(CIRCLE) * std::f64::consts::TAU);
    let sums = angles.fold((0.0, 0.0), |(x, y), angle| (x + libm::cos(angle), y + libm::sin(angle)));
    libm::hypot(sums.0, sums.1) / state.headings.len().max(1) as f64
}
