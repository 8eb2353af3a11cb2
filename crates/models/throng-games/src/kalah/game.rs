//! Variants of Kalah.

use throng_core::{InputError, Problems};

use super::board::{Board, Side};
use super::rules::Variant;

/// The size of the board and the capture rule.
///
/// ```
/// use throng_games::kalah::{Game, Side};
///
/// let game = Game::new(6, 4)?;
/// assert_eq!(game.start(Side::Top).to_string(), "4 4 4 4 4 4 0 | 4 4 4 4 4 4 0 top");
/// assert!(Game::new(7, 4).is_err());
/// # Ok::<(), throng_core::InputError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Game {
    pits: u32,
    stones: u32,
    empty_capture: bool,
}

/// Maximum number of pits per player, and of stones per pit at the start.
pub const MAX: u32 = 6;

impl Game {
    /// Creates a game with `pits` pits per player and `stones` stones in each pit at the start. A last stone that falls
    /// into an empty pit of its player captures only if the opposite pit is not empty.
    ///
    /// # Errors
    /// If a number is not between 1 and 6.
    pub fn new(pits: u32, stones: u32) -> Result<Self, InputError> {
        let mut problems = Problems::new();
        for (what, number) in [("pits", pits), ("stones", stones)] {
            if !(1..=MAX).contains(&number) {
                problems.push(what, number.to_string(), format!("give a whole number from 1 to {MAX}"));
            }
        }
        problems.into_result()?;
        Ok(Self { pits, stones, empty_capture: false })
    }

    /// Returns the number of stones on the board.
    pub fn all_stones(self) -> u32 {
        2 * self.pits * self.stones
    }

    /// Returns the same game with or without empty captures. With them, a last stone that falls into an empty pit of
    /// its player goes to the store even if the opposite pit is empty.
    pub fn with_empty_capture(self, empty_capture: bool) -> Self {
        Self { empty_capture, ..self }
    }

    /// Returns the number of pits per player.
    pub fn pits(self) -> u32 {
        self.pits
    }

    /// Returns the number of stones per pit at the start.
    pub fn stones(self) -> u32 {
        self.stones
    }

    /// Whether the game has [empty captures](Self::with_empty_capture).
    pub fn empty_capture(self) -> bool {
        self.empty_capture
    }

    /// Returns the board at the start.
    pub fn start(self, to_move: Side) -> Board {
        Board::start(self, to_move)
    }

    /// Returns the rules for pits that hold up to all stones of the game, in 64-bit words. A stone in a store adds
    /// `store_weight` to the score.
    pub fn wide(self, store_weight: u32) -> Variant {
        Variant { pits: self.pits, bits: 8, empty_capture: self.empty_capture, store_weight }
    }

    /// Like [`Game::wide`], for pits of at most 31 stones, in 32-bit words.
    pub fn narrow(self, store_weight: u32) -> Variant {
        Variant { bits: 5, ..self.wide(store_weight) }
    }
}
