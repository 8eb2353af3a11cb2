//! The state hash in kernels.
//!
//! The words are the same as in `throng_core::StateHash`, which the CPU uses. That implementation uses 64-bit integers,
//! which not every device has, and its crate contains no device code. Hence the two implementations; a test compares
//! them.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use cubecl::prelude::*;

use crate::exact::{high_product, low_product, wrapping_sum};
use crate::primitives::pair::{Pair, add};

/// Returns the word of an entity with one value, which `throng_core::StateHash::add` adds to the hash.
#[cube]
pub fn word_of(entity: Pair, value: Pair) -> Pair {
    let of_entity = mixed(Pair { low: entity.low ^ 0x7F4A_7C15u32, high: entity.high ^ 0x9E37_79B9u32 });
    mixed(Pair { low: of_entity.low ^ value.low, high: of_entity.high ^ value.high })
}

/// The finaliser of `splitmix64`.
#[cube]
fn mixed(z: Pair) -> Pair {
    let z = add(z, Pair { low: 0x7F4A_7C15u32.runtime(), high: 0x9E37_79B9u32.runtime() });
    let z = product(folded(z, 30u32), Pair { low: 0x1CE4_E5B9u32.runtime(), high: 0xBF58_476Du32.runtime() });
    let z = product(folded(z, 27u32), Pair { low: 0x1331_11EBu32.runtime(), high: 0x94D0_49BBu32.runtime() });
    folded(z, 31u32)
}

/// Returns the lower 64 bits of the product.
#[cube]
fn product(a: Pair, b: Pair) -> Pair {
    let high = wrapping_sum(low_product(a.low, b.high), low_product(a.high, b.low));
    Pair { low: low_product(a.low, b.low), high: wrapping_sum(high_product(a.low, b.low), high) }
}

/// Returns `z ^ (z >> by)`, for `by` from 1 to 31.
#[cube]
fn folded(z: Pair, #[comptime] by: u32) -> Pair {
    let low = (z.low >> by) | (z.high << comptime!(32 - by));
    Pair { low: z.low ^ low, high: z.high ^ (z.high >> by) }
}

#[cfg(test)]
mod tests {
    use throng_core::{Philox, StateHash};

    use super::{Pair, word_of};

    #[test]
    fn words_match_the_host() {
        let long = |high, low| (u64::from(high) << 32) | u64::from(low);
        let extremes = (0..16).map(|i| [1, 2, 4, 8].map(|bit| if i & bit == 0 { 0 } else { u32::MAX }));
        let drawn = (0..10_000).map(|i| Philox::new(21).block([i, 0, 0, 0]));
        for [a, b, c, d] in extremes.chain(drawn) {
            let mut expected = StateHash::new();
            expected.add(long(a, b), &[long(c, d)]);
            let found = word_of(Pair { high: a, low: b }, Pair { high: c, low: d });
            assert_eq!(long(found.high, found.low), expected.finish(), "{a} {b} {c} {d}");
        }
    }
}
