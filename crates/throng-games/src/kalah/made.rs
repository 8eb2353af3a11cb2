//! A move on the host.

use crate::kalah::rules::sowing::{captured, moves_again, sowing, sown};
use crate::kalah::rules::word::Word;
use crate::kalah::rules::{Position, Variant};

/// The position after a legal move, as the player who moves next sees it, and whether that is the same one.
#[inline(always)]
pub fn made<W: Word>(position: &Position<W>, pit: u32, variant: Variant) -> (Position<W>, bool) {
    let sowing = sowing(position.own, W::new(i64::from(pit)), variant);
    let captured = captured(position.own, position.other, &sowing, variant);
    let next = sown(position, &sowing, captured, variant);
    if moves_again(&sowing, variant) {
        return (next, true);
    }
    (Position { own: next.other, other: next.own, score: -next.score }, false)
}
