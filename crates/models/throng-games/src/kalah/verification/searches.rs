//! Compares unpruned searches with the counts and values of another program, and with the definition of minimax.

use throng_core::Finding;

use super::{CaseExecutor, Checked, game, list};
use crate::kalah::Side;
use crate::kalah::random_boards::boards;
use crate::kalah::reference::minimax;

/// Number of boards in the search trees from the start to depths 1 to 9, including the root.
const NODES: [u64; 9] = [7, 42, 227, 1_169, 5_859, 29_092, 143_522, 706_577, 3_470_067];
/// The values of these searches for the player who moves first.
const VALUES: [i32; 9] = [4, 4, 0, 2, 2, 2, 8, 8, 16];
/// The cells of the best moves.
const CELLS: [u32; 9] = [9, 9, 9, 10, 9, 12, 12, 9, 12];

pub(super) fn nodes(on: CaseExecutor<'_>) -> Checked {
    let start = game(6, 4).start(Side::Top);
    let found =
        (1..=9).map(|depth| on.search(&start, depth).map(|found| found.nodes)).collect::<Result<Vec<_>, _>>()?;
    let last = |nodes: &[u64]| format!("up to {}", nodes.last().copied().unwrap_or_default());
    Ok(Finding { expected: last(&NODES), found: last(&found), holds: found == NODES })
}

pub(super) fn values(on: CaseExecutor<'_>) -> Checked {
    let mut found = [Vec::new(), Vec::new()];
    for (values, side) in found.iter_mut().zip([Side::Top, Side::Bottom]) {
        for depth in 1..=9 {
            values.push(on.search(&game(6, 4).start(side), depth)?.value * side.sign());
        }
    }
    let holds = found.iter().all(|values| *values == VALUES);
    Ok(Finding { expected: list(VALUES), found: list(&found[0]), holds })
}

pub(super) fn cells(on: CaseExecutor<'_>) -> Checked {
    let (start, mut found) = (game(6, 4).start(Side::Top), Vec::new());
    for depth in 1..=9 {
        found.push(on.search(&start, depth)?.pit.map_or(0, |pit| pit + 7));
    }
    Ok(Finding::same(&list(CELLS), &list(found)))
}

pub(super) fn nodes_of_other_games(on: CaseExecutor<'_>) -> Checked {
    // The root and the leaves of all depths.
    let empty_capture = 1 + 6 + 35 + 185 + 942 + 4_685 + 23_169 + 113_959 + 559_885;
    let six_stones = 1 + 6 + 35 + 190 + 1_056 + 5_882 + 32_243 + 177_827 + 962_153;
    let mut found = Vec::new();
    for game in [game(6, 4).with_empty_capture(true), game(6, 6)] {
        found.push(on.search(&game.start(Side::Top), 8)?.nodes);
    }
    Ok(Finding::same(&list::<u64>([empty_capture, six_stones]), &list(found)))
}

pub(super) fn definition(on: CaseExecutor<'_>) -> Checked {
    let games = [game(6, 4), game(6, 6).with_empty_capture(true), game(3, 2), game(1, 6), game(4, 5)];
    let mut differ = 0;
    for (game, depth) in games.into_iter().zip([4, 5, 6, 7, 3]) {
        for board in boards(game, 12) {
            let (expected, found) = (minimax(&board, depth), on.search(&board, depth)?);
            let is_same = (found.value, found.pit, found.nodes) == (expected.value, expected.pit, expected.nodes);
            differ += usize::from(!is_same);
        }
    }
    Ok(Finding::no_difference("boards", differ))
}
