//! Compares unpruned searches with the counts and values of another program, and with the definition of minimax.

use throng_core::Finding;
use throng_model::Failure;

use super::executor::CaseExecutor;
use super::{Checked, game, list};
use crate::kalah::Side;
use crate::kalah::random_boards::boards;
use crate::kalah::reference::minimax;

/// Number of boards in the search trees from the start to depths 1 to 9, including the root.
const NODES: [u64; 9] = [7, 42, 227, 1_169, 5_859, 29_092, 143_522, 706_577, 3_470_067];
/// The values of searches to depths 1 to 12 for the player who moves first.
pub(super) const VALUES: [i32; 12] = [4, 4, 0, 2, 2, 2, 8, 8, 16, 14, 18, 22];
/// The cells of the best moves.
pub(super) const CELLS: [u32; 12] = [9, 9, 9, 10, 9, 12, 12, 9, 12, 12, 9, 9];

/// Number of boards at each depth in the trees of two other games: 6 pits and 4 stones with empty captures, 6 pits and
/// 6 stones.
const BOARDS: [[u64; 9]; 2] =
    [[1, 6, 35, 185, 942, 4_685, 23_169, 113_959, 559_885], [1, 6, 35, 190, 1_056, 5_882, 32_243, 177_827, 962_153]];

pub(super) fn nodes(on: &dyn CaseExecutor) -> Checked {
    let (start, depth) = (game(6, 4).start(Side::Top), on.extent().depth);
    let found = (1..=depth).map(|depth| Ok(on.search(&start, depth)?.nodes)).collect::<Result<Vec<_>, Failure>>()?;
    let last = |nodes: &[u64]| format!("up to {}", nodes.last().copied().unwrap_or_default());
    let expected = &NODES[..depth as usize];
    Ok(Finding { expected: last(expected), found: last(&found), holds: found == expected })
}

pub(super) fn values(on: &dyn CaseExecutor) -> Checked {
    let expected = &VALUES[..on.extent().depth as usize];
    let mut found = [Vec::new(), Vec::new()];
    for (values, side) in found.iter_mut().zip([Side::Top, Side::Bottom]) {
        for depth in 1..=on.extent().depth {
            values.push(on.search(&game(6, 4).start(side), depth)?.value * side.sign());
        }
    }
    let holds = found.iter().all(|values| values == expected);
    Ok(Finding { expected: list(expected), found: list(&found[0]), holds })
}

pub(super) fn cells(on: &dyn CaseExecutor) -> Checked {
    let (start, mut found) = (game(6, 4).start(Side::Top), Vec::new());
    for depth in 1..=on.extent().depth {
        found.push(on.search(&start, depth)?.pit.map_or(0, |pit| pit + 7));
    }
    Ok(Finding::same(&list(&CELLS[..found.len()]), &list(found)))
}

pub(super) fn nodes_of_other_games(on: &dyn CaseExecutor) -> Checked {
    let depth = on.extent().depth.min(8);
    let expected = BOARDS.map(|boards| boards[..=depth as usize].iter().sum::<u64>());
    let mut found = Vec::new();
    for game in [game(6, 4).with_empty_capture(true), game(6, 6)] {
        found.push(on.search(&game.start(Side::Top), depth)?.nodes);
    }
    Ok(Finding::same(&list(expected), &list(found)))
}

pub(super) fn definition(on: &dyn CaseExecutor) -> Checked {
    let games = [game(6, 4), game(6, 6).with_empty_capture(true), game(3, 2), game(1, 6), game(4, 5)];
    let mut differ = 0;
    for (game, depth) in games.into_iter().zip([4, 5, 6, 7, 3]) {
        for board in boards(game, on.extent().boards) {
            let (expected, found) = (minimax(&board, depth), on.search(&board, depth)?);
            let is_same = (found.value, found.pit, found.nodes) == (expected.value, expected.pit, expected.nodes);
            differ += usize::from(!is_same);
        }
    }
    Ok(Finding::no_difference("boards", differ))
}
