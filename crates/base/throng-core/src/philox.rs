//! Philox4x32-10, the counter-based generator of Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011).

/// Random numbers as a pure function of (seed, entity, step, purpose, index): stateless, and independent of order and
/// device.
///
/// ```
/// use throng_core::Philox;
/// let draws = Philox::new(4711);
/// assert_eq!(draws.unit(17, 28_800, 3, 0), draws.unit(17, 28_800, 3, 0));
/// assert!(draws.unit(17, 28_800, 3, 0) < 1.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Philox {
    key: [u32; 2],
}

const MULTIPLIER: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
const WEYL: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];

impl Philox {
    /// Creates the generator for `seed`.
    pub fn new(seed: u64) -> Self {
        Self { key: [seed as u32, (seed >> 32) as u32] }
    }

    /// Returns the four words at `counter` = (entity, step, purpose, index).
    pub fn block(self, counter: [u32; 4]) -> [u32; 4] {
        let mut c = counter;
        let mut k = self.key;
        for round in 0..10 {
            if round > 0 {
                k = [k[0].wrapping_add(WEYL[0]), k[1].wrapping_add(WEYL[1])];
            }
            let p0 = u64::from(MULTIPLIER[0]) * u64::from(c[0]);
            let p1 = u64::from(MULTIPLIER[1]) * u64::from(c[2]);
            c = [(p1 >> 32) as u32 ^ c[1] ^ k[0], p1 as u32, (p0 >> 32) as u32 ^ c[3] ^ k[1], p0 as u32];
        }
        c
    }

    /// Returns a number in `[0, 1)` with 53 random bits.
    pub fn unit(self, entity: u32, step: u32, purpose: u32, index: u32) -> f64 {
        let [a, b, ..] = self.block([entity, step, purpose, index]);
        let bits = (u64::from(a) << 21) ^ (u64::from(b) >> 11);
        bits as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Returns an integer in `0..n`, by multiply-high with rejection, after Lemire, "Fast random integer generation in
    /// an interval" (2019).
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn below(self, n: u32, entity: u32, step: u32, purpose: u32, index: u32) -> u32 {
        assert!(n > 0, "the upper bound of a draw must be positive");
        Self::below_from_block(n, self.block([entity, step, purpose, index]))
    }

    /// Returns the integer that [`Philox::below`] derives from a block. The first two words are rejected with a
    /// probability below n / 2^64. No third attempt is needed, because the last two words leave a bias below (n /
    /// 2^64)^2.
    ///
    /// # Panics
    /// If `n` is 0.
    ///
    /// ```
    /// use throng_core::Philox;
    /// assert_eq!(Philox::below_from_block(6, [0xC000_0000, 1, 0, 0]), 4);
    /// // 2^64 is not a multiple of 6, so the lowest words are rejected.
    /// assert_eq!(Philox::below_from_block(6, [0, 0, 0xFFFF_FFFF, 1]), 5);
    /// ```
    pub fn below_from_block(n: u32, [a, b, c, d]: [u32; 4]) -> u32 {
        let product = |high, low| u128::from((u64::from(high) << 32) | u64::from(low)) * u128::from(n);
        let first = product(a, b);
        let low = first as u64;
        // Comparing with n first usually saves the division.
        let is_refused = low < u64::from(n) && low < 0u64.wrapping_sub(n.into()) % u64::from(n);
        ((if is_refused { product(c, d) } else { first }) >> 64) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The known answers of the Random123 library, and two more keys.
    #[test]
    fn blocks_match_the_known_answers() {
        let cases: [([u32; 4], [u32; 2], [u32; 4]); 5] = [
            ([0; 4], [0; 2], [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]),
            ([!0; 4], [!0; 2], [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]),
            (
                [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
                [0xa409_3822, 0x299f_31d0],
                [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1],
            ),
            ([1, 0, 0, 0], [0x2a, 0], [0xfcdb_2127, 0x53ba_6cfd, 0x838f_5a6e, 0x744e_06fb]),
            ([0, 1, 2, 3], [4, 5], [0xc427_af5d, 0xe75e_ea3a, 0x47c2_b122, 0x5ffb_03c7]),
        ];
        for (counter, key, expected) in cases {
            let seed = u64::from(key[0]) | (u64::from(key[1]) << 32);
            assert_eq!(Philox::new(seed).block(counter), expected);
        }
    }

    #[test]
    fn unit_draws_are_uniform_and_below_one() {
        let draws = Philox::new(1);
        let n = 100_000;
        let mean = (0..n).map(|i| draws.unit(i, 0, 0, 0)).sum::<f64>() / f64::from(n);
        assert!((mean - 0.5).abs() < 0.005, "mean {mean}");
        assert!((0..n).all(|i| (0.0..1.0).contains(&draws.unit(0, i, 1, 2))));
        assert!((0..n).all(|i| draws.below(7, i, 0, 0, 0) < 7));
    }
}
