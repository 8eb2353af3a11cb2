//! Verification cases: the layered search against the definition.

use throng_core::{Finding, Philox, VerificationCase};
use throng_device::{Device, with_kernels};
use throng_games::kalah::reference::{self, minimax};
use throng_games::kalah::{Board, Game, Side, unpruned};
use throng_model::Failure;

use super::layers::{Split, search};
use super::tile::CpuTiles;
use super::tree_array::PLIES;
use crate::experiment::Trial;

/// Boards of a case, as many as in the paper.
const BOARDS: u64 = 512;

/// Searches all boards of a level in one batch.
const ALL: usize = usize::MAX;

pub(in super::super) const CASES: [VerificationCase<Trial>; 3] = [
    VerificationCase::new(
        "the layered search",
        Trial::Anywhere(|on| differing(on.device(), BOARDS, &[4, 5, 6], Splits::All, &[&[1, 7, ALL]])),
        "value and move of 512 random boards equal the results of plain recursion at depths of 4 to 6, with all splits, \
         and with batches of one, seven and all boards (Kloosterman, section 5.4)",
    ),
    // With a batch of one, a search to depth 8 would launch thousands of kernels.
    VerificationCase::new(
        "deep layered searches",
        Trial::Anywhere(|on| differing(on.device(), BOARDS, &[7, 8], Splits::Fastest, &[&[7], &[ALL]])),
        "value and move of 512 random boards equal the results of plain recursion at depths of 7 and 8; the tiles are \
         searched in batches of seven for every second board, and all at once for the others",
    ),
    VerificationCase::new(
        "splits of deep searches",
        Trial::Anywhere(|on| differing(on.device(), BOARDS / 32, &[7, 8], Splits::All, &[&[ALL]])),
        "value and move of random boards equal the results of plain recursion at depths of 7 and 8, with all splits",
    ),
];

/// Selects the tested splits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Splits {
    /// All splits with up to two moves by recursion.
    All,
    /// The paper's fastest split.
    Fastest,
}

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

/// Maximum depth that is searched by the definition, which is slow. Deeper searches are compared with the unpruned
/// search, which has its own verification cases against the definition.
const MAX_DEPTH_OF_DEFINITION: u32 = 6;

/// Counts the searches of random boards that differ from the definition. Boards cycle through the lists of batch sizes.
fn differing(
    device: Option<&Device>,
    boards: u64,
    depths: &[u32],
    splits: Splits,
    batches: &[&[usize]],
) -> Result<Finding, Failure> {
    let mut differ = 0;
    let mut searches = 0;
    for (board, batches) in (0..boards).map(random_board).zip(batches.iter().cycle()) {
        for &depth in depths {
            let expected = if depth <= MAX_DEPTH_OF_DEFINITION {
                let found = minimax(&board, depth);
                (found.value, found.pit)
            } else {
                let found = unpruned::search_on_cpu(&board, depth);
                (found.value, found.pit)
            };
            let max_pre = if splits == Splits::All { (depth - PLIES).min(2) } else { 0 };
            for pre in 0..=max_pre {
                let Some(split) = Split::new(pre, depth - PLIES - pre) else { continue };
                for &batch in *batches {
                    let (value, pit) = found(device, &board, split, batch)?;
                    searches += 1;
                    differ += usize::from((value * board.to_move().sign(), pit) != expected);
                }
            }
        }
    }
    Ok(Finding::no_difference(&format!("of {searches} searches"), differ))
}

/// The result of the layered search, with tiles on the device or on the CPU. Uses wide words, because a pit may hold
/// many stones.
fn found(device: Option<&Device>, board: &Board, split: Split, batch: usize) -> Result<(i32, Option<u32>), Failure> {
    let variant = board.game().wide(5);
    match device {
        None => search::<u64, _>(board.packed(variant), split, batch, variant, &mut CpuTiles { variant })
            .map_err(|never| match never {}),
        Some(device) => with_kernels!("throng-papers", device, |device| {
            let mut tiles = super::device::DeviceTiles { device, variant };
            search::<u64, _>(board.packed(variant), split, batch, variant, &mut tiles).map_err(Failure::from)
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::layers::Tiles;
    use super::*;

    #[test]
    fn the_layered_search_matches_the_definition() {
        for (boards, depths, splits, batches) in [
            (64, &[4, 5, 6][..], Splits::All, &[&[1, 7, ALL][..]][..]),
            (64, &[7], Splits::Fastest, &[&[7], &[ALL]]),
            (8, &[7], Splits::All, &[&[ALL]]),
        ] {
            let finding = differing(None, boards, depths, splits, batches).unwrap();
            assert!(finding.holds, "{depths:?}: {finding:?}");
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

    #[test]
    fn devices_search_tiles_like_the_cpu() {
        for device in throng_testing_devices::devices() {
            let finding = differing(Some(device), 24, &[4, 5, 6], Splits::All, &[&[1, 7, ALL]]).unwrap();
            assert!(finding.holds, "{finding:?}");
        }
    }

    #[test]
    fn a_faulty_tile_is_detected() {
        struct Faulty(CpuTiles);
        impl Tiles<u64> for Faulty {
            type Error = std::convert::Infallible;
            fn values(
                &mut self,
                boards: &[throng_games::kalah::rules::Position<u64>],
            ) -> Result<Vec<i32>, Self::Error> {
                let mut values = self.0.values(boards)?;
                for value in &mut values {
                    *value += 1;
                }
                Ok(values)
            }
        }
        let board = random_board(3);
        let variant = board.game().wide(5);
        let split = Split::of_depth(5).unwrap();
        let mut tiles = Faulty(CpuTiles { variant });
        let Ok((value, _)) = search::<u64, _>(board.packed(variant), split, 9, variant, &mut tiles);
        assert_ne!(value * board.to_move().sign(), minimax(&board, 5).value);
    }
}
