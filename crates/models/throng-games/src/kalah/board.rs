//! Boards, and their text form for users.

use std::fmt;

use throng_core::InputError;
use throng_model::names::shown;

use super::game::{Game, MAX};
use super::rules::word::Word;
use super::rules::{Position, Variant};

/// The players. The cells of `Bottom` have the indices from 0, followed by those of `Top`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The player of the lower row, who minimises.
    Bottom,
    /// The player of the upper row, who maximises.
    Top,
}

impl Side {
    /// Returns the other player.
    pub fn other(self) -> Self {
        match self {
            Self::Bottom => Self::Top,
            Self::Top => Self::Bottom,
        }
    }

    /// Returns the name in boards and records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bottom => "bottom",
            Self::Top => "top",
        }
    }

    /// Returns the player called `name`.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        [Self::Bottom, Self::Top].into_iter().find(|side| side.name() == name)
    }

    /// Returns 1 for the player who maximises, -1 for the other.
    pub fn sign(self) -> i32 {
        match self {
            Self::Bottom => -1,
            Self::Top => 1,
        }
    }
}

/// Number of cells of the largest board.
const MAX_CELLS: usize = 2 * MAX as usize + 2;
/// Number of stones of the largest game.
const MAX_STONES: u32 = 2 * MAX * MAX;

/// The stones of all cells, and the player to move.
///
/// Cells are in sowing order: the pits of [`Side::Bottom`], its store, the pits of [`Side::Top`], its store. The text
/// form of a board consists of its cells and the player to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    game: Game,
    cells: [u8; MAX_CELLS],
    to_move: Side,
}

impl Board {
    pub(super) fn start(game: Game, to_move: Side) -> Self {
        let mut cells = [0; MAX_CELLS];
        let pits = game.pits() as usize;
        cells[..pits].fill(game.stones() as u8);
        cells[pits + 1..=2 * pits].fill(game.stones() as u8);
        Self { game, cells, to_move }
    }

    /// Creates a board with these stones.
    ///
    /// # Errors
    /// If the game does not have this number of cells, or does not start with this number of stones.
    pub fn new(game: Game, cells: &[u8], to_move: Side) -> Result<Self, InputError> {
        let (expected, pits) = (2 * game.pits() as usize + 2, game.pits());
        if cells.len() != expected {
            let remedy = format!("give {expected}: {pits} pits and a store for the lower row, then for the upper row");
            return Err(InputError::one("board", format!("{} cells", cells.len()), remedy));
        }
        let (stones, all) = (sum(cells), game.all_stones());
        if stones != all {
            let remedy = format!("a game of {pits} pits per player, {} stones each, has {all} in all", game.stones());
            return Err(InputError::one("board", format!("{stones} stones"), remedy));
        }
        let mut board = Self { game, cells: [0; MAX_CELLS], to_move };
        board.cells[..expected].copy_from_slice(cells);
        Ok(board)
    }

    /// Parses a board such as `4 4 4 4 4 4 0 | 4 4 4 4 4 4 0 top`. The bar is optional, and commas may separate the
    /// cells.
    ///
    /// # Errors
    /// If a word is not a number, the player to move is missing, or for any reason given at [`Board::new`].
    pub fn read(game: Game, text: &str) -> Result<Self, InputError> {
        let (cells, to_move) = cells_and_player(text)?;
        Self::new(game, &cells, to_move)
    }

    /// Parses a board of any size. Its cells determine the number of pits, and the stones in each pit at the start.
    ///
    /// ```
    /// use throng_games::kalah::Board;
    ///
    /// let board = Board::of_any_game("1 3 2 1 4 2 4 | 0 2 1 2 0 2 0 bottom", false)?;
    /// assert_eq!((board.game().pits(), board.game().stones()), (6, 2));
    /// # Ok::<(), throng_core::InputError>(())
    /// ```
    ///
    /// # Errors
    /// If a word is not a number, the player to move is missing, or no game has these cells or stones.
    pub fn of_any_game(text: &str, empty_capture: bool) -> Result<Self, InputError> {
        let (cells, to_move) = cells_and_player(text)?;
        let refused = |found: String, remedy: String| InputError::one("board", found, remedy);
        let pits = cells.len() as u32 / 2;
        let pits = pits.checked_sub(1).filter(|pits| cells.len().is_multiple_of(2) && (1..=MAX).contains(pits));
        let pits = pits.ok_or_else(|| {
            let remedy = format!("give 4 to {MAX_CELLS}, an even number: the pits and the store of each row");
            refused(format!("{} cells", cells.len()), remedy)
        })?;
        let (all, of_each) = (sum(&cells), 2 * pits);
        let stones = Some(all / of_each).filter(|stones| all.is_multiple_of(of_each) && (1..=MAX).contains(stones));
        let stones = stones.ok_or_else(|| {
            let remedy = format!(
                "a board of {pits} pit{} per player has a multiple of {of_each} stones, up to {}; put the missing ones into a store",
                if pits == 1 { "" } else { "s" },
                of_each * MAX
            );
            refused(format!("{all} stones"), remedy)
        })?;
        Self::new(Game::new(pits, stones)?.with_empty_capture(empty_capture), &cells, to_move)
    }

    /// Returns the game that is played.
    pub fn game(&self) -> Game {
        self.game
    }

    /// Returns the stones of all cells in sowing order.
    pub fn cells(&self) -> &[u8] {
        &self.cells[..2 * self.game.pits() as usize + 2]
    }

    /// Formats the cells as text, with a bar between the rows.
    pub(super) fn text_of_cells(&self) -> String {
        let row = |cells: &[u8]| cells.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
        let (bottom, top) = self.cells().split_at(self.game.pits() as usize + 1);
        format!("{} | {}", row(bottom), row(top))
    }

    /// Returns the player to move.
    pub fn to_move(&self) -> Side {
        self.to_move
    }

    /// Returns the cell of a player's first pit.
    pub fn first_pit(&self, side: Side) -> usize {
        match side {
            Side::Bottom => 0,
            Side::Top => self.game.pits() as usize + 1,
        }
    }

    /// Returns the cell of a player's store.
    pub fn store_cell(&self, side: Side) -> usize {
        self.first_pit(side) + self.game.pits() as usize
    }

    /// Returns the stones in a player's pits.
    pub fn pits(&self, side: Side) -> &[u8] {
        let first = self.first_pit(side);
        &self.cells[first..first + self.game.pits() as usize]
    }

    /// Returns the stones in a player's store.
    pub fn store(&self, side: Side) -> u8 {
        self.cells[self.store_cell(side)]
    }

    /// Returns the stones in a player's store and pits: the player's final count if the game is over.
    pub fn total(&self, side: Side) -> i32 {
        i32::from(self.store(side)) + self.pits(side).iter().map(|&pit| i32::from(pit)).sum::<i32>()
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        [Side::Bottom, Side::Top].into_iter().any(|side| self.pits(side).iter().all(|&pit| pit == 0))
    }

    /// Whether no pit can overflow its field within `moves` moves. Stores do not matter: packed positions omit them.
    pub fn fits(&self, variant: Variant, moves: u32) -> bool {
        let pits = || [Side::Bottom, Side::Top].into_iter().flat_map(|side| self.pits(side)).map(|&pit| u32::from(pit));
        let in_pits: u32 = pits().sum();
        let mut most = pits().max().unwrap_or(0);
        for _ in 0..moves {
            // A move puts one stone per lap into a pit. No pit can ever hold more stones than all pits hold now.
            let next = (most + most.div_ceil(variant.lap())).min(in_pits);
            if next == most || most > variant.most_stones() {
                break;
            }
            most = next;
        }
        most <= variant.most_stones()
    }

    /// Returns the packed position.
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

/// Returns the total number of stones.
fn sum(cells: &[u8]) -> u32 {
    cells.iter().map(|&cell| u32::from(cell)).sum()
}

/// Parses the stones of cells, separated by spaces or commas; the bar between the rows is optional.
///
/// # Errors
/// If a word is not a number of stones.
pub(super) fn cells(text: &str) -> Result<Vec<u8>, InputError> {
    let number = |word: &str| {
        word.parse().map_err(|_| {
            let remedy = format!("give the stones of a cell as a number; no game has more than {MAX_STONES} in all");
            InputError::one("board", shown(word), remedy)
        })
    };
    text.split([' ', '\t', ',', '|']).filter(|word| !word.is_empty()).map(number).collect()
}

/// Parses the cells of a board and the player to move, which follows them.
fn cells_and_player(text: &str) -> Result<(Vec<u8>, Side), InputError> {
    let text = text.trim();
    let (rest, word) = text.rsplit_once([' ', '\t', ',', '|']).unwrap_or(("", text));
    let to_move = Side::of_name(word)
        .ok_or_else(|| InputError::one("board", shown(word), "end with the player to move, `top` or `bottom`"))?;
    Ok((cells(rest)?, to_move))
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.text_of_cells(), self.to_move.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_boards_are_refused() {
        let game = Game::new(2, 3).unwrap();
        for (text, expected) in [
            ("3 3 0 | 3 3 0", "board: 0\n    end with the player to move, `top` or `bottom`"),
            ("", "board: \n    end with the player to move"),
            (
                "3 3 0 | 3 3 top",
                "board: 5 cells\n    give 6: 2 pits and a store for the lower row, then for the upper row",
            ),
            ("3 3 0 | 3 2 0 top", "board: 11 stones\n    a game of 2 pits per player, 3 stones each, has 12 in all"),
            ("3 x 0 | 3 3 0 top", "board: x\n    give the stones of a cell as a number"),
            ("-3 9 0 | 3 3 0 top", "board: -3\n    give the stones of a cell as a number"),
            (
                "300 3 0 | 3 3 0 top",
                "board: 300\n    give the stones of a cell as a number; no game has more than 72 in all",
            ),
            ("255 3 0 | 3 3 0 top", "board: 264 stones"),
        ] {
            let error = Board::read(game, text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
        assert!(Board::read(game, "0 0 12 | 0 0 0 bottom").is_ok());
    }

    #[test]
    fn a_board_determines_its_game() {
        // Other programs separate cells by commas.
        let board = Board::of_any_game("1,3,2,1,4,2,4,0,2,1,2,0,2,0 bottom", true).unwrap();
        assert_eq!(board.game(), Game::new(6, 2).unwrap().with_empty_capture(true));
        assert_eq!(board.to_string(), "1 3 2 1 4 2 4 | 0 2 1 2 0 2 0 bottom");
        assert_eq!(Board::of_any_game(&board.to_string(), true), Ok(board));
        for (text, expected) in [
            ("1 0 | 1 top", "board: 3 cells\n    give 4 to 14, an even number: the pits and the store of each row"),
            ("1 | 1 top", "board: 2 cells\n    give 4 to 14"),
            ("top", "board: 0 cells\n    give 4 to 14"),
            ("1 1 1 1 1 1 1 0 | 1 1 1 1 1 1 1 0 top", "board: 16 cells"),
            (
                "1 1 0 | 1 2 0 top",
                "board: 5 stones\n    a board of 2 pits per player has a multiple of 4 stones, up to 24; put the missing ones into",
            ),
            ("0 0 | 0 0 top", "board: 0 stones"),
            ("7 0 | 7 0 top", "board: 14 stones\n    a board of 1 pit per player has a multiple of 2 stones, up to 12"),
            ("1 0 | 1 0", "board: 0\n    end with the player to move"),
        ] {
            let error = Board::of_any_game(text, false).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }

    #[test]
    fn fields_must_hold_pits_but_not_stores() {
        let game = Game::new(6, 6).unwrap();
        let fits = |board: &str, moves| Board::read(game, board).unwrap().fits(game.narrow(5), moves);
        // A full store needs no field, and this few stones in pits never fill a field.
        assert!(fits("0 0 0 1 0 1 36 | 0 0 0 0 0 4 30 top", 63));
        assert!(fits("31 0 0 0 0 0 5 | 1 0 0 0 0 0 35 top", 0));
        // The bottom row may get a stone from the top.
        assert!(!fits("31 0 0 0 0 0 5 | 1 0 0 0 0 0 35 top", 1));
        assert!(!fits("32 0 0 0 0 0 5 | 1 0 0 0 0 0 34 top", 0));
        // Sowing such a pit adds up to 3 stones to a pit: 29 would overflow, 28 does not.
        assert!(fits("28 0 0 0 0 0 5 | 9 0 0 0 0 0 30 top", 1) && !fits("29 0 0 0 0 0 5 | 9 0 0 0 0 0 29 top", 1));
    }
}
