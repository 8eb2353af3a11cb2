//! Which Kalah is played.

use throng_core::{InputError, Problems};

use super::board::{Board, Side};
use super::rules::Variant;

/// The size of the board and the rule of captures.
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

/// The largest number of pits of a player, and of stones in a pit at the start.
pub const MAX: u32 = 6;

impl Game {
    /// Kalah with `pits` pits for each player and `stones` stones in each pit at the start. A last stone that falls into an
    /// empty pit of its player captures only if the opposite pit holds stones.
    ///
    /// # Errors
    /// A number that is not from 1 to 6.
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

    /// The stones of the whole board.
    pub fn all_stones(self) -> u32 {
        2 * self.pits * self.stones
    }

    /// The same game with or without empty captures: a last stone that falls into an empty pit of its player goes to the
    /// store even if the opposite pit is empty.
    pub fn with_empty_capture(self, empty_capture: bool) -> Self {
        Self { empty_capture, ..self }
    }

    /// Pits of a player.
    pub fn pits(self) -> u32 {
        self.pits
    }

    /// Stones in a pit at the start.
    pub fn stones(self) -> u32 {
        self.stones
    }

    /// Whether the game has [empty captures](Self::with_empty_capture).
    pub fn empty_capture(self) -> bool {
        self.empty_capture
    }

    /// The board at the start.
    pub fn start(self, to_move: Side) -> Board {
        Board::start(self, to_move)
    }

    /// The rules for pits that hold up to all stones of the game, in words of 64 bits. A stone in a store adds
    /// `store_weight` to the score.
    pub fn wide(self, store_weight: u32) -> Variant {
        Variant { pits: self.pits, bits: 8, empty_capture: self.empty_capture, store_weight }
    }

    /// The same for pits of at most 31 stones, in words of 32 bits.
    pub fn narrow(self, store_weight: u32) -> Variant {
        Variant { bits: 5, ..self.wide(store_weight) }
    }
}
