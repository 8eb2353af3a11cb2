//! Average properties over seeds, in periodic worlds.

use throng_core::Philox;
use throng_model::prelude::*;

use super::super::super::net_moves::{net_move, net_moves};
use super::super::super::start::Flow;
use super::super::measures::lane_order;
use super::super::scenario::Scenario;
use super::super::{Crowd, SocialFieldModel};
use super::executor::{CaseExecutor, SEEDS};
use super::{after, course, crowd};

/// Purpose of the random draws of shuffles.
const SHUFFLE: u32 = 30;

/// Mean, minimum and maximum over the seeds.
#[derive(Debug, Clone, Copy)]
pub struct Spread {
    pub mean: f64,
    pub min: f64,
    pub max: f64,
}

impl Spread {
    /// Returns the spread of a value over the seeds used on an executor, and the values.
    fn of(on: &dyn CaseExecutor, value: impl FnMut(u32) -> Result<f64, Failure>) -> Result<(Self, Vec<f64>), Failure> {
        Self::of_seeds(on.seeds(), value)
    }

    /// Returns the spread of a value over this many seeds, and the values.
    pub fn of_seeds(seeds: u32, value: impl FnMut(u32) -> Result<f64, Failure>) -> Result<(Self, Vec<f64>), Failure> {
        let values = (1..=seeds).map(value).collect::<Result<Vec<_>, _>>()?;
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let [min, max] = [f64::min, f64::max].map(|pick| values.iter().copied().reduce(pick).unwrap_or(mean));
        Ok((Self { mean, min, max }, values))
    }

    /// Formats the spread with this number of decimals.
    pub fn text(&self, decimals: usize) -> String {
        format!("{:.decimals$} ({:.decimals$} to {:.decimals$})", self.mean, self.min, self.max)
    }
}

/// Returns the flow of a crowd: net moves per space unit and tick, in ticks 150 to 200.
fn flow(on: &dyn CaseExecutor, scenario: &Scenario) -> Result<f64, Failure> {
    let mut executor = on.begin(scenario, SocialFieldModel::start(scenario)?)?;
    for _ in 0..150 {
        executor.step()?;
    }
    let mut before = executor.state()?;
    let mut net = 0;
    for _ in 0..50 {
        executor.step()?;
        let after = executor.state()?;
        net += net_moves(before.prepared.world.grid(), &before.pedestrians, &after.pedestrians);
        before = after;
    }
    Ok(net as f64 / (50.0 * before.prepared.world.grid().units() as f64))
}

/// A world large enough for streams, and small enough for ten seeds.
fn stream(density: f64, headings: Flow, seed: u32) -> Scenario {
    Scenario { seed, ..crowd(40, density, headings) }
}

/// Compares flows with the expected values, each with its tolerance.
fn flows(
    on: &dyn CaseExecutor,
    expected: &[(f64, f64)],
    scenario: impl Fn(usize, u32) -> Scenario,
) -> Result<Finding, Failure> {
    let (mut texts, mut holds) = (Vec::new(), true);
    for (case, &(flow_expected, tolerance)) in expected.iter().enumerate() {
        let (spread, _) = Spread::of(on, |seed| flow(on, &scenario(case, seed)))?;
        holds &= (spread.mean - flow_expected).abs() <= tolerance;
        texts.push(spread.text(3));
    }
    let expected = expected.iter().map(|(flow, tolerance)| format!("{flow} +- {tolerance}"));
    Ok(Finding { expected: expected.collect::<Vec<_>>().join(", "), found: texts.join(", "), holds })
}

pub const ONE_DIRECTION: &str =
    "densities 0.1, 0.3, 0.5, 0.7, 0.9, 1, and 0.2 with a walk period of 2 (mean and extremes of the seeds)";

/// The flow is linear with slope 1/p at low densities, has one maximum, and is 0 in a full world. The other expected
/// flows come from an earlier program with the same rules, in a larger world.
pub fn one_direction(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let densities = [0.1, 0.3, 0.5, 0.7, 0.9, 1.0, 0.2];
    let expected = [(0.1, 1e-3), (0.3, 1e-3), (0.463, 0.015), (0.261, 0.015), (0.069, 0.01), (0.0, 0.0), (0.1, 2e-3)];
    flows(on, &expected, |case, seed| {
        let period = if case == 6 { 2 } else { 1 };
        Scenario { walk_periods: vec![period], ..stream(densities[case], Flow::Uni, seed) }
    })
}

pub const TWO_AND_FOUR: &str =
    "two directions at 0.1 and 0.2, four at 0.1, 0.2 and 0.3, where none jams (mean and extremes of the seeds)";

/// Checks the flows of meeting streams, at densities at which they sort themselves.
pub fn two_and_four_directions(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let cases = [(Flow::Bi, 0.1), (Flow::Bi, 0.2), (Flow::Four, 0.1), (Flow::Four, 0.2), (Flow::Four, 0.3)];
    let expected = [(0.1, 0.002), (0.2, 0.006), (0.093, 0.003), (0.169, 0.006), (0.227, 0.01)];
    flows(on, &expected, |case, seed| stream(cases[case].1, cases[case].0, seed))
}

pub const EIGHT_DIRECTIONS: &str = "densities 0.1, 0.2 and 0.3 (mean and extremes of the seeds)";

/// The flow is below that in one direction, and its slope decreases.
pub fn eight_directions(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let densities = [0.1, 0.2, 0.3];
    flows(on, &[(0.093, 0.003), (0.17, 0.006), (0.226, 0.01)], |case, seed| stream(densities[case], Flow::Eight, seed))
}

pub const GRIDLOCK: &str =
    "number of seeds with a flow below 0.03: two, four, eight directions at 0.2, at 0.7, at 0.7 with exchanges";

/// The known gridlock of such models, and the effect of exchanges of places: opposite streams flow again, others do
/// not.
pub fn gridlock(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let (mut jams, mut seeds) = ([[0; 3]; 3], 0);
    for (jams, (density, exchange_ticks)) in jams.iter_mut().zip([(0.2, 0), (0.7, 0), (0.7, 2)]) {
        for (jams, headings) in jams.iter_mut().zip([Flow::Bi, Flow::Four, Flow::Eight]) {
            let (_, flows) =
                Spread::of(on, |seed| flow(on, &Scenario { exchange_ticks, ..stream(density, headings, seed) }))?;
            *jams = flows.iter().filter(|&&flow| flow < 0.03).count();
            seeds = flows.len();
        }
    }
    let [low, high, cured] = jams;
    Ok(Finding {
        expected: format!("of {seeds}: none; at least half; none of two directions"),
        found: jams.map(|jams| jams.map(|jams| jams.to_string()).join(" ")).join("; "),
        holds: low == [0; 3] && high.iter().all(|&jams| 2 * jams >= seeds) && cured[0] == 0,
    })
}

pub const ISOTROPY: &str = "speeds by heading, over the mean of axes or diagonals, in eight directions at 0.15, with standard errors (10 seeds)";

/// No heading is favoured: the means over seeds are within three standard errors.
pub fn isotropy(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let mut speeds = vec![Vec::new(); 8];
    for seed in 1..=SEEDS {
        let states = course(on, &stream(0.15, Flow::Eight, seed), 120)?;
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
            let count = speeds[heading].len() as f64;
            let error = libm::sqrt(squares / (count - 1.0) / count);
            holds &= of_heading > 0.7 && error < 0.02 && (of_heading - of_all).abs() <= 3.0 * error;
            found[heading] = format!("{:.3} +- {:.3}", of_heading / of_all, error / of_all);
        }
    }
    Ok(Finding { expected: "1 within three standard errors".to_owned(), found: found.join(", "), holds })
}

/// Returns the order parameter of lanes after 300 ticks at a density of 0.3, minus that of the same positions with
/// shuffled headings.
fn lanes(on: &dyn CaseExecutor, change: impl Fn(&mut Scenario)) -> Result<Spread, Failure> {
    let order = |seed: u32| {
        let mut scenario = stream(0.3, Flow::Bi, seed);
        change(&mut scenario);
        let last = after(on, &scenario, SocialFieldModel::start(&scenario)?, 300)?;
        Ok(lane_order(&last) - lane_order(&shuffled(&last, seed)))
    };
    Ok(Spread::of(on, order)?.0)
}

/// Returns the same positions with the headings in random order.
fn shuffled(crowd: &Crowd, seed: u32) -> Crowd {
    let draws = Philox::new(seed.into());
    let mut numbers: Vec<usize> = (0..crowd.pedestrians.len()).collect();
    numbers.sort_by_cached_key(|&number| (draws.block([number as u32, 0, SHUFFLE, 0])[0], number));
    let mut shuffled = crowd.clone();
    shuffled.pedestrians.heading = numbers.into_iter().map(|number| crowd.pedestrians.heading[number]).collect();
    shuffled
}

pub fn lanes_form(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let order = lanes(on, |_| {})?;
    Ok(Finding { expected: "at least 0.8".to_owned(), found: order.text(2), holds: order.mean >= 0.8 })
}

pub const ABLATIONS: &str =
    "order at 0.3 with DR alone, with RR alone, and without field weights, minus that of shuffled headings";

/// The field of oncoming pedestrians creates the lanes.
pub fn lanes_need_the_oncoming_field(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let with = |crowd_weight: f64, oncoming_weight: f64| {
        lanes(on, |scenario| {
            (scenario.crowd_weight, scenario.same_weight, scenario.oncoming_weight) =
                (crowd_weight, 0.0, oncoming_weight);
        })
    };
    let Scenario { crowd_weight, oncoming_weight, .. } = Scenario::default();
    let [oncoming, crowd, none] = [with(0.0, oncoming_weight)?, with(crowd_weight, 0.0)?, with(0.0, 0.0)?];
    Ok(Finding {
        expected: "at least 0.8; at most 0.3; at most 0.3".to_owned(),
        found: [oncoming, crowd, none].map(|order| order.text(2)).join("; "),
        holds: oncoming.mean >= 0.8 && crowd.mean <= 0.3 && none.mean <= 0.3,
    })
}

pub fn equal_speeds(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    // So few pedestrians that steps aside, which take a different time, hardly matter.
    let mut scenario = crowd(80, 0.005, Flow::Eight);
    scenario.equal_speeds = true;
    scenario.walk_periods = vec![5];
    let states = course(on, &scenario, 300)?;
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
    // A diagonal step takes 7 ticks instead of 5 times the square root of 2.
    Ok(Finding::close(libm::sqrt(2.0) * 5.0 / 7.0, found, 0.05))
}
