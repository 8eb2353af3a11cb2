//! The verification cases of the model, for every executor.

mod executor;
#[cfg(test)]
mod mutants;
mod small_crowds;

use throng_core::Finding;
use throng_model::{Failure, verification_cases};

use super::super::oracle;
use super::super::rules::contest::Rule;
use super::scenario::{Behaviour, Scenario};
use super::walkers::Walkers;
use throng_model::scenario_file::Border;

use executor::CaseExecutor;

verification_cases! {
    "discs stay clear", discs_stay_clear,
        "of 1600 discs that walk in a dense crowd no two overlap after 200 steps";
    "each decision is right", decisions_are_right,
        "after 70 steps, a step has the decisions of a server that handles the wishes one by one";
    "all rules stay clear", all_rules_stay_clear,
        "discs of radii from 0.25 to 0.5 m that walk, three rules: no overlap after 100 steps";
    "walls hold", walls_hold,
        "after 200 steps all walking discs are on their original side of a wall without gates";
    "refused winners are obstacles", small_crowds::refused_winner,
        "a disc that is refused because of a third one keeps its place: another one that wants it is refused as well; \
         a disc far away moves";
    "queues wait for their first disc", small_crowds::queue,
        "a queue whose first disc is refused stays, whatever its length: 3, 4, 10 and 1000 discs; a disc far away moves";
    "rings turn under one rule", small_crowds::ring,
        "each disc of a ring wants the place of the next one: under following all move, under the other rules none";
    "one place, one winner", small_crowds::one_place,
        "of 200 discs around a free place that all want it, one moves under each rule, and the others keep their places";
    "two discs exchange places", small_crowds::exchange,
        "as a ring of two: both move under following, none under the other rules";
    "gates let discs pass", gates_let_pass,
        "discs that go to the right are beyond a gate after 300 steps, and do not overlap";
}

fn crowd() -> Scenario {
    Scenario {
        steps: 200,
        width_m: 40.0,
        height_m: 20.0,
        discs: 1600,
        gate_walls_every_m: 0.0,
        behaviour: Behaviour::Random,
        leftward_share: 0.5,
        ..Scenario::default()
    }
}

fn overlaps(walkers: &Walkers) -> usize {
    let [xs, ys, ..] = &walkers.columns;
    oracle::overlaps(&walkers.prepared.scene, [xs, ys]).len()
}

/// Returns the number of discs that changed sides across the middle of the world.
fn changed_side(start: &Walkers, end: &Walkers) -> usize {
    let middle = start.prepared.scene.world.x.size / 2;
    let has_changed = |(before, now): &(&i32, &i32)| (**before < middle) != (**now < middle);
    start.columns[0].iter().zip(&end.columns[0]).filter(has_changed).count()
}

/// Checks that no pair overlaps although discs move: `states` are starts and ends.
fn clear(states: &[(Walkers, Walkers)]) -> Finding {
    let found: usize = states.iter().map(|(_, end)| overlaps(end)).sum();
    expect_zero("overlaps", found, states)
}

/// Checks that `found` is 0, although more than 90 % of the discs have moved in every run.
fn expect_zero(label: &str, found: usize, states: &[(Walkers, Walkers)]) -> Finding {
    let share = |(start, end): &(Walkers, Walkers)| {
        let discs = start.columns[0].len();
        let has_moved = |disc: &usize| (0..2).any(|axis| start.columns[axis][*disc] != end.columns[axis][*disc]);
        (0..discs).filter(has_moved).count() as f64 / discs.max(1) as f64
    };
    let min_share = states.iter().map(share).fold(1.0, f64::min);
    Finding {
        expected: format!("0 {label}, over 90 % moved"),
        found: format!("{found} {label}, {:.0} % moved", (100.0 * min_share).floor()),
        holds: found == 0 && min_share > 0.9,
    }
}

/// Returns the discs before and after a run.
fn run(on: &dyn CaseExecutor, scenario: &Scenario) -> Result<(Walkers, Walkers), Failure> {
    Ok((Walkers::start(scenario)?, on.end_of(scenario)?))
}

fn discs_stay_clear(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    Ok(clear(&[run(on, &crowd())?]))
}

/// More steps than devices make between two sorts of the discs.
const STEPS_BEFORE: u32 = 70;

fn decisions_are_right(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let before = on.end_of(&Scenario { steps: STEPS_BEFORE, ..crowd() })?;
    let after = on.end_of(&Scenario { steps: STEPS_BEFORE + 1, ..crowd() })?;
    let discs = before.columns[0].len();
    let world = before.prepared.scene.world;
    let ([to_xs, to_ys], _) = before.wishes(STEPS_BEFORE);
    let wishes: [Vec<i32>; 2] = [
        to_xs.into_iter().map(|x| world.x.inside(x)).collect(),
        to_ys.into_iter().map(|y| world.y.inside(y)).collect(),
    ];
    let [xs, ys, ..] = &before.columns;
    let decisions = oracle::decisions(
        &before.prepared.scene,
        Rule::Sequential,
        before.prepared.options.seed,
        STEPS_BEFORE.into(),
        [xs, ys],
        [&wishes[0], &wishes[1]],
    );
    let is_right = |disc: usize| {
        let place = |axis: usize| if decisions[disc] { wishes[axis][disc] } else { before.columns[axis][disc] };
        (0..2).all(|axis| after.columns[axis][disc] == place(axis))
    };
    Ok(Finding::no_difference("places", (0..discs).filter(|&disc| !is_right(disc)).count()))
}

fn all_rules_stay_clear(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let run_of = |rule| run(on, &Scenario { rule, steps: 100, discs: 500, largest_radius_m: Some(0.5), ..crowd() });
    Ok(clear(&Rule::ALL.map(run_of).into_iter().collect::<Result<Vec<_>, _>>()?))
}

fn walls_hold(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let (start, end) = run(
        on,
        &Scenario {
            border: Border::Closed,
            walls_m: vec![[[20.0, 0.0], [20.0, 20.0]]],
            behaviour: Behaviour::Gates,
            step_m: 0.7,
            discs: 1000,
            ..crowd()
        },
    )?;
    Ok(expect_zero("changed side", changed_side(&start, &end), &[(start, end)]))
}

fn gates_let_pass(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let scenario = Scenario {
        border: Border::Closed,
        steps: 300,
        discs: 100,
        gate_walls_every_m: 20.0,
        behaviour: Behaviour::Gates,
        ..crowd()
    };
    let (start, end) = run(on, &scenario)?;
    let (passed, overlaps) = (changed_side(&start, &end), overlaps(&end));
    Ok(Finding {
        expected: "more than 30 of 100, 0 overlaps".to_owned(),
        found: format!("{passed}, {overlaps} overlaps"),
        holds: passed > 30 && overlaps == 0,
    })
}
