//! The rules of Kalah, one source for CPU and devices.
//!
//! The pits of a player are fields of one word, so a single addition sows into several pits. Positions are stored from
//! the point of view of the player to move, so the rules do not distinguish the two players.

pub mod make_move;
pub mod position;
pub mod sowing;
pub mod variant;
pub mod word;

pub use position::Position;
pub use variant::Variant;

#[cfg(test)]
mod tests;
