//! Arrays of small numbers, packed into a few bits each.

use std::sync::atomic::{AtomicU8, Ordering};

use rayon::prelude::*;

/// Numbers per group: eight numbers of n bits fill n bytes.
const GROUP: usize = 8;

/// Number of groups that a thread packs at a time.
const GROUPS: usize = 1 << 13;

/// Returns the number of bits of numbers up to `most`.
pub fn bits(most: u32) -> u32 {
    (u32::BITS - most.leading_zeros()).max(1)
}

/// Returns the number of bytes for `len` numbers, plus one, so that two bytes can be read at any position.
pub fn bytes(len: u64, bits: u32) -> u64 {
    len.div_ceil(GROUP as u64) * u64::from(bits) + 1
}

/// Packs numbers into an array of [`bytes`] bytes.
pub fn pack(numbers: &[AtomicU8], bits: u32, packed: &mut [u8]) {
    let groups = packed.par_chunks_mut(GROUPS * bits as usize).zip(numbers.par_chunks(GROUPS * GROUP));
    groups.for_each(|(packed, numbers)| {
        for (packed, numbers) in packed.chunks_mut(bits as usize).zip(numbers.chunks(GROUP)) {
            let number =
                |(i, number): (usize, &AtomicU8)| u64::from(number.load(Ordering::Relaxed)) << (i as u32 * bits);
            let word = numbers.iter().enumerate().map(number).fold(0, |word, number| word | number);
            packed.copy_from_slice(&word.to_le_bytes()[..bits as usize]);
        }
    });
}

/// Returns the number at index `at`.
#[inline(always)]
pub fn get(packed: &[u8], at: u64, bits: u32) -> u32 {
    let bit = at * u64::from(bits);
    let byte = (bit / 8) as usize;
    let word = u32::from(u16::from_le_bytes([packed[byte], packed[byte + 1]]));
    (word >> (bit % 8)) & ((1 << bits) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_packed_and_found() {
        for most in [0, 1, 2, 5, 15, 16, 31, 40, 63] {
            let bits = bits(most);
            assert!(most >> bits == 0 && (bits == 1 || most >> (bits - 1) == 1));
            for len in [0, 1, 7, 8, 9, 1000, 70_000] {
                let number = |i: usize| (i as u32 * 7919 + i as u32 / 5) % (most + 1);
                let numbers: Vec<AtomicU8> = (0..len).map(|i| AtomicU8::new(number(i) as u8)).collect();
                let mut packed = vec![0; bytes(len as u64, bits) as usize];
                pack(&numbers, bits, &mut packed);
                assert!((0..len).all(|i| get(&packed, i as u64, bits) == number(i)), "{len} numbers up to {most}");
            }
        }
    }
}
