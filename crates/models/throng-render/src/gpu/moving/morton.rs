//! Morton codes, and the tree defined by their bits.

use throng_device::cubecl::{self, prelude::*};

/// The common prefix length with a code outside the list.
const NOTHING: i32 = -1;

/// Spreads the lowest ten bits of a number, with two zeros after each bit.
#[cube]
fn spread(number: u32) -> u32 {
    let mut bits = number & 0x3FFu32;
    bits = (bits | (bits << 16u32)) & 0x0300_00FFu32;
    bits = (bits | (bits << 8u32)) & 0x0300_F00Fu32;
    bits = (bits | (bits << 4u32)) & 0x030C_30C3u32;
    (bits | (bits << 2u32)) & 0x0924_9249u32
}

/// The Morton code of three numbers below 1024.
#[cube]
pub fn code(x: u32, y: u32, z: u32) -> u32 {
    (spread(x) << 2u32) | (spread(y) << 1u32) | spread(z)
}

/// The length of the common prefix of two of `len` sorted codes. If the codes are equal, their indices are compared as
/// well. -1 if `b` is out of range.
#[cube]
pub fn common(codes: &Array<u32>, a: i32, b: i32, len: i32) -> i32 {
    let mut length = NOTHING.runtime();
    if b >= 0i32 && b < len {
        let difference = codes[a as usize] ^ codes[b as usize];
        if difference == 0u32 {
            length = 32i32 + leading_zeros((a as u32) ^ (b as u32));
        } else {
            length = leading_zeros(difference);
        }
    }
    length
}

/// The number of leading zeros of a word; 32 for 0.
#[cube]
fn leading_zeros(word: u32) -> i32 {
    let mut zeros = 0i32;
    let mut rest = word;
    #[unroll]
    for i in 0..5u32 {
        let half = comptime!(16u32 >> i);
        if rest >> comptime!(32u32 - (16u32 >> i)) == 0u32 {
            zeros += comptime!((16u32 >> i) as i32).runtime();
            rest <<= half;
        }
    }
    if rest == 0u32 {
        zeros = 32i32.runtime();
    }
    zeros
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_interleave_bits() {
        assert_eq!(code(1, 0, 0), 4);
        assert_eq!(code(0, 1, 0), 2);
        assert_eq!(code(0, 0, 3), 9);
        assert_eq!(code(1023, 1023, 1023), (1 << 30) - 1);
    }

    #[test]
    fn leading_zeros_match_the_standard_library() {
        for word in [0, 1, 2, 3, 0x8000_0000, 0x7FFF_FFFF, 0x0001_0000, 0x0000_8000, u32::MAX] {
            assert_eq!(leading_zeros(word), word.leading_zeros() as i32, "{word:x}");
        }
    }
}
