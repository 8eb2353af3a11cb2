//! A position, from the point of view of the player to move.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::cubecl::{self, prelude::*};

use super::variant::Variant;
use super::word::{Word, field};

/// The pits of both players, and the score of the player to move.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position<W: Word> {
    /// The pits of the player to move, starting with the one farthest from its store.
    pub own: W,
    /// The pits of the opponent, in the same order.
    pub other: W,
    /// The lead of the player to move: a stone in a store counts [`Variant::store_weight`], a stone in a pit 1, and the
    /// opponent's stones are subtracted.
    pub score: i32,
}

/// Whether the game is over: all pits of either player are empty.
#[cube]
#[inline(always)]
pub fn is_over<W: Word>(own: W, other: W) -> bool {
    own == W::new(0) || other == W::new(0)
}

/// Whether a pit may be played.
#[cube]
#[inline(always)]
pub fn is_legal<W: Word>(own: W, pit: W, #[comptime] variant: Variant) -> bool {
    field::<W>(own, pit, variant) != W::new(0)
}
