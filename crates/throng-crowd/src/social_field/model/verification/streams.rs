//! What holds on average over seeds, in periodic worlds.

use throng_model::prelude::*;

use super::super::super::net_moves::{net_move, net_moves};
use super::super::super::start::Flow;
use super::super::SocialFieldModel;
use super::super::measures::lane_order;
use super::super::scenario::Scenario;
use super::{after, course, crowd};

const SEEDS: u32 = 10;

/// Mean, least and largest value over the seeds.
#[derive(Debug, Clone, Copy)]
struct Spread {
    mean: f64,
    least: f64,
    most: f64,
}

impl Spread {
    /// Of a value for each seed.
    fn of(value: impl FnMut(u32) -> Result<f64, Failure>) -> Result<(Self, Vec<f64>), Failure> {
        let values = (1..=SEEDS).map(value).collect::<Result<Vec<_>, _>>()?;
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let [least, most] = [f64::min, f64::max].map(|pick| values.iter().copied().reduce(pick).unwrap_or(mean));
        Ok((Self { mean, least, most }, values))
    }

    /// With so many decimals.
    fn text(&self, decimals: usize) -> String {
        format!("{:.decimals$} ({:.decimals$} to {:.decimals$})", self.mean, self.least, self.most)
    }
}

/// The flow of a crowd: net moves for each space unit and tick, in ticks 200 to 300.
fn flow(device: Option<&AnyDevice>, scenario: &Scenario) -> Result<f64, Failure> {
    let mut executor = SocialFieldModel::executor(device, scenario, SocialFieldModel::start(scenario)?)?;
    for _ in 0..200 {
        executor.step()?;
    }
    let mut before = executor.state()?;
    let mut net = 0;
    for _ in 0..100 {
        executor.step()?;
        let after = executor.state()?;
        net += net_moves(before.prepared.world.grid(), &before.pedestrians, &after.pedestrians);
        before = after;
    }
    Ok(net as f64 / (100.0 * before.prepared.world.grid().units() as f64))
}

/// A world that is large enough for streams, and small enough for ten seeds.
fn stream(density: f64, headings: Flow, seed: u32) -> Scenario {
    Scenario { seed, ..crowd(40, density, headings) }
}

/// Flows, each with the one that is expected and how far it may be off.
fn flows(
    device: Option<&AnyDevice>,
    expected: &[(f64, f64)],
    scenario: impl Fn(usize, u32) -> Scenario,
) -> Result<Finding, Failure> {
    let (mut texts, mut holds) = (Vec::new(), true);
    for (case, &(flow_expected, tolerance)) in expected.iter().enumerate() {
        let (spread, _) = Spread::of(|seed| flow(device, &scenario(case, seed)))?;
        holds &= (spread.mean - flow_expected).abs() <= tolerance;
        texts.push(spread.text(3));
    }
    let expected = expected.iter().map(|(flow, tolerance)| format!("{flow} +- {tolerance}"));
    Ok(Finding { expected: expected.collect::<Vec<_>>().join(", "), found: texts.join(", "), holds })
}

pub const ONE_DIRECTION: &str =
    "densities 0.1, 0.3, 0.5, 0.7, 0.9, 1, and 0.2 with a walk period of 2 (mean and extremes of 10 seeds)";

/// Linear with the slope 1/p at low densities, one maximum, and none in a full world. The other flows are those of an
/// earlier program with the same rules, in a larger world.
pub fn one_direction(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let densities = [0.1, 0.3, 0.5, 0.7, 0.9, 1.0, 0.2];
    let expected = [(0.1, 1e-3), (0.3, 1e-3), (0.463, 0.015), (0.261, 0.015), (0.069, 0.01), (0.0, 0.0), (0.1, 2e-3)];
    flows(device, &expected, |case, seed| {
        let period = if case == 6 { 2 } else { 1 };
        Scenario { walk_periods: vec![period], ..stream(densities[case], Flow::Uni, seed) }
    })
}

pub const EIGHT_DIRECTIONS: &str = "densities 0.1, 0.2 and 0.3 (mean and extremes of 10 seeds)";

/// Below the flow in one direction, and growing ever more slowly.
pub fn eight_directions(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let densities = [0.1, 0.2, 0.3];
    flows(device, &[(0.093, 0.003), (0.17, 0.006), (0.226, 0.01)], |case, seed| {
        stream(densities[case], Flow::Eight, seed)
    })
}

pub const GRIDLOCK: &str =
    "seeds of 10 that flow less than 0.03: two, four, eight directions at 0.2, at 0.7, at 0.7 with exchanges";

/// The known fault of such models, and what exchanges of places do about it: opposite streams flow again, others do not.
pub fn gridlock(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let mut jams = [[0; 3]; 3];
    for (jams, (density, exchange_ticks)) in jams.iter_mut().zip([(0.2, 0), (0.7, 0), (0.7, 2)]) {
        for (jams, headings) in jams.iter_mut().zip([Flow::Bi, Flow::Four, Flow::Eight]) {
            let (_, flows) =
                Spread::of(|seed| flow(device, &Scenario { exchange_ticks, ..stream(density, headings, seed) }))?;
            *jams = flows.iter().filter(|&&flow| flow < 0.03).count();
        }
    }
    let [low, high, cured] = jams;
    Ok(Finding {
        expected: "none; at least 5 each; none of two directions".to_owned(),
        found: jams.map(|jams| jams.map(|jams| jams.to_string()).join(" ")).join("; "),
        holds: low == [0; 3] && high.iter().all(|&jams| jams >= 5) && cured[0] == 0,
    })
}

pub const ISOTROPY: &str =
    "speeds by heading, over the mean of axes or diagonals, in eight directions at 0.15 (10 seeds)";

/// No heading is favoured: the means over seeds are within three standard errors.
pub fn isotropy(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let mut speeds = vec![Vec::new(); 8];
    for seed in 1..=SEEDS {
        let states = course(device, &stream(0.15, Flow::Eight, seed), 120)?;
        let (mut moves, mut chances) = ([0.0; 8], [0.0; 8]);
        for pair in states[60..].windows(2) {
            let [before, after] = [&pair[0].pedestrians, &pair[1].pedestrians];
            for pedestrian in 0..before.len() {
                let heading = usize::from(before.heading[pedestrian]);
                moves[heading] += net_move(pair[0].prepared.world.grid(), before, after, pedestrian) as f64;
                chances[heading] += 1.0;
            }
        }
        for (heading, speeds) in speeds.iter_mut().enumerate() {
            speeds.push(moves[heading] / chances[heading]);
        }
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (mut found, mut holds) = (vec![String::new(); 8], true);
    for first in [0, 1] {
        let alike: Vec<f64> = speeds.iter().skip(first).step_by(2).flatten().copied().collect();
        let of_all = mean(&alike);
        for heading in (first..8).step_by(2) {
            let of_heading = mean(&speeds[heading]);
            let squares: f64 = speeds[heading].iter().map(|speed| (speed - of_heading) * (speed - of_heading)).sum();
            let count = f64::from(SEEDS);
            let error = libm::sqrt(squares / (count - 1.0) / count);
            holds &= of_heading > 0.7 && error < 0.02 && (of_heading - of_all).abs() <= 3.0 * error;
            found[heading] = format!("{:.3}", of_heading / of_all);
        }
    }
    Ok(Finding { expected: "1 within three standard errors".to_owned(), found: found.join(" "), holds })
}

/// The order parameter of lanes after 600 ticks at a density of 0.2.
fn lanes(device: Option<&AnyDevice>, change: impl Fn(&mut Scenario)) -> Result<Spread, Failure> {
    let order = |seed| {
        let mut scenario = stream(0.2, Flow::Bi, seed);
        change(&mut scenario);
        Ok(lane_order(&after(device, &scenario, SocialFieldModel::start(&scenario)?, 600)?))
    };
    Ok(Spread::of(order)?.0)
}

pub fn lanes_form(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let order = lanes(device, |_| {})?;
    Ok(Finding { expected: "at least 0.9".to_owned(), found: order.text(2), holds: order.mean >= 0.9 })
}

pub fn lanes_need_fields(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let without = |scenario: &mut Scenario| {
        (scenario.crowd_weight, scenario.same_weight, scenario.oncoming_weight) = (0.0, 0.0, 0.0);
    };
    let order = lanes(device, without)?;
    let holds = order.mean <= 0.7 && order.mean > 0.0;
    Ok(Finding { expected: "at most 0.7, more than 0".to_owned(), found: order.text(2), holds })
}

pub fn equal_speeds(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
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
