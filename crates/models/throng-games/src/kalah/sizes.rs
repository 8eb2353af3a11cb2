//! Code that is compiled once per number of pits and capture rule, because shifts and divisions by constants are many
//! times faster than by variables.

use super::rules::Variant;

/// Evaluates an expression with the constants `PITS` and `EMPTY` of a game.
macro_rules! dispatch_on_game {
    ($game:expr, $PITS:ident, $EMPTY:ident => $value:expr) => {{
        macro_rules! with {
            ($pits:literal, $empty:literal) => {{
                const $PITS: u32 = $pits;
                const $EMPTY: bool = $empty;
                $value
            }};
        }
        match ($game.pits(), $game.empty_capture()) {
            (1, false) => with!(1, false),
            (2, false) => with!(2, false),
            (3, false) => with!(3, false),
            (4, false) => with!(4, false),
            (5, false) => with!(5, false),
            (_, false) => with!(6, false),
            (1, true) => with!(1, true),
            (2, true) => with!(2, true),
            (3, true) => with!(3, true),
            (4, true) => with!(4, true),
            (5, true) => with!(5, true),
            (_, true) => with!(6, true),
        }
    }};
}
pub(super) use dispatch_on_game;

/// Returns the rules for pits of 8 bits, which can hold all stones of any game.
pub const fn variant<const PITS: u32, const EMPTY: bool>(store_weight: u32) -> Variant {
    Variant { pits: PITS, bits: 8, empty_capture: EMPTY, store_weight }
}
