//! The value, the best move and the line of best play to a given depth.
//!
//! With several best moves, the one that a search finds depends on the table and, with several threads, on timing. The
//! value does not. Once it is known, null-window searches find the first move that reaches it.

use super::depth_limited::Searcher;
use super::limit::Stopped;
use crate::kalah::rules::Position;
use crate::kalah::rules::position::is_over;

/// Larger than all values.
const BEYOND: i32 = 1 << 20;

/// The result of a search to a depth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// The value for the player to move.
    pub value: i32,
    /// The first of the best moves in each position, starting at the root.
    pub line: Vec<u32>,
    /// Whether deeper searches find the same result.
    pub is_final: bool,
}

/// Searches a position to a given depth.
///
/// # Errors
/// If the search was stopped.
pub fn principal_variation<const PITS: u32, const EMPTY: bool>(
    searcher: &mut Searcher<'_, PITS, EMPTY>,
    position: &Position<u64>,
    depth: u32,
) -> Result<Finished, Stopped> {
    let (mut own, mut other) = (position.own, position.other);
    let found = searcher.value(own, other, depth, -BEYOND, BEYOND)?;
    let (mut line, mut is_final, mut value) = (Vec::new(), found.is_final, found.relative);
    for remaining in (1..=depth).rev() {
        if is_over(own, other) {
            break;
        }
        let mut best = None;
        for pit in 0..PITS {
            let Some(next) = Searcher::<PITS, EMPTY>::moved(own, other, pit) else { continue };
            let of_move = searcher.value_of_move(&next, remaining, value - 1, value)?;
            is_final &= of_move.is_final;
            if of_move.relative >= value {
                best = Some(next);
                break;
            }
        }
        let best = best.expect("a move has the value of the position");
        line.push(best.pit);
        value = if best.again { value - best.gain } else { best.gain - value };
        (own, other) = (best.own, best.other);
    }
    Ok(Finished { value: position.score + found.relative, line, is_final })
}
