//! Whether the fields of a word are large enough.

use crate::kalah::Board;
use crate::kalah::rules::Variant;

/// Whether no pit can overflow its field in so many moves.
pub(super) fn fits(board: &Board, depth: u32, variant: Variant) -> bool {
    let most = board.cells().iter().max().copied().map_or(0, u32::from);
    // A move puts a stone into a pit once in each lap.
    let after_a_move = |most: u32| most + most.div_ceil(variant.lap());
    (0..depth)
        .try_fold(most, |most, _| Some(after_a_move(most)).filter(|&most| most <= variant.most_stones()))
        .is_some()
}
