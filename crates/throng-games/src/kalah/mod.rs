//! Kalah, for 1 to 6 pits of a player with 1 to 6 stones each at the start.
//!
//! * [`Game`] says which Kalah is played, [`Board`] is a position that users read and write.
//! * [`rules`] are the rules on packed positions, for CPU and devices.
//! * [`reference`] is the definition: stone by stone, move by move.
//! * [`unpruned`] searches all moves to a depth.

mod board;
mod game;
pub mod reference;
pub mod rules;
pub mod unpruned;

pub use board::{Board, Side};
pub use game::Game;
