//! Pairs of words in kernels: 64-bit numbers, or the operands of reductions (a sum, or a rank with its index).

#![expect(missing_docs, reason = "the macro generates items without documentation")]

use cubecl::prelude::*;

use super::order::{Kind, to_rank};
use crate::exact::wrapping_sum;

/// Two words: either the halves of a 64-bit integer, because not every device has 64-bit integers, or the rank and
/// index of an extreme.
#[derive(CubeType, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Upper half, or rank.
    pub high: u32,
    /// Lower half, or index.
    pub low: u32,
}

/// Operation that combines two operands of a reduction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Fold {
    Sum,
    /// The minimum and its first index.
    Least(Kind),
    /// The maximum and its first index.
    Greatest(Kind),
}

/// Returns the operand for an element.
#[cube]
pub(super) fn element(word: u32, position: u32, #[comptime] fold: Fold) -> Pair {
    match fold {
        Fold::Sum => Pair { high: 0u32.runtime(), low: word },
        Fold::Least(kind) => Pair { high: to_rank(word, kind), low: position },
        Fold::Greatest(kind) => Pair { high: to_rank(word, kind) ^ 0xffff_ffffu32, low: position },
    }
}

/// Returns the neutral operand; for an extreme, the last rank with no index.
#[cube]
pub(super) fn nothing(#[comptime] fold: Fold) -> Pair {
    match fold {
        Fold::Sum => Pair { high: 0u32.runtime(), low: 0u32.runtime() },
        _ => Pair { high: 0xffff_ffffu32.runtime(), low: 0xffff_ffffu32.runtime() },
    }
}

/// Combines `b` into `a`. The order of operations does not matter: sums are of integers, and ties of extremes go to the
/// lower index.
#[cube]
pub(super) fn combine(a: &mut Pair, b: Pair, #[comptime] fold: Fold) {
    let both = match fold {
        Fold::Sum => add(*a, b),
        _ => ieee_min(*a, b),
    };
    // Kernels can assign numbers, but not structs.
    a.high = both.high;
    a.low = both.low;
}

/// Returns the sum of two 64-bit numbers.
#[cube]
pub fn add(a: Pair, b: Pair) -> Pair {
    let low = wrapping_sum(a.low, b.low);
    let mut high = wrapping_sum(a.high, b.high);
    if low < a.low {
        high = wrapping_sum(high, 1u32);
    }
    Pair { high, low }
}

/// Returns the pair with the lower rank; ties go to the lower index.
#[cube]
pub(crate) fn ieee_min(a: Pair, b: Pair) -> Pair {
    let mut high = a.high;
    let mut low = a.low;
    if b.high < a.high {
        high = b.high;
        low = b.low;
    } else if b.high == a.high && b.low < a.low {
        low = b.low;
    }
    Pair { high, low }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(high: u32, low: u32) -> Pair {
        Pair { high, low }
    }

    #[test]
    fn ties_go_to_the_first_position() {
        let (a, b, c) = (pair(3, 9), pair(3, 4), pair(2, 100));
        assert_eq!(ieee_min(a, b), b);
        assert_eq!(ieee_min(b, a), b);
        assert_eq!(ieee_min(b, c), c);
        assert_eq!(ieee_min(pair(u32::MAX, 7), pair(u32::MAX, u32::MAX)), pair(u32::MAX, 7));
    }
}
