//! Bounds on the value of a position.

use crate::kalah::alpha_beta::{CONTENT_BITS, Entry, NO_PIT};

/// Lower and upper bound on the number of stones in pits that the player to move gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// The lower bound.
    pub least: u32,
    /// The upper bound.
    pub most: u32,
}

impl Bounds {
    /// Returns the lower bound if it proves that the value is at least `target`, the upper bound if it proves that the
    /// value is less, or `None` if neither does.
    #[inline(always)]
    pub fn decided(self, target: u32) -> Option<u32> {
        if self.least >= target {
            Some(self.least)
        } else if self.most < target {
            Some(self.most)
        } else {
            None
        }
    }
}

/// Bounds and the best pit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    /// Bounds on the value.
    pub bounds: Bounds,
    /// The best pit of an earlier search, or [`NO_PIT`].
    pub pit: u32,
}

/// Bits per bound: a game has at most 72 stones.
const BOUND_BITS: u32 = 7;
const BOUND_MASK: u32 = (1 << BOUND_BITS) - 1;
const PIT_BITS: u32 = 3;
const _: () = assert!(2 * BOUND_BITS + PIT_BITS == CONTENT_BITS);

impl Known {
    /// Returns equal bounds for a known value.
    #[inline(always)]
    pub fn exact(value: u32) -> Self {
        Self { bounds: Bounds { least: value, most: value }, pit: NO_PIT }
    }

    /// Returns the trivial bounds of a position with `stones` stones in the pits.
    #[inline(always)]
    pub fn trivial(stones: u32) -> Self {
        Self { bounds: Bounds { least: 0, most: stones }, pit: NO_PIT }
    }

    /// Decodes the content of a table entry.
    #[inline(always)]
    pub fn of(content: u32) -> Self {
        let most = (content >> PIT_BITS) & BOUND_MASK;
        let least = content >> (PIT_BITS + BOUND_BITS);
        Self { bounds: Bounds { least, most }, pit: content & ((1 << PIT_BITS) - 1) }
    }

    /// Returns the table entry. `work` is the binary logarithm of the number of nodes searched for it.
    #[inline(always)]
    pub fn entry(self, work: u32) -> Entry {
        let Bounds { least, most } = self.bounds;
        Entry { content: (((least << BOUND_BITS) | most) << PIT_BITS) | self.pit, work }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_store_bounds_and_moves() {
        for (least, most) in [(0, 0), (0, 72), (72, 72), (31, 40)] {
            for pit in [0, 5, NO_PIT] {
                let known = Known { bounds: Bounds { least, most }, pit };
                assert_eq!(Known::of(known.entry(9).content), known);
            }
        }
    }
}
