//! Kalah, for 1 to 6 pits of a player with 1 to 6 stones each at the start.
//!
//! * [`Game`] says which Kalah is played, [`Board`] is a position that users read and write, [`Record`] a whole game.
//! * [`rules`] are the rules on packed positions, for CPU and devices.
//! * [`mod@reference`] is the definition: stone by stone, move by move.
//! * [`unpruned`] searches all moves to a depth.
//! * [`AlphaBeta`] finds the same move with fewer positions, for players.
//! * [`Endgames`] holds the values of all positions with few stones.
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

pub use alpha_beta::{AlphaBeta, Choice, Limit, MAX_DEPTH};
pub use board::{Board, Side};
pub use endgames::{ENDGAMES_NAME, Endgames, EndgamesGenerator, MAX_ENDGAME_STONES};
pub use game::Game;
pub use record::{Heading, Record};
pub use solve::{Solution, SolveKalah, SolveRequest, solve};
