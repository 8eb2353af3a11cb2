//! Checksums that detect damaged or changed inputs, but not forgery.

use std::io::{self, Read};

/// Chunk size of [`of_reader`], in bytes.
pub const PART: u64 = 1 << 16;

/// Returns a 64-bit checksum of `bytes`. Every change within an aligned word of eight bytes changes it, because each
/// step is a bijection of the state for a given word, and of the word for a given state. It is fast rather than strong:
/// it detects damage, not tampering.
pub fn of_bytes(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let step = |state: u64, word: u64| (state ^ word).wrapping_mul(FACTOR).rotate_left(29);
    let (words, rest) = bytes.as_chunks::<8>();
    let state = words.iter().fold(bytes.len() as u64, |state, word| step(state, u64::from_le_bytes(*word)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let state = step(state, u64::from_le_bytes(last));
    state ^ (state >> 32)
}

/// Reads to the end and returns the number of bytes and their checksum. The checksum is chained: each chunk is hashed
/// together with the checksum of the previous chunks. It therefore differs from [`of_bytes`] of the same content, which
/// would need the whole file in memory.
///
/// # Errors
/// If reading fails.
pub fn of_reader(mut reader: impl Read) -> io::Result<(u64, u64)> {
    let (mut bytes, mut sum, mut part) = (0, 0, Vec::new());
    loop {
        let read = reader.by_ref().take(PART).read_to_end(&mut part)?;
        if read == 0 {
            return Ok((bytes, sum));
        }
        bytes += read as u64;
        part.extend_from_slice(&u64::to_le_bytes(sum));
        sum = of_bytes(&part);
        part.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::{PART, of_bytes, of_reader};

    #[test]
    fn flipped_bits_and_truncations_change_the_checksum() {
        let bytes: Vec<u8> = (0..61u8).map(|i| i.wrapping_mul(7)).collect();
        let whole = of_bytes(&bytes);
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut other = bytes.clone();
                other[at] ^= 1 << bit;
                assert_ne!(of_bytes(&other), whole, "byte {at}, bit {bit}");
            }
            assert_ne!(of_bytes(&bytes[..at]), whole, "truncated to {at} bytes");
        }
        assert_ne!(of_bytes(&[0; 8]), of_bytes(&[0; 9]));
    }

    #[test]
    fn checksums_of_readers_depend_on_every_part() {
        let bytes: Vec<u8> = (0..2 * PART + 17).map(|i| (i % 251) as u8).collect();
        let sum = |bytes: &[u8]| of_reader(bytes).unwrap();
        let part = PART as usize;
        let mut sums = Vec::new();
        for length in [0, 1, 8, part, part + 1, 2 * part, bytes.len()] {
            let (read, of_length) = sum(&bytes[..length]);
            assert_eq!(read, length as u64);
            sums.push(of_length);
        }
        for at in [0, part - 1, part, 2 * part + 16] {
            let mut other = bytes.clone();
            other[at] ^= 1;
            sums.push(sum(&other).1);
        }
        let exchanged = [&bytes[part..2 * part], &bytes[..part], &bytes[2 * part..]].concat();
        sums.push(sum(&exchanged).1);
        for (at, first) in sums.iter().enumerate() {
            assert!(!sums[at + 1..].contains(first), "{at}");
        }
        assert_ne!(sum(&[0, 0]), sum(&[0, 0, 0]), "zeros at the end count");
    }
}
