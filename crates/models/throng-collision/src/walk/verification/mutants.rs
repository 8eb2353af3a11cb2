//! Faulty executors: every case must fail on them.

use throng_model::Failure;

use super::super::super::options::Options;
use super::super::super::scene::Scene;
use super::super::super::world::World;
use super::super::scenario::Scenario;
use super::super::walkers::Walkers;
use throng_device::Executor;

use super::executor::{CaseExecutor, Stepped};
use super::{CASES, CHECKS};

/// Fault of an executor.
#[derive(Clone, Copy)]
enum Fault {
    /// All discs stay.
    RefusesAll,
    /// All discs move, through each other and through walls.
    GrantsAll,
    /// All discs move twice as far as they should.
    Doubles,
}

const FAULTS: [(&str, Fault); 3] =
    [("refuses all", Fault::RefusesAll), ("grants all", Fault::GrantsAll), ("doubles", Fault::Doubles)];

/// The CPU executor with a fault.
struct Mutant(Fault);

/// Returns the position twice as far from the start as `to`.
fn doubled(world: &World, from: [i32; 2], to: [i32; 2]) -> [i32; 2] {
    let [x, y] = [(world.x, 0), (world.y, 1)]
        .map(|(axis, number)| axis.inside(to[number] + axis.offset(from[number], to[number])));
    [x, y]
}

impl CaseExecutor for Mutant {
    fn end_of(&self, scenario: &Scenario) -> Result<Walkers, Failure> {
        let mut walkers = Walkers::start(scenario)?;
        let world = walkers.prepared.scene.world;
        match self.0 {
            Fault::RefusesAll => walkers.columns[3].fill(1),
            Fault::GrantsAll => {
                for step in 0..scenario.steps {
                    let ([xs, ys], directions) = walkers.wishes(step);
                    walkers.columns[0] = xs.into_iter().map(|x| world.x.inside(x)).collect();
                    walkers.columns[1] = ys.into_iter().map(|y| world.y.inside(y)).collect();
                    walkers.columns[2] = directions;
                }
            }
            Fault::Doubles => {
                let end = Executor::cpu().end_of(scenario)?;
                for disc in 0..end.columns[0].len() {
                    let place = |walkers: &Walkers| [walkers.columns[0][disc], walkers.columns[1][disc]];
                    let place = doubled(&world, place(&walkers), place(&end));
                    (walkers.columns[0][disc], walkers.columns[1][disc]) = (place[0], place[1]);
                }
            }
        }
        Ok(walkers)
    }

    fn step(
        &self,
        scene: &Scene,
        at: &[Vec<i32>; 2],
        to: &[Vec<i32>; 2],
        options: Options,
    ) -> Result<Stepped, Failure> {
        let discs = at[0].len();
        Ok(match self.0 {
            Fault::RefusesAll => {
                let stays = |disc: usize| (0..2).all(|axis| at[axis][disc] == to[axis][disc]);
                (at.clone(), (0..discs).map(stays).collect())
            }
            Fault::GrantsAll => (to.clone(), vec![true; discs]),
            Fault::Doubles => {
                let (after, accepted) = Executor::cpu().step(scene, at, to, options)?;
                let places: Vec<[i32; 2]> = (0..discs)
                    .map(|disc| doubled(&scene.world, [at[0][disc], at[1][disc]], [after[0][disc], after[1][disc]]))
                    .collect();
                ([0, 1].map(|axis| places.iter().map(|place| place[axis]).collect()), accepted)
            }
        })
    }
}

#[test]
fn every_case_detects_faulty_executors() {
    let faults = FAULTS.map(|(name, _)| name);
    let listed: Vec<(&str, &[&str])> = CASES.iter().map(|case| (case.name, [].as_slice())).collect();
    throng_testing::assert_detects(&faults, &faults, &listed, |case, fault| {
        let found = match fault {
            Some(fault) => CHECKS[case](&Mutant(FAULTS[fault].1)),
            None => CHECKS[case](&Executor::cpu()),
        };
        CASES[case].verified(found).outcome()
    });
}
