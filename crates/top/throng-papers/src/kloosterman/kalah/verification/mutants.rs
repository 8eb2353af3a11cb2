//! Faulty searches: each must fail at least one case, and each case must fail on at least one of them.

use std::convert::Infallible;

use throng_games::kalah::reference::play;
use throng_games::kalah::rules::{Position, Variant};

use super::super::layers::{Split, Tiles, search};
use super::super::sequential::sequential;
use super::super::tile::{CpuTiles, generate, reduce};
use super::super::tree_array::PLIES;
use super::{ALL, CASES, Found, Layered, SEARCHES, Searches, differing, found};

/// The fault of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    /// Finds no value and no move.
    DoesNothing,
    /// A tile has one level.
    OneLevel,
    /// A tile has five levels.
    FiveLevels,
    /// Dead nodes count as boards from which the other player moves.
    CountsDeadNodes,
    /// The players take turns in a tile, even after an extra move.
    IgnoresExtraMoves,
    /// In a tile, the player to move goes on after the end of the game.
    IgnoresEnd,
    /// The values of tiles are from the perspective of the other player.
    WrongSide,
    /// The second traversal is one board ahead of the first.
    TraversalOffByOne,
    /// The last tile of each batch is not searched.
    DropsLastTile,
    /// Reports the pit after the best one.
    PitOffByOne,
    /// With several best moves, reports the last one.
    LastOfTies,
}

const FAULTS: [Fault; 11] = [
    Fault::DoesNothing,
    Fault::OneLevel,
    Fault::FiveLevels,
    Fault::CountsDeadNodes,
    Fault::IgnoresExtraMoves,
    Fault::IgnoresEnd,
    Fault::WrongSide,
    Fault::TraversalOffByOne,
    Fault::DropsLastTile,
    Fault::PitOffByOne,
    Fault::LastOfTies,
];

/// Tiles on the CPU with a fault.
struct FaultyTiles {
    fault: Fault,
    variant: Variant,
}

impl FaultyTiles {
    /// The value of a tile whose nodes have a fault.
    fn value(&self, root: Position<u64>) -> i32 {
        let (mut right, mut nodes) = (CpuTiles { variant: self.variant }, Vec::new());
        generate(root, &mut nodes, self.variant);
        match self.fault {
            Fault::OneLevel => return root.score,
            Fault::FiveLevels => {
                let Ok((value, _)) = search(root, Split::new(0, 1).unwrap(), ALL, self.variant, &mut right);
                return value;
            }
            Fault::CountsDeadNodes => nodes.iter_mut().for_each(|node| node.lives = true),
            Fault::IgnoresExtraMoves => nodes.iter_mut().for_each(|node| node.again = false),
            Fault::IgnoresEnd => {
                // A game ends only if neither player has stones.
                for node in nodes.iter_mut().filter(|node| node.position.own != 0) {
                    node.position.other |= 1;
                }
            }
            _ => {}
        }
        reduce(&mut nodes, self.variant);
        nodes[0].position.score
    }
}

impl Tiles<u64> for FaultyTiles {
    type Error = Infallible;

    fn values(&mut self, boards: &[Position<u64>]) -> Result<Vec<i32>, Infallible> {
        let mut values: Vec<i32> = boards.iter().map(|&board| self.value(board)).collect();
        match self.fault {
            Fault::WrongSide => values.iter_mut().for_each(|value| *value = -*value),
            Fault::TraversalOffByOne => values.rotate_left(1),
            Fault::DropsLastTile => *values.last_mut().expect("no batch is empty") = 0,
            _ => {}
        }
        Ok(values)
    }
}

/// The result of a layered search with a fault.
fn faulty(fault: Fault, layered: &Layered) -> Found {
    let &Layered { board, split, batch } = layered;
    let variant = board.game().wide(5);
    let Ok((value, pit)) = search(board.packed(variant), split, batch, variant, &mut FaultyTiles { fault, variant });
    let value = value * board.to_move().sign();
    match fault {
        Fault::DoesNothing => (0, None),
        Fault::PitOffByOne => (value, pit.map(|pit| (pit + 1) % variant.pits)),
        Fault::LastOfTies => {
            let below = split.pre() + split.seq() + PLIES - 1;
            let is_best = |pit: &u32| play(&board, *pit).is_ok_and(|next| sequential(&next, below).0 == value);
            (value, (0..variant.pits).rev().find(is_best))
        }
        _ => (value, pit),
    }
}

/// A few boards of each case. On board 46, the end of the game changes the value of a tile.
fn few_of(case: usize) -> Searches {
    let boards = [45..48, 46..48, 11..12][case].clone();
    Searches { boards, ..SEARCHES[case] }
}

/// The faults that each case must detect, besides that of a search that does nothing.
const DETECTED: [(&str, &[&str]); CASES.len()] = [
    (
        "the layered search",
        &["CountsDeadNodes", "IgnoresExtraMoves", "IgnoresEnd", "WrongSide", "PitOffByOne", "LastOfTies"],
    ),
    ("deep layered searches", &["TraversalOffByOne"]),
    ("splits of deep searches", &["OneLevel", "FiveLevels", "DropsLastTile"]),
];

#[test]
fn cases_detect_faulty_layers_and_tiles() {
    assert_eq!(DETECTED.map(|(case, _)| case), CASES.map(|case| case.name));
    let faults = FAULTS.map(|fault| format!("{fault:?}"));
    throng_testing::assert_detects(&faults, &["DoesNothing"], &DETECTED, |case, fault| {
        let found = match fault {
            Some(fault) => differing(&|layered| Ok(faulty(FAULTS[fault], layered)), &few_of(case)),
            None => differing(&|layered| found(None, layered), &few_of(case)),
        };
        CASES[case].verified(found).outcome()
    });
}
