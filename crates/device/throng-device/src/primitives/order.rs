//! A total order of 32-bit numbers as words that compare alike on every device.

use cubecl::prelude::*;

use crate::Element;

/// Interpretation of the bits of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `u32`.
    Unsigned,
    /// `i32`.
    Signed,
    /// `f32`.
    Float,
}

/// 32-bit numbers with a total order. Floats have the order of [`f32::total_cmp`]: -0.0 before 0.0, a NaN with the sign
/// bit first, a NaN without it last. A NaN therefore shows up in a minimum or a maximum, and results are defined to the
/// last bit.
pub trait Ordered: Element + sealed::Sealed {}

impl Ordered for u32 {}
impl Ordered for i32 {}
impl Ordered for f32 {}

pub(crate) mod sealed {
    use super::Kind;

    pub trait Sealed {
        const KIND: Kind;
    }
    impl Sealed for u32 {
        const KIND: Kind = Kind::Unsigned;
    }
    impl Sealed for i32 {
        const KIND: Kind = Kind::Signed;
    }
    impl Sealed for f32 {
        const KIND: Kind = Kind::Float;
    }
}

/// Maps the bits of a number to a word, so that the unsigned order of words equals the order of numbers.
#[cube]
pub fn to_rank(bits: u32, #[comptime] kind: Kind) -> u32 {
    match kind {
        Kind::Unsigned => bits,
        Kind::Signed => bits ^ 0x8000_0000u32,
        Kind::Float => {
            let mut flipped = bits ^ 0x8000_0000u32;
            if bits >= 0x8000_0000u32 {
                flipped = bits ^ 0xffff_ffffu32;
            }
            flipped
        }
    }
}

/// Returns the bits of the number with this rank.
#[cube]
pub fn from_rank(rank: u32, #[comptime] kind: Kind) -> u32 {
    match kind {
        Kind::Unsigned => rank,
        Kind::Signed => rank ^ 0x8000_0000u32,
        Kind::Float => {
            let mut bits = rank ^ 0x8000_0000u32;
            if rank < 0x8000_0000u32 {
                bits = rank ^ 0xffff_ffffu32;
            }
            bits
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_have_the_order_of_the_numbers() {
        let samples = [0u32, 1, 2, 0x7f7f_ffff, 0x7f80_0000, 0x7fc0_0000, 0x7fff_ffff]
            .into_iter()
            .flat_map(|bits| [bits, bits | 0x8000_0000u32])
            .collect::<Vec<_>>();
        for &a in &samples {
            for kind in [Kind::Unsigned, Kind::Signed, Kind::Float] {
                assert_eq!(from_rank(to_rank(a, kind), kind), a, "{kind:?} {a:x}");
            }
            for &b in &samples {
                let ranks = |kind| to_rank(a, kind).cmp(&to_rank(b, kind));
                assert_eq!(ranks(Kind::Unsigned), a.cmp(&b));
                assert_eq!(ranks(Kind::Signed), (a as i32).cmp(&(b as i32)));
                assert_eq!(ranks(Kind::Float), f32::from_bits(a).total_cmp(&f32::from_bits(b)));
            }
        }
    }
}
