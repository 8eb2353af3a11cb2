//! Verification cases: the layered search against the definition.

use throng_core::{Finding, Philox, VerificationCase, Verified};
use throng_device::AnyDevice;
use throng_games::kalah::reference::{self, minimax};
use throng_games::kalah::{Board, Game, Side};

use super::layers::{Split, search};
use super::tile::CpuTiles;
use super::tree_array::PLIES;

/// Boards of a case; the paper's number.
const BOARDS: u64 = 512;

type Case = VerificationCase<fn(Option<&AnyDevice>) -> Result<Finding, String>>;

const CASES: [Case; 2] = [
    VerificationCase::new(
        "the layered search",
        |device| differing(device, BOARDS, &[4, 5], &[1, 7, usize::MAX]),
        "value and move of 512 random boards are those of plain recursion at depths of 4 and 5, with batches of one, seven \
         and all boards (Kloosterman, section 5.4)",
    ),
    VerificationCase::new(
        "deep layered searches",
        |device| differing(device, BOARDS / 32, &[6, 7, 8], &[usize::MAX]),
        "value and move of random boards are those of plain recursion at depths of 6 to 8, with all splits",
    ),
];

/// Runs all cases on a device, or on the CPU.
pub fn verify(device: Option<&AnyDevice>, tell: &mut dyn FnMut(Verified)) {
    for case in &CASES {
        tell(case.verified((case.check)(device)));
    }
}

/// A board after some random moves from the start.
fn board(seed: u64) -> Board {
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

/// How many searches of random boards differ from the definition.
fn differing(device: Option<&AnyDevice>, boards: u64, depths: &[u32], batches: &[usize]) -> Result<Finding, String> {
    let mut differ = 0;
    let mut searches = 0;
    for board in (0..boards).map(board) {
        for &depth in depths {
            let expected = minimax(&board, depth);
            for pre in 0..=(depth - PLIES).min(2) {
                let Some(split) = Split::new(pre, depth - PLIES - pre) else { continue };
                for &batch in batches {
                    let (value, pit) = found(device, &board, split, batch)?;
                    searches += 1;
                    differ += usize::from((value * board.to_move().sign(), pit) != (expected.value, expected.pit));
                }
            }
        }
    }
    Ok(Finding::no_difference(&format!("of {searches} searches"), differ))
}

/// What the layered search finds, with tiles on the device or on the CPU. Words are wide, since a board may have many stones
/// in a pit.
fn found(device: Option<&AnyDevice>, board: &Board, split: Split, batch: usize) -> Result<(i32, Option<u32>), String> {
    let variant = board.game().wide(5);
    match device {
        None => search::<u64, _>(board.packed(variant), split, batch, variant, &mut CpuTiles { variant })
            .map_err(|never| match never {}),
        #[cfg(feature = "gpu")]
        Some(device) => throng_device::with_device!(device, |device| {
            let mut tiles = super::device::DeviceTiles { device, variant };
            search::<u64, _>(board.packed(variant), split, batch, variant, &mut tiles)
        })
        .map_err(|error| error.to_string()),
        #[cfg(not(feature = "gpu"))]
        Some(device) => Err(device.no_kernels("throng-papers").to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::layers::Tiles;
    use super::*;

    #[test]
    fn the_layered_search_is_that_of_the_definition() {
        verify(None, &mut |verified| assert!(verified.finding.holds, "{verified:?}"));
    }

    #[test]
    fn devices_search_tiles_like_the_cpu() {
        for device in throng_testing::devices() {
            let finding = differing(Some(device), 24, &[4, 5], &[7, usize::MAX]).unwrap();
            assert!(finding.holds, "{finding:?}");
        }
    }

    #[test]
    fn a_faulty_tile_is_found() {
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
        let board = board(3);
        let variant = board.game().wide(5);
        let split = Split::of_depth(5).unwrap();
        let mut tiles = Faulty(CpuTiles { variant });
        let Ok((value, _)) = search::<u64, _>(board.packed(variant), split, 9, variant, &mut tiles);
        assert_ne!(value * board.to_move().sign(), minimax(&board, 5).value);
    }
}
