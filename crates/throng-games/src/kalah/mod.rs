//! Kalah, for 1 to 6 pits of a player with 1 to 6 stones each at the start.
//!
//! * [`Game`] says which Kalah is played, [`Board`] is a position that users read and write, [`Record`] a whole game.
//! * [`rules`] are the rules on packed positions, for CPU and devices.
//! * [`reference`] is the definition: stone by stone, move by move.
//! * [`unpruned`] searches all moves to a depth.
//! * [`players`] choose moves, [`tournament`] lets them play each other, and [`play`] lets users play in a terminal.

mod board;
mod game;
pub mod play;
pub mod players;
mod record;
pub mod reference;
pub mod rules;
pub mod tournament;
pub mod unpruned;
mod verification;

pub use board::{Board, Side};
pub use game::Game;
pub use record::{Heading, Record};
