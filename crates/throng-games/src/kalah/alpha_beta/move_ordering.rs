//! The order in which moves are searched: that of the table first, then those after which the player moves again, captures,
//! and moves that were good elsewhere. Good moves first let alpha-beta leave out most others.

use crate::kalah::rules::sowing::{captured, moves_again, sowing, sown};
use crate::kalah::rules::{Position, Variant};

/// The largest number of moves of a position.
pub const MOST_MOVES: usize = 6;

/// The largest number of stones in a pit, and one.
const STONES: usize = 73;

/// A move and the position after it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Move {
    /// The pit that is played.
    pub pit: u32,
    /// Whether the same player moves again.
    pub again: bool,
    /// Pits of the player who moves next.
    pub own: u64,
    /// Pits of the other one.
    pub other: u64,
    /// What the score of the player who moves grows by.
    pub gain: i32,
    /// Better moves have larger ones.
    pub rank: i32,
    /// The number of the position, once it is known.
    pub number: u64,
}

/// The moves of a position.
#[derive(Debug, Clone, Copy, Default)]
pub struct Moves {
    moves: [Move; MOST_MOVES],
    len: usize,
}

impl Moves {
    /// Adds a move.
    #[inline(always)]
    pub fn push(&mut self, new: Move) {
        self.moves[self.len] = new;
        self.len += 1;
    }

    /// Sorts the moves, the best first, and those of equal rank by their pits.
    #[inline(always)]
    pub fn sort(&mut self) {
        for end in 1..self.len {
            let mut at = end;
            while at > 0 && self.moves[at - 1].rank < self.moves[at].rank {
                self.moves.swap(at - 1, at);
                at -= 1;
            }
        }
    }

    /// The moves in their order.
    #[inline(always)]
    pub fn as_slice(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

/// How often a move was best, by its pit and the number of its stones.
#[derive(Debug, Clone)]
pub struct History {
    counts: Box<[[u32; STONES]; MOST_MOVES]>,
}

impl History {
    /// Nothing yet.
    pub fn new() -> Self {
        Self { counts: Box::new([[0; STONES]; MOST_MOVES]) }
    }

    /// A move was best, `weight` being the larger the more that means.
    #[inline(always)]
    pub fn add(&mut self, own: u64, pit: u32, weight: u32) {
        let count = &mut self.counts[pit as usize][stones_of(own, pit)];
        *count += weight;
        if *count > MOST_HISTORY {
            self.counts.iter_mut().flatten().for_each(|count| *count /= 2);
        }
    }

    #[inline(always)]
    fn of(&self, own: u64, pit: u32) -> i32 {
        self.counts[pit as usize][stones_of(own, pit)] as i32
    }
}

/// Ranks: of a move again, of a capture, of each captured stone; history is below them.
const AGAIN: i32 = 1 << 28;
const CAPTURE: i32 = 1 << 20;
const MOST_HISTORY: u32 = 1 << 20;

#[inline(always)]
fn stones_of(own: u64, pit: u32) -> usize {
    ((own >> (8 * pit)) & 0x7f) as usize % STONES
}

/// The move of a pit that is not empty.
#[inline(always)]
pub fn moved(own: u64, other: u64, pit: u32, history: &History, variant: Variant) -> Move {
    let sowing = sowing(own, u64::from(pit), variant);
    let captured = captured(own, other, &sowing, variant);
    let next = sown(&Position { own, other, score: 0 }, &sowing, captured, variant);
    let again = moves_again(&sowing, variant);
    let rank = if again {
        // The pits next to the store first: the others can still be played afterwards.
        AGAIN + (pit as i32)
    } else if captured > 0 {
        CAPTURE * (captured + 1)
    } else {
        history.of(own, pit)
    };
    let (own, other) = if again { (next.own, next.other) } else { (next.other, next.own) };
    Move { pit, again, own, other, gain: next.score, rank, number: 0 }
}
