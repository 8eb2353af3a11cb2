//! Making a move.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::cubecl::{self, prelude::*};

use super::position::Position;
use super::sowing::{captured, moves_again, sowing, sown};
use super::variant::Variant;
use super::word::Word;

/// The result of a move.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Made<W: Word> {
    /// The position from the point of view of the player who moves next.
    pub position: Position<W>,
    /// Whether the same player moves again.
    pub again: bool,
}

/// Returns the position after a legal move.
#[cube]
#[inline(always)]
pub fn made<W: Word>(position: &Position<W>, pit: W, #[comptime] variant: Variant) -> Made<W> {
    let sowing = sowing::<W>(position.own, pit, variant);
    let captured = captured::<W>(position.own, position.other, &sowing, variant);
    let after = sown::<W>(position, &sowing, captured, variant);
    let again = moves_again::<W>(&sowing, variant);
    let next = Position::<W> {
        own: select(again, after.own, after.other),
        other: select(again, after.other, after.own),
        score: select(again, after.score, -after.score),
    };
    Made::<W> { position: next, again }
}

/// Returns the value of a move for the player who makes it, from the value of the position after it.
#[cube]
#[inline(always)]
pub fn value_of_move(value: i32, again: bool) -> i32 {
    select(again, value, -value)
}
