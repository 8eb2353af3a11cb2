//! The layered search.

use throng_games::kalah::rules::make_move::{MoveResult, make_move, value_of_move};
use throng_games::kalah::rules::position::{is_legal, is_over};
use throng_games::kalah::rules::word::Word;
use throng_games::kalah::rules::{Position, Variant};

use super::tree_array::PLIES;

/// Maximum number of tiles that are searched at once, as in the author's program.
pub const MAX_BATCH: usize = 500_000;

/// Division of a search into layers; the last [`PLIES`] moves belong to tiles. At least one move precedes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Split {
    pre: u32,
    seq: u32,
}

impl Split {
    /// Makes `pre` moves by recursion, and then, in one batch per board, `seq` moves by the two traversals.
    /// `None` if both are 0.
    pub fn new(pre: u32, seq: u32) -> Option<Self> {
        (pre + seq > 0).then_some(Self { pre, seq })
    }

    /// The fastest split for a depth, according to the paper: all moves above the tiles by the two traversals. `None`
    /// below a depth of 4.
    pub fn of_depth(depth: u32) -> Option<Self> {
        Self::new(0, depth.checked_sub(PLIES)?)
    }

    /// Number of moves by recursion.
    pub fn pre(self) -> u32 {
        self.pre
    }

    /// Number of moves by the two traversals.
    pub fn seq(self) -> u32 {
        self.seq
    }

    /// The split in the paper's notation, which counts the root of a tile as a fourth level.
    pub fn text(self) -> String {
        format!("({}, {}, {})", self.pre, self.seq, PLIES + 1)
    }
}

/// An executor that searches tiles.
pub trait Tiles<W: Word> {
    /// Error of a failed search.
    type Error;

    /// Returns the value of each board after [`PLIES`] moves, from the perspective of the player to move.
    ///
    /// # Errors
    /// When a device fails.
    fn values(&mut self, boards: &[Position<W>]) -> Result<Vec<i32>, Self::Error>;
}

/// A search, with buffers that are reused.
struct Search<'t, W: Word, T> {
    variant: Variant,
    batch: usize,
    tiles: &'t mut T,
    boards: Vec<Position<W>>,
    values: Vec<i32>,
}

/// Returns the value of a position from the perspective of the player to move, and the pit of the best move, which is
/// `None` if the game is over.
///
/// # Errors
/// If the search of tiles fails.
pub fn search<W: Word, T: Tiles<W>>(
    root: Position<W>,
    split: Split,
    batch: usize,
    variant: Variant,
    tiles: &mut T,
) -> Result<(i32, Option<u32>), T::Error> {
    let mut search = Search { variant, batch: batch.max(1), tiles, boards: Vec::new(), values: Vec::new() };
    if is_over(root.own, root.other) {
        return Ok((root.score, None));
    }
    let mut best = (i32::MIN, None);
    if split.pre > 0 {
        for pit in 0..variant.pits {
            if let Some(next) = search.next(&root, pit) {
                let value = search.pre(&next.position, split.pre - 1, split.seq)?;
                let value = value_of_move(value, next.again);
                if value > best.0 {
                    best = (value, Some(pit));
                }
            }
        }
        return Ok(best);
    }
    search.collect_batch(&root, split.seq)?;
    let mut at = 0;
    for pit in 0..variant.pits {
        if let Some(next) = search.next(&root, pit) {
            let value = search.consume(&next.position, split.seq - 1, &mut at);
            let value = value_of_move(value, next.again);
            if value > best.0 {
                best = (value, Some(pit));
            }
        }
    }
    Ok(best)
}

impl<W: Word, T: Tiles<W>> Search<'_, W, T> {
    fn next(&self, position: &Position<W>, pit: u32) -> Option<MoveResult<W>> {
        let pit = W::new(i64::from(pit));
        is_legal(position.own, pit, self.variant).then(|| make_move(position, pit, self.variant))
    }

    /// Searches by plain recursion, down to boards that start a batch.
    fn pre(&mut self, position: &Position<W>, moves: u32, seq: u32) -> Result<i32, T::Error> {
        if is_over(position.own, position.other) {
            return Ok(position.score);
        }
        if moves == 0 {
            self.collect_batch(position, seq)?;
            return Ok(self.consume(position, seq, &mut 0));
        }
        let mut best = i32::MIN;
        for pit in 0..self.variant.pits {
            if let Some(next) = self.next(position, pit) {
                let value = self.pre(&next.position, moves - 1, seq)?;
                best = best.max(value_of_move(value, next.again));
            }
        }
        Ok(best)
    }

    /// Makes the first traversal, and searches the tiles of the boards that it finds.
    fn collect_batch(&mut self, position: &Position<W>, moves: u32) -> Result<(), T::Error> {
        self.boards.clear();
        self.values.clear();
        self.collect(position, moves);
        for boards in self.boards.chunks(self.batch) {
            self.values.extend(self.tiles.values(boards)?);
        }
        Ok(())
    }

    /// Collects the boards after `moves` moves, except where the game ends earlier.
    fn collect(&mut self, position: &Position<W>, moves: u32) {
        if is_over(position.own, position.other) {
            return;
        }
        if moves == 0 {
            self.boards.push(*position);
            return;
        }
        for pit in 0..self.variant.pits {
            if let Some(next) = self.next(position, pit) {
                self.collect(&next.position, moves - 1);
            }
        }
    }

    /// The second traversal: visits the same boards in the same order, now with their values.
    fn consume(&self, position: &Position<W>, moves: u32, at: &mut usize) -> i32 {
        if is_over(position.own, position.other) {
            return position.score;
        }
        if moves == 0 {
            *at += 1;
            return self.values[*at - 1];
        }
        let mut best = i32::MIN;
        for pit in 0..self.variant.pits {
            if let Some(next) = self.next(position, pit) {
                let value = self.consume(&next.position, moves - 1, at);
                best = best.max(value_of_move(value, next.again));
            }
        }
        best
    }
}
