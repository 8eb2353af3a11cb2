//! The rules of Kalah, one text for CPU and devices.
//!
//! A side's pits are fields of one word, and a stone is sown into several pits by one addition. Everything is seen by the
//! player to move: no rule asks which of the two it is.

pub mod made;
pub mod position;
pub mod sowing;
pub mod variant;
pub mod word;

pub use position::Position;
pub use variant::Variant;
