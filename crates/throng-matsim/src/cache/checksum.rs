//! The checksum of blocks and of the directory.

/// The checksum in a scenario cache: 64 bits that change with every change of up to eight neighbouring bytes, because
/// each step is a bijection of the state for a given word, and of the word for a given state. Fast rather than strong:
/// it finds damage, not malice.
pub fn checksum(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let step = |state: u64, word: u64| (state ^ word).wrapping_mul(FACTOR).rotate_left(29);
    let (words, rest) = bytes.as_chunks::<8>();
    let state = words.iter().fold(bytes.len() as u64, |state, word| step(state, u64::from_le_bytes(*word)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let state = step(state, u64::from_le_bytes(last));
    state ^ (state >> 32)
}

#[cfg(test)]
mod tests {
    use super::checksum;

    #[test]
    fn every_flipped_bit_and_every_cut_is_seen() {
        let bytes: Vec<u8> = (0..61u8).map(|i| i.wrapping_mul(7)).collect();
        let whole = checksum(&bytes);
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut other = bytes.clone();
                other[at] ^= 1 << bit;
                assert_ne!(checksum(&other), whole, "byte {at}, bit {bit}");
            }
            assert_ne!(checksum(&bytes[..at]), whole, "cut at {at}");
        }
        assert_ne!(checksum(&[0; 8]), checksum(&[0; 9]));
    }
}
