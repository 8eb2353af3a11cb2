//! Boards as users read and write them.

use std::fmt;

use throng_core::InputError;

use super::game::Game;
use super::rules::word::Word;
use super::rules::{Position, Variant};

/// The players. The cells of `Bottom` are numbered from 0, and those of `Top` follow the store of `Bottom`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The player of the lower row, who minimises.
    Bottom,
    /// The player of the upper row, who maximises.
    Top,
}

impl Side {
    /// The other player.
    pub fn other(self) -> Self {
        match self {
            Self::Bottom => Self::Top,
            Self::Top => Self::Bottom,
        }
    }

    /// 1 for the player who maximises, -1 for the other one.
    pub fn sign(self) -> i32 {
        match self {
            Self::Bottom => -1,
            Self::Top => 1,
        }
    }
}

/// Cells of the largest board.
const MOST_CELLS: usize = 14;

/// The stones of all cells, and the player to move.
///
/// Cells are in the order of sowing: the pits of [`Side::Bottom`], its store, the pits of [`Side::Top`], its store. A board
/// is written as its cells and the player to move, and read likewise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    game: Game,
    cells: [u8; MOST_CELLS],
    to_move: Side,
}

impl Board {
    pub(super) fn start(game: Game, to_move: Side) -> Self {
        let mut cells = [0; MOST_CELLS];
        let pits = game.pits() as usize;
        cells[..pits].fill(game.stones() as u8);
        cells[pits + 1..=2 * pits].fill(game.stones() as u8);
        Self { game, cells, to_move }
    }

    /// A board with these stones.
    ///
    /// # Errors
    /// A number of cells that the game does not have, or a number of stones that it does not start with.
    pub fn new(game: Game, cells: &[u8], to_move: Side) -> Result<Self, InputError> {
        let (expected, pits) = (2 * game.pits() as usize + 2, game.pits());
        if cells.len() != expected {
            let remedy = format!("give {expected}: {pits} pits and a store of the lower row, and of the upper row");
            return Err(InputError::one("board", format!("{} cells", cells.len()), remedy));
        }
        let stones: u32 = cells.iter().map(|&cell| u32::from(cell)).sum();
        let all = game.all_stones();
        if stones != all {
            let remedy = format!("a game of {pits} pits with {} stones each has {all} in all", game.stones());
            return Err(InputError::one("board", format!("{stones} stones"), remedy));
        }
        let mut board = Self { game, cells: [0; MOST_CELLS], to_move };
        board.cells[..expected].copy_from_slice(cells);
        Ok(board)
    }

    /// Reads a board, such as `4 4 4 4 4 4 0 | 4 4 4 4 4 4 0 top`. The bar may be missing.
    ///
    /// # Errors
    /// A word that is not a number, and everything that [`Board::new`] refuses.
    pub fn read(game: Game, text: &str) -> Result<Self, InputError> {
        let refused = |found: &str, remedy: &str| InputError::one("board", found.to_owned(), remedy);
        let mut words: Vec<&str> = text.split_whitespace().filter(|&word| word != "|").collect();
        let to_move = match words.pop() {
            Some("top") => Side::Top,
            Some("bottom") => Side::Bottom,
            other => return Err(refused(other.unwrap_or(text), "end with the player to move, `top` or `bottom`")),
        };
        let all = game.all_stones();
        let number = |word: &&str| {
            let stones: u32 = word.parse().map_err(|_| refused(word, "give the stones of a cell as a number"))?;
            if stones > all {
                return Err(refused(&format!("{stones} stones in a cell"), &format!("this game has {all} in all")));
            }
            Ok(stones as u8)
        };
        let cells = words.iter().map(number).collect::<Result<Vec<u8>, _>>()?;
        Self::new(game, &cells, to_move)
    }

    /// The game that is played.
    pub fn game(&self) -> Game {
        self.game
    }

    /// Stones of all cells in the order of sowing.
    pub fn cells(&self) -> &[u8] {
        &self.cells[..2 * self.game.pits() as usize + 2]
    }

    /// The player to move.
    pub fn to_move(&self) -> Side {
        self.to_move
    }

    /// The cell of the first pit of a player.
    pub fn first_pit(&self, side: Side) -> usize {
        match side {
            Side::Bottom => 0,
            Side::Top => self.game.pits() as usize + 1,
        }
    }

    /// The stones in the pits of a player.
    pub fn pits(&self, side: Side) -> &[u8] {
        let first = self.first_pit(side);
        &self.cells[first..first + self.game.pits() as usize]
    }

    /// The stones in the store of a player.
    pub fn store(&self, side: Side) -> u8 {
        self.cells[self.first_pit(side) + self.game.pits() as usize]
    }

    /// The stones in a player's store and pits: those that it ends with if the game is over now.
    pub fn total(&self, side: Side) -> i32 {
        i32::from(self.store(side)) + self.pits(side).iter().map(|&pit| i32::from(pit)).sum::<i32>()
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        [Side::Bottom, Side::Top].into_iter().any(|side| self.pits(side).iter().all(|&pit| pit == 0))
    }

    /// Whether no pit can overflow its field in so many moves. Stores do not count: packed positions do not hold them.
    pub fn fits(&self, variant: Variant, moves: u32) -> bool {
        let pits = || [Side::Bottom, Side::Top].into_iter().flat_map(|side| self.pits(side)).map(|&pit| u32::from(pit));
        let in_pits: u32 = pits().sum();
        let mut most = pits().max().unwrap_or(0);
        for _ in 0..moves {
            // A move puts one stone into a pit in each lap. No pit ever holds more than all pits do now.
            let next = (most + most.div_ceil(variant.lap())).min(in_pits);
            if next == most || most > variant.most_stones() {
                break;
            }
            most = next;
        }
        most <= variant.most_stones()
    }

    /// The packed position.
    ///
    /// # Panics
    /// If a pit has more stones than a field can hold.
    pub fn packed<W: Word>(&self, variant: Variant) -> Position<W> {
        let bits = W::new(i64::from(variant.bits));
        let word = |side| {
            self.pits(side).iter().rev().fold(W::new(0), |word, &pit| {
                assert!(u32::from(pit) <= variant.most_stones(), "{pit} stones in a field of {} bits", variant.bits);
                (word << bits) | W::new(i64::from(pit))
            })
        };
        let score = |side| self.total(side) + i32::from(self.store(side)) * (variant.store_weight as i32 - 1);
        let (own, other) = (self.to_move, self.to_move.other());
        Position { own: word(own), other: word(other), score: score(own) - score(other) }
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let half = self.game.pits() as usize + 1;
        for (i, cell) in self.cells().iter().enumerate() {
            if i == half {
                f.write_str("| ")?;
            }
            write!(f, "{cell} ")?;
        }
        f.write_str(match self.to_move {
            Side::Bottom => "bottom",
            Side::Top => "top",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_that_a_game_cannot_have_are_refused() {
        let game = Game::new(2, 3).unwrap();
        for (text, expected) in [
            ("3 3 0 | 3 3 0", "board: 0\n    end with the player to move, `top` or `bottom`"),
            ("", "board: \n    end with the player to move"),
            (
                "3 3 0 | 3 3 top",
                "board: 5 cells\n    give 6: 2 pits and a store of the lower row, and of the upper row",
            ),
            ("3 3 0 | 3 2 0 top", "board: 11 stones\n    a game of 2 pits with 3 stones each has 12 in all"),
            ("3 x 0 | 3 3 0 top", "board: x\n    give the stones of a cell as a number"),
            ("-3 9 0 | 3 3 0 top", "board: -3\n    give the stones of a cell as a number"),
            ("300 3 0 | 3 3 0 top", "board: 300 stones in a cell\n    this game has 12 in all"),
        ] {
            let error = Board::read(game, text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
        assert!(Board::read(game, "0 0 12 | 0 0 0 bottom").is_ok());
    }

    #[test]
    fn fields_must_hold_pits_but_not_stores() {
        let game = Game::new(6, 6).unwrap();
        let fits = |board: &str, moves| Board::read(game, board).unwrap().fits(game.narrow(5), moves);
        // A full store needs no field, and so few stones in pits never fill one.
        assert!(fits("0 0 0 1 0 1 36 | 0 0 0 0 0 4 30 top", 63));
        assert!(fits("31 0 0 0 0 0 5 | 1 0 0 0 0 0 35 top", 0));
        // The bottom row may get a stone from the top.
        assert!(!fits("31 0 0 0 0 0 5 | 1 0 0 0 0 0 35 top", 1));
        assert!(!fits("32 0 0 0 0 0 5 | 1 0 0 0 0 0 34 top", 0));
        // 29 stones and the 3 of a move of so many are too many; 28 and 3 are not.
        assert!(fits("28 0 0 0 0 0 5 | 9 0 0 0 0 0 30 top", 1) && !fits("29 0 0 0 0 0 5 | 9 0 0 0 0 0 29 top", 1));
    }
}
