//! Records: games as text that can be replayed.
//!
//! A record has a heading, the cells of the moves, and the result, which is the last line. If a game does not start
//! from the standard board, the heading has the stones of its first board as `position`. Cells are numbered in sowing
//! order: the pits of the lower row from 0, its store, the pits of the upper row, its store. Lines that start with `#`,
//! and the rest of a line after ` #`, are comments.
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
    /// The boards, starting with the initial one; never empty.
    boards: Vec<Board>,
    cells: Vec<u8>,
    opening_moves: usize,
}

/// The players of a game, and the data needed to repeat it.
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
    /// Number of the game, starting at 1; it also determines the draws of random players.
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
    /// Creates a game without moves, from the standard start.
    pub fn new(game: Game, begins: Side) -> Self {
        Self::of_board(game.start(begins))
    }

    /// Creates a game without moves that starts from a board.
    pub fn of_board(board: Board) -> Self {
        Self { heading: Heading::default(), boards: vec![board], cells: Vec::new(), opening_moves: 0 }
    }

    /// Returns the game that is played.
    pub fn game(&self) -> Game {
        self.boards[0].game()
    }

    /// Returns the player who moves first.
    pub fn begins(&self) -> Side {
        self.boards[0].to_move()
    }

    /// Returns the board after all moves.
    pub fn board(&self) -> &Board {
        self.boards.last().expect("there is a board at the start")
    }

    /// Returns the boards, starting with the initial one: one more than there are moves.
    pub fn boards(&self) -> &[Board] {
        &self.boards
    }

    /// Returns the cells of the moves, including those of the opening.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// Returns the number of moves of the opening, which no player chose.
    pub fn opening_moves(&self) -> usize {
        self.opening_moves
    }

    /// Returns the board on which a player chose the first move.
    pub fn after_opening(&self) -> &Board {
        &self.boards[self.opening_moves]
    }

    /// Makes a move of the player to move: a pit, where 0 is farthest from the player's store.
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

    /// Marks all moves so far as the opening.
    pub fn end_opening(&mut self) {
        self.opening_moves = self.cells.len();
    }

    /// Returns the margin of the upper row, if the game is over.
    pub fn margin(&self) -> Option<i32> {
        let board = self.board();
        board.is_over().then(|| board.total(Side::Top) - board.total(Side::Bottom))
    }
}

/// Returns the cell of a pit of the player to move.
pub(super) fn cell(board: &Board, pit: u32) -> u8 {
    (board.first_pit(board.to_move()) + pit as usize) as u8
}

/// Returns the pit of the player to move at a cell. Any other cell gives a pit that does not exist.
pub(super) fn pit_of(board: &Board, cell: u8) -> u32 {
    u32::from(cell).wrapping_sub(board.first_pit(board.to_move()) as u32)
}

#[cfg(test)]
mod tests;
