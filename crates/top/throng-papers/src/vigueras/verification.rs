//! Verification cases: the published checks fail as expected, the sequential rule does not, and devices equal the CPU.

use std::fmt::Display;
use std::ops::RangeInclusive;

use throng_collision::{Crowd, Options, Radii, Scene, World};
use throng_core::{Finding, InputError, VerificationCase as Case};
use throng_device::{CPU, Error};
use throng_device::{Device, with_kernels};
use throng_model::Failure;

use super::counterexamples::{Counterexample, mutual_refusal, queue, refused_winner, stale_target};
use super::grid::Stamps;
use super::overlaps::{apply_moves, overlapping_pairs};
use super::published::{FourSteps, Restore, Variant};
use crate::experiment::Trial;

/// The result of the steps of a crowd.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outcome {
    /// Number of overlapping pairs.
    pub(super) pairs: usize,
    /// Number of discs that were allowed to move in the last step.
    moved: usize,
}

impl Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {}", self.pairs, self.moved)
    }
}

/// Carries out the wishes of a crowd under a published check.
type Checked<'a> = dyn Fn(&Counterexample, Variant) -> Result<Outcome, Error> + 'a;

pub(super) const CASES: [Case<Trial>; 5] = [
    Case::new(
        "a refused winner has left",
        Trial::OnCpu(|| Ok(refused_winners_leave(&published)?)),
        "three discs in a row, under immediate erasure, one hop and full walk: one disc moves and one pair overlaps, \
         under every reading of the published check",
    ),
    Case::new(
        "a queue whose first disc stays",
        Trial::OnCpu(|| Ok(queues_are_notified(&published)?)),
        "overlapping pairs in queues of 2, 3, 4, 10 and 1000 discs: one in those of 3 or more under immediate \
         erasure, one in those of 4 or more under one hop, none under the full walk",
    ),
    Case::new(
        "a target of the previous step",
        Trial::OnCpu(|| Ok(stale_targets_count(&published)?)),
        "with a step id per cell, as printed, a slot of the previous step counts as current, and two discs move and \
         overlap; with a step id per slot, only one moves",
    ),
    Case::new(
        "the sequential rule",
        Trial::OnCpu(|| Ok(consistent(&sequential)?)),
        "overlapping pairs and moving discs in the last step of the CPU check of crowds: no pair overlaps in any of \
         these crowds; where a position is free, one disc moves, and others may follow it",
    ),
    Case::new(
        "Vigueras' device programs",
        Trial::OnDevice(on_device),
        "for 3,000 dense discs, the static grid, all baselines and four steps, in three readings, with cleared slots \
         and with atomic operations, make the same decisions as on the CPU; checks with races are compared with the \
         same winners",
    ),
];

fn on_device(device: &Device) -> Result<Finding, Failure> {
    let differ = with_kernels!("throng-papers", device, |device| differing(device));
    differ.map(|differ| Finding::no_difference("decisions", differ))
}

#[cfg(feature = "gpu")]
fn differing(device: &Device) -> Result<usize, Failure> {
    use super::Crowd;
    use super::cases::Options;
    use super::first_step::differing;

    let crowd = Crowd::new(3_000, 0.45, 1)?;
    let moves = crowd.moves(throng_collision::CELL);
    let methods = Options { restore: Restore::ALL.to_vec(), ..Options::default() }.methods();
    let methods = methods.into_iter().filter(|method| method.is_published() && method.fits(device));
    methods.map(|method| differing(device, &crowd, moves, 1, method)).sum()
}

/// Runs the published check on the CPU.
pub(super) fn published(example: &Counterexample, variant: Variant) -> Result<Outcome, Error> {
    let mut check = FourSteps::new(example.world, example.at[0].len(), variant)?;
    let (mut at, mut moved) = (example.at.clone(), 0);
    for to in &example.wishes {
        let accepted = check.accepted([&at[0], &at[1]], [&to[0], &to[1]])?;
        moved = accepted.iter().filter(|&&moves| moves).count();
        apply_moves(&mut at, to, &accepted);
    }
    Ok(Outcome { pairs: pairs(&example.world, &at)?, moved })
}

fn sequential(example: &Counterexample) -> Result<Outcome, Error> {
    let scene = Scene { world: example.world, walls: vec![], radii: Radii::equal(example.at[0].len()) };
    let mut check = Crowd::in_units(scene, example.at.clone(), Vec::new(), Options::default(), &CPU)?;
    let mut before = example.at.clone();
    for to in &example.wishes {
        before = check.positions()?.into_owned();
        check.step([&to[0], &to[1]])?;
    }
    let at = check.positions()?;
    let has_moved = |disc: &usize| (0..2).any(|axis| at[axis][*disc] != before[axis][*disc]);
    let moved = (0..before[0].len()).filter(has_moved).count();
    Ok(Outcome { pairs: pairs(&example.world, &at)?, moved })
}

fn pairs(world: &World, at: &[Vec<i32>; 2]) -> Result<usize, InputError> {
    overlapping_pairs(world, [&at[0], &at[1]])
}

fn list(items: impl IntoIterator<Item = impl Display>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}

fn refused_winners_leave(checked: &Checked<'_>) -> Result<Finding, Error> {
    let example = refused_winner()?;
    let variants = Restore::ALL.map(|restore| Variant { restore, stamps: Stamps::PerSlot });
    let found = variants.into_iter().map(|variant| checked(&example, variant)).collect::<Result<Vec<_>, _>>()?;
    Ok(Finding::same("1 of 1, 1 of 1, 1 of 1", &list(found)))
}

fn queues_are_notified(checked: &Checked<'_>) -> Result<Finding, Error> {
    let mut found = vec![];
    for restore in Restore::ALL {
        let variant = Variant { restore, stamps: Stamps::PerSlot };
        let of = |&length: &u32| Ok(checked(&queue(length)?, variant)?.pairs);
        let pairs = [2, 3, 4, 10, 1000].iter().map(of).collect::<Result<Vec<_>, Error>>()?;
        found.push(pairs.into_iter().map(|pairs| pairs.to_string()).collect::<String>());
    }
    Ok(Finding::same("01111, 00111, 00000", &found.join(", ")))
}

fn stale_targets_count(checked: &Checked<'_>) -> Result<Finding, Error> {
    let example = stale_target()?;
    let variants = [Stamps::PerCell, Stamps::PerSlot].map(|stamps| Variant { restore: Restore::FullWalk, stamps });
    let found = variants.into_iter().map(|variant| checked(&example, variant)).collect::<Result<Vec<_>, _>>()?;
    Ok(Finding::same("1 of 2, 0 of 1", &list(found)))
}

fn consistent(outcome: &dyn Fn(&Counterexample) -> Result<Outcome, Error>) -> Result<Finding, Error> {
    // Each range is the number of discs that may move. In a queue, either the first disc moves or the one that wants
    // the same position; others may follow.
    let examples = [
        (refused_winner()?, 0..=0),
        (queue(3)?, 1..=3),
        (queue(1000)?, 1..=1000),
        (mutual_refusal()?, 1..=1),
        (stale_target()?, 1..=1),
    ];
    let found = examples.iter().map(|(example, _)| outcome(example)).collect::<Result<Vec<_>, _>>()?;
    let is_right = |(outcome, (_, moved)): (&Outcome, &(_, RangeInclusive<usize>))| {
        outcome.pairs == 0 && moved.contains(&outcome.moved)
    };
    Ok(Finding {
        expected: "0 of 0, 0 of 1-3, 0 of 1-1000, 0 of 1, 0 of 1".to_owned(),
        holds: found.iter().zip(&examples).all(is_right),
        found: list(found),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The outcome if all discs move, or if none does.
    fn wrong(example: &Counterexample, all: bool) -> Outcome {
        let positions = example.wishes.last().filter(|_| all).unwrap_or(&example.at);
        let moved = if all { example.at[0].len() } else { 0 };
        Outcome { pairs: pairs(&example.world, positions).unwrap(), moved }
    }

    #[test]
    fn each_case_fails_on_checks_that_refuse_or_accept_everything_or_double_the_pairs() {
        let mutants: [&Checked<'_>; 3] =
            [&|example, _| Ok(wrong(example, false)), &|example, _| Ok(wrong(example, true)), &|example, variant| {
                let right = published(example, variant)?;
                Ok(Outcome { pairs: 2 * right.pairs, ..right })
            }];
        for (case, check) in [refused_winners_leave, queues_are_notified, stale_targets_count].iter().enumerate() {
            for (number, mutant) in mutants.iter().enumerate() {
                assert!(!check(*mutant).unwrap().holds, "case {case}, mutant {number}");
            }
        }
        for all in [false, true] {
            assert!(!consistent(&|example| Ok(wrong(example, all))).unwrap().holds, "all move: {all}");
        }
    }
}
