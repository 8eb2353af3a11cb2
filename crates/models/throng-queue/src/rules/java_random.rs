//! The generator of `java.util.Random`, for event-for-event equality with MATSim.

/// The 48-bit linear congruential generator documented for `java.util.Random`.
///
/// ```
/// use throng_queue::rules::java_random::JavaRandom;
/// let mut random = JavaRandom::new(4711);
/// assert!((0.0..1.0).contains(&random.next_double()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JavaRandom {
    state: u64,
}

const MULTIPLIER: u64 = 0x5_DEEC_E66D;
const MASK: u64 = (1 << 48) - 1;

impl JavaRandom {
    /// Creates the generator of `seed`.
    pub fn new(seed: i64) -> Self {
        Self { state: (seed as u64 ^ MULTIPLIER) & MASK }
    }

    fn next(&mut self, bits: u32) -> u64 {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(0xB) & MASK;
        self.state >> (48 - bits)
    }

    /// Returns a number in `[0, 1)`.
    pub fn next_double(&mut self) -> f64 {
        let high = self.next(26) << 27;
        let low = self.next(27);
        (high + low) as f64 * (1.0 / (1u64 << 53) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first draws of `new java.util.Random(seed).nextDouble()`, as printed by Java 17.
    #[test]
    fn draws_match_java() {
        for (seed, draws) in [
            (42, [0.727_563_680_032_868_1, 0.683_223_471_759_845_4, 0.308_719_455_332_659_76]),
            (4711, [0.043_158_728_691_381_6, 0.378_315_400_954_029_5, 0.150_903_568_714_417_24]),
            (-1, [0.268_942_630_880_504_96, 0.012_269_981_921_235_296, 0.662_084_484_112_195_1]),
        ] {
            let mut random = JavaRandom::new(seed);
            assert_eq!(draws.map(|_| random.next_double()), draws);
        }
    }
}
