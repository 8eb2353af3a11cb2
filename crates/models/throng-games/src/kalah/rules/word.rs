//! Words with one field per pit.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::cubecl::{self, prelude::*};

use super::variant::Variant;

/// A word with one field per pit: `u32` for pits of at most 31 stones, `u64` for pits that can hold all stones of a
/// game.
pub trait Word: Int + Send + Sync {
    /// Returns the word, which must be below 2^31, as a signed number.
    fn signed(self) -> i32;
}

impl Word for u32 {
    #[inline(always)]
    fn signed(self) -> i32 {
        self as i32
    }
}

impl Word for u64 {
    #[inline(always)]
    fn signed(self) -> i32 {
        self as i32
    }
}

/// Returns a word below 2^31 as a signed number.
#[inline(always)]
pub fn signed<W: Word>(word: W) -> i32 {
    word.signed()
}

#[cfg(feature = "gpu")]
#[doc(hidden)]
pub mod signed {
    use throng_device::cubecl::prelude::*;

    pub fn expand<W: Int>(scope: &mut Scope, word: NativeExpand<W>) -> NativeExpand<i32> {
        i32::__expand_cast_from(scope, word)
    }
}

/// Returns the stones of a pit; pit 0 is farthest from the store.
#[cube]
#[inline(always)]
pub fn field<W: Word>(pits: W, pit: W, #[comptime] variant: Variant) -> W {
    (pits >> (pit * W::new(comptime!(i64::from(variant.bits))))) & W::new(comptime!(i64::from(variant.most_stones())))
}

/// Returns the pits with one of them emptied.
#[cube]
#[inline(always)]
pub fn emptied<W: Word>(pits: W, pit: W, #[comptime] variant: Variant) -> W {
    let mask =
        W::new(comptime!(i64::from(variant.most_stones()))) << (pit * W::new(comptime!(i64::from(variant.bits))));
    pits & !mask
}

/// Returns one stone in each of the first `count` pits, none in the others.
#[cube]
#[inline(always)]
pub fn one_each<W: Word>(count: W, #[comptime] variant: Variant) -> W {
    let all = W::new(comptime!(ones(variant)));
    all & ((W::new(1) << (count * W::new(comptime!(i64::from(variant.bits))))) - W::new(1))
}

/// Returns one stone in each pit.
pub const fn ones(variant: Variant) -> i64 {
    let (mut all, mut pit) = (0, 0);
    while pit < variant.pits {
        all |= 1 << (pit * variant.bits);
        pit += 1;
    }
    all
}
