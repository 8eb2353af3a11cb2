//! What the model promises, on every executor.

use throng_core::{Finding, VerificationCase as Case};
use throng_device::AnyDevice;
use throng_model::{Failure, StepModel as _, Verify, last_state};

use super::super::oracle;
use super::super::rules::contest::Rule;
use super::model::Collision;
use super::scenario::{Behaviour, Border, Scenario};
use super::small_crowds;
use super::walkers::Walkers;

pub const CASES: [Case<Verify>; 10] = [
    Case::new("discs stay clear", discs_stay_clear, "no two of 1600 discs in a dense crowd overlap after 200 steps"),
    Case::new(
        "each decision is right",
        decisions_are_right,
        "one step has the decisions of a server that works in turn",
    ),
    Case::new(
        "all rules stay clear",
        all_rules_stay_clear,
        "discs of radii from 0.25 to 0.5 m, three rules: no overlap after 100 steps",
    ),
    Case::new("walls hold", walls_hold, "behind a wall without gates there are as many discs as before"),
    Case::new(
        "refused winners are obstacles",
        small_crowds::refused_winner,
        "a disc that is refused because of a third one keeps its place: another one that wants it is refused as well",
    ),
    Case::new(
        "queues wait for their first disc",
        small_crowds::queue,
        "a queue whose first disc is refused stays, whatever its length: 3, 4, 10 and 1000 discs",
    ),
    Case::new(
        "rings turn under one rule",
        small_crowds::ring,
        "each disc of a ring wants the place of the next one: under following all move, under the other rules none",
    ),
    Case::new(
        "one place, one winner",
        small_crowds::one_place,
        "of 200 discs around a free place that all want it, one moves under each rule, and the others keep their places",
    ),
    Case::new(
        "two discs exchange places",
        small_crowds::exchange,
        "as a ring of two: both move under following, none under the other rules",
    ),
    Case::new("gates let discs pass", gates_let_pass, "discs that go to the right are beyond a gate after 300 steps"),
];

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

fn end_of(device: Option<&AnyDevice>, scenario: &Scenario) -> Result<Walkers, Failure> {
    last_state::<Collision>(device, scenario, Collision::start(scenario)?)
}

fn overlaps(walkers: &Walkers) -> usize {
    let [xs, ys, ..] = &walkers.columns;
    oracle::overlaps(&walkers.prepared.scene, [xs, ys]).len()
}

fn discs_stay_clear(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    Ok(Finding::same(&0, &overlaps(&end_of(device, &crowd())?)))
}

fn decisions_are_right(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let before = end_of(device, &Scenario { steps: 20, ..crowd() })?;
    let after = end_of(device, &Scenario { steps: 21, ..crowd() })?;
    let moved = |disc: usize| (0..2).any(|axis| before.columns[axis][disc] != after.columns[axis][disc]);
    let discs = before.columns[0].len();
    let world = before.prepared.scene.world;
    let ([to_xs, to_ys], _) = before.wishes(20);
    let wishes: [Vec<i32>; 2] = [
        to_xs.into_iter().map(|x| world.x.inside(x)).collect(),
        to_ys.into_iter().map(|y| world.y.inside(y)).collect(),
    ];
    let [xs, ys, ..] = &before.columns;
    let decisions = oracle::decisions(
        &before.prepared.scene,
        Rule::Sequential,
        before.prepared.options.seed,
        20,
        [xs, ys],
        [&wishes[0], &wishes[1]],
    );
    let differ = (0..discs).filter(|&disc| moved(disc) != decisions[disc]).count();
    Ok(Finding::no_difference("decisions", differ))
}

fn all_rules_stay_clear(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let mut found = 0;
    for rule in Rule::ALL {
        let scenario = Scenario { rule, steps: 100, discs: 500, largest_radius_m: Some(0.5), ..crowd() };
        found += overlaps(&end_of(device, &scenario)?);
    }
    Ok(Finding::same(&0, &found))
}

fn walls_hold(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let scenario = Scenario {
        border: Border::Closed,
        walls_m: vec![[[20.0, 0.0], [20.0, 20.0]]],
        behaviour: Behaviour::Gates,
        step_m: 0.7,
        discs: 1000,
        ..crowd()
    };
    let left = |walkers: &Walkers| {
        let wall = walkers.prepared.lattice.units(20.0);
        walkers.columns[0].iter().filter(|&&x| x < wall).count()
    };
    let before = left(&Collision::start(&scenario)?);
    Ok(Finding::same(&before, &left(&end_of(device, &scenario)?)))
}

fn gates_let_pass(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let scenario = Scenario {
        border: Border::Closed,
        steps: 300,
        discs: 100,
        gate_walls_every_m: 20.0,
        behaviour: Behaviour::Gates,
        ..crowd()
    };
    let start = Collision::start(&scenario)?;
    let passed = |walkers: &Walkers| {
        let wall = walkers.prepared.lattice.units(20.0);
        walkers.columns[0]
            .iter()
            .zip(&start.columns[0])
            .filter(|(now, before)| (**now < wall) != (**before < wall))
            .count()
    };
    let found = passed(&end_of(device, &scenario)?);
    Ok(Finding { expected: "more than 30 of 100".to_owned(), found: found.to_string(), holds: found > 30 })
}
