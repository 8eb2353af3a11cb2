//! Verification cases: the layered search against plain recursion over arrays of cells, which shares no code with it.

#[cfg(test)]
mod mutants;

use std::ops::Range;

use rayon::prelude::*;
use throng_core::{Finding, Philox, VerificationCase};
use throng_device::{Device, with_kernels};
use throng_games::kalah::{Board, Game, Side, reference};
use throng_model::Failure;

use super::layers::{Split, search};
use super::sequential::sequential;
use super::tile::CpuTiles;
use super::tree_array::PLIES;
use crate::experiment::Trial;

/// Boards of a case, as in the author's program.
const BOARDS: u64 = 512;

/// Searches all boards of a level in one batch.
const ALL: usize = usize::MAX;

pub(in super::super) const CASES: [VerificationCase<Trial>; 3] = [
    VerificationCase::new(
        "the layered search",
        Trial::Anywhere(|on| differing(&|search| found(on.device(), search), &SEARCHES[0])),
        "value and move of 512 random boards equal the results of plain recursion at depths of 4 to 6, with all splits, \
         and with batches of one, seven and all boards (Kloosterman, section 5.4)",
    ),
    VerificationCase::new(
        "deep layered searches",
        Trial::Anywhere(|on| differing(&|search| found(on.device(), search), &SEARCHES[1])),
        "value and move of 512 random boards equal the results of plain recursion at depths of 7 and 8; the tiles are \
         searched in batches of seven for every second board, and all at once for the others",
    ),
    VerificationCase::new(
        "splits of deep searches",
        Trial::Anywhere(|on| differing(&|search| found(on.device(), search), &SEARCHES[2])),
        "value and move of random boards equal the results of plain recursion at depths of 7 and 8, with all splits",
    ),
];

/// The searches of a case. Boards cycle through the lists of batch sizes.
#[derive(Debug, Clone)]
struct Searches {
    /// Numbers of the random boards.
    boards: Range<u64>,
    depths: &'static [u32],
    splits: Splits,
    batches: &'static [&'static [usize]],
}

/// The searches of each case.
const SEARCHES: [Searches; 3] = [
    Searches { boards: 0..BOARDS, depths: &[4, 5, 6], splits: Splits::All, batches: &[&[1, 7, ALL]] },
    // With a batch of one, a search to depth 8 would launch thousands of kernels.
    Searches { boards: 0..BOARDS, depths: &[7, 8], splits: Splits::Fastest, batches: &[&[7], &[ALL]] },
    Searches { boards: 0..BOARDS / 32, depths: &[7, 8], splits: Splits::All, batches: &[&[ALL]] },
];

/// Selects the tested splits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Splits {
    /// All splits with up to two moves by recursion.
    All,
    /// The paper's fastest split.
    Fastest,
}

/// A layered search.
#[derive(Debug, Clone, Copy)]
struct Layered {
    board: Board,
    split: Split,
    batch: usize,
}

/// The value of a board for the upper player, and the pit of the best move.
type Found = (i32, Option<u32>);

/// A board after some random moves from the initial one.
pub(super) fn random_board(seed: u64) -> Board {
    let draws = Philox::new(seed);
    let side = if draws.below(2, 0, 0, 0, 0) == 0 { Side::Bottom } else { Side::Top };
    let mut board = Game::new(6, 4).expect("a game of these sizes exists").start(side);
    for ply in 0..draws.below(30, 1, 0, 0, 0) {
        let next: Vec<Board> = (0..6).filter_map(|pit| reference::play(&board, pit).ok()).collect();
        let Some(last) = next.len().checked_sub(1) else { break };
        board = next[draws.below(last as u32 + 1, 2, ply, 0, 0) as usize];
    }
    board
}

/// Counts the searches of random boards whose results differ from those of plain recursion.
fn differing(
    found: &dyn Fn(&Layered) -> Result<Found, Failure>,
    Searches { boards, depths, splits, batches }: &Searches,
) -> Result<Finding, Failure> {
    let of_board = |board: Board| (board, depths.iter().map(|&depth| sequential(&board, depth)).collect::<Vec<_>>());
    let expected: Vec<_> = boards.clone().into_par_iter().map(random_board).map(of_board).collect();
    let mut differ = 0;
    let mut searches = 0;
    for ((board, expected), batches) in expected.into_iter().zip(batches.iter().cycle()) {
        for (&depth, expected) in depths.iter().zip(expected) {
            let max_pre = if *splits == Splits::All { (depth - PLIES).min(2) } else { 0 };
            for pre in 0..=max_pre {
                let Some(split) = Split::new(pre, depth - PLIES - pre) else { continue };
                for &batch in *batches {
                    searches += 1;
                    differ += usize::from(found(&Layered { board, split, batch })? != expected);
                }
            }
        }
    }
    Ok(Finding::no_difference(&format!("of {searches} searches"), differ))
}

/// The result of a layered search, with tiles on the device or on the CPU. Uses wide words, because a pit may hold many
/// stones.
fn found(device: Option<&Device>, &Layered { board, split, batch }: &Layered) -> Result<Found, Failure> {
    let variant = board.game().wide(5);
    let found: Result<Found, Failure> = match device {
        None => search(board.packed::<u64>(variant), split, batch, variant, &mut CpuTiles { variant })
            .map_err(|never| match never {}),
        Some(device) => with_kernels!("throng-papers", device, |device| {
            let mut tiles = super::device::DeviceTiles { device, variant };
            search(board.packed::<u64>(variant), split, batch, variant, &mut tiles).map_err(Failure::from)
        }),
    };
    let (value, pit) = found?;
    Ok((value * board.to_move().sign(), pit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_search_tiles_like_the_cpu() {
        for device in throng_testing_devices::devices() {
            let searches = Searches { boards: 0..8, ..SEARCHES[0] };
            let finding = differing(&|search| found(Some(device), search), &searches).unwrap();
            assert!(finding.holds, "{finding:?}");
        }
    }

    /// More boards, and deeper searches.
    mod exhaustive {
        #[test]
        fn all_cases_hold() {
            let mut tell = |verified: throng_core::Verified| assert!(verified.finding.holds, "{verified:?}");
            throng_model::Check::verify(&crate::KLOOSTERMAN, &throng_device::Executor::cpu(), &mut tell);
        }
    }
}
