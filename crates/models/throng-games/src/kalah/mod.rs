//! Kalah, with 1 to 6 pits per player and 1 to 6 stones per pit at the start.
//!
//! * [`Game`] is a variant of Kalah, [`Board`] a position in the form for users, [`Record`] a whole game.
//! * [`rules`] has the rules for packed positions, for CPU and devices.
//! * [`mod@reference`] is the definition of the game: stone by stone, move by move.
//! * [`unpruned`] searches all moves to a given depth.
//! * [`AlphaBeta`] finds the same move with fewer positions, for players.
//! * [`Endgames`] has the values of all positions with few stones.
//! * [`solve()`] finds the exact value of a board.
//! * [`players`] choose moves, [`tournament`] lets them play each other, and [`play`] lets users play in a terminal.

mod alpha_beta;
mod board;
mod board_flags;
mod checked_file;
mod endgames;
mod game;
mod numbering;
pub mod play;
pub mod players;
mod random_boards;
mod record;
pub mod reference;
mod replay;
pub mod rules;
mod sizes;
mod solve;
pub mod tournament;
pub mod unpruned;
mod verification;

pub use alpha_beta::{AlphaBeta, Limit, MAX_DEPTH, SearchResult};
pub use board::{Board, Side};
pub use endgames::{ENDGAMES_NAME, Endgames, EndgamesGenerator, MAX_ENDGAME_STONES};
pub use game::Game;
pub use record::{Heading, Record};
pub use solve::{Solution, SolveKalah, SolveRequest, solve};
