//! Records: games as text that can be replayed.
//!
//! A record has a heading, the cells of the moves, and the result, which is the last line. A game that does not start from the
//! usual board has the stones of its first board in the heading, as `position`. Cells are numbered in the order of
//! sowing: the pits of the lower row from 0, its store, the pits of the upper row, its store. Lines that start with `#`, and the
//! rest of a line after ` #`, are comments.
//!
//! ```
//! use throng_games::kalah::{Game, Record, Side};
//!
//! let mut record = Record::new(Game::new(2, 1)?, Side::Bottom);
//! record.play(1).unwrap();
//! record.play(0).unwrap();
//! let text = record.to_string();
//! assert!(text.contains("\nmoves: 1 0\nresult: bottom 3, top 1\n"), "{text}");
//! assert_eq!(Record::read_all(&text, "games.txt")?, [record]);
//! # Ok::<(), throng_core::InputError>(())
//! ```

mod draft;
mod read;
mod write;

pub(super) use write::FIRST_LINE;

use super::reference::{Illegal, play};
use super::{Board, Game, Side};

/// A game from its start, with its players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The players and other data.
    pub heading: Heading,
    /// The boards from the start on; never empty.
    boards: Vec<Board>,
    cells: Vec<u8>,
    opening_moves: usize,
}

/// The players of a game, and the data from which it can be repeated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// Name and version of the program.
    pub program: String,
    /// The player of the lower row.
    pub bottom: String,
    /// The player of the upper row.
    pub top: String,
    /// Seed of all random draws.
    pub seed: i64,
    /// The number of the game, from which random players draw, too.
    pub number: u32,
}

impl Default for Heading {
    fn default() -> Self {
        let human = || "human".to_owned();
        let program = concat!("throng ", env!("CARGO_PKG_VERSION")).to_owned();
        Self { program, bottom: human(), top: human(), seed: 1, number: 1 }
    }
}

impl Record {
    /// A game without moves, from the usual start.
    pub fn new(game: Game, begins: Side) -> Self {
        Self::of_board(game.start(begins))
    }

    /// A game without moves that starts from a board.
    pub fn of_board(board: Board) -> Self {
        Self { heading: Heading::default(), boards: vec![board], cells: Vec::new(), opening_moves: 0 }
    }

    /// The game that is played.
    pub fn game(&self) -> Game {
        self.boards[0].game()
    }

    /// The player who moves first.
    pub fn begins(&self) -> Side {
        self.boards[0].to_move()
    }

    /// The board after all moves.
    pub fn board(&self) -> &Board {
        self.boards.last().expect("there is a board at the start")
    }

    /// The boards from the start on: one more than moves.
    pub fn boards(&self) -> &[Board] {
        &self.boards
    }

    /// The cells of the moves, with those of the opening.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// The number of moves of the opening, which no player chose.
    pub fn opening_moves(&self) -> usize {
        self.opening_moves
    }

    /// The board on which a player chose the first move.
    pub fn after_opening(&self) -> &Board {
        &self.boards[self.opening_moves]
    }

    /// Makes a move of the player to move: a pit, counted from 0, the farthest from its store.
    ///
    /// # Errors
    /// See [`Illegal`].
    pub fn play(&mut self, pit: u32) -> Result<(), Illegal> {
        let next = play(self.board(), pit)?;
        self.cells.push(cell(self.board(), pit));
        self.boards.push(next);
        Ok(())
    }

    /// Takes back the last move and returns its pit; `None` at the end of the opening.
    pub fn take_back(&mut self) -> Option<u32> {
        if self.cells.len() == self.opening_moves {
            return None;
        }
        let cell = self.cells.pop()?;
        self.boards.pop();
        Some(pit_of(self.board(), cell))
    }

    /// Declares all moves so far the opening.
    pub fn end_opening(&mut self) {
        self.opening_moves = self.cells.len();
    }

    /// The margin of the upper row, if the game is over.
    pub fn margin(&self) -> Option<i32> {
        let board = self.board();
        board.is_over().then(|| board.total(Side::Top) - board.total(Side::Bottom))
    }
}

/// The cell of a pit of the player to move.
pub(super) fn cell(board: &Board, pit: u32) -> u8 {
    (board.first_pit(board.to_move()) + pit as usize) as u8
}

/// The pit of the player to move with a cell. Any other cell gives a pit that does not exist.
pub(super) fn pit_of(board: &Board, cell: u8) -> u32 {
    u32::from(cell).wrapping_sub(board.first_pit(board.to_move()) as u32)
}

#[cfg(test)]
mod tests;
