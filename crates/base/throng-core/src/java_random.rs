//! The generator of `java.util.Random`, for equality with MATSim.

/// The 48-bit linear congruential generator documented for `java.util.Random`, with its rules for derived values.
///
/// ```
/// use throng_core::JavaRandom;
/// let mut random = JavaRandom::new(42);
/// assert_eq!([10; 5].map(|bound| random.next_int(bound)), [0, 3, 8, 4, 0]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JavaRandom {
    state: u64,
    /// The second value of the last pair from [`JavaRandom::next_gaussian`].
    gaussian: Option<f64>,
}

const MULTIPLIER: u64 = 0x5_DEEC_E66D;
const MASK: u64 = (1 << 48) - 1;

impl JavaRandom {
    /// Creates the generator of `seed`.
    pub fn new(seed: i64) -> Self {
        Self { state: (seed as u64 ^ MULTIPLIER) & MASK, gaussian: None }
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

    /// Returns an integer in `0..bound`. Bounds that are no power of two may take several draws.
    ///
    /// # Panics
    /// If `bound` is 0 or exceeds `i32::MAX`, the range of Java's integers.
    pub fn next_int(&mut self, bound: u32) -> u32 {
        assert!(bound > 0 && i32::try_from(bound).is_ok(), "the bound {bound} must be in 1..=2147483647");
        let bound = u64::from(bound);
        if bound.is_power_of_two() {
            return ((bound * self.next(31)) >> 31) as u32;
        }
        loop {
            let bits = self.next(31);
            let value = bits % bound;
            // Java refuses values of the last, incomplete interval: there the sum exceeds 31 bits.
            if bits - value + (bound - 1) < 1 << 31 {
                return value as u32;
            }
        }
    }

    /// Returns a number from the standard normal distribution, by the polar method. It creates two numbers at a time;
    /// the second one is returned by the next call.
    pub fn next_gaussian(&mut self) -> f64 {
        if let Some(second) = self.gaussian.take() {
            return second;
        }
        loop {
            let x = 2.0 * self.next_double() - 1.0;
            let y = 2.0 * self.next_double() - 1.0;
            let square = x * x + y * y;
            if square < 1.0 && square != 0.0 {
                let factor = (-2.0 * libm::log(square) / square).sqrt();
                self.gaussian = Some(y * factor);
                return x * factor;
            }
        }
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

    #[test]
    fn integers_match_java() {
        let mut random = JavaRandom::new(42);
        assert_eq!([10; 5].map(|bound| random.next_int(bound)), [0, 3, 8, 4, 0]);
        // A power of two takes the high bits, which are those of the first double.
        let first = JavaRandom::new(42).next_double();
        assert_eq!(JavaRandom::new(42).next_int(16), (first * 16.0) as u32);
    }

    #[test]
    fn values_of_the_incomplete_interval_are_refused() {
        // With this bound, almost every second draw is refused.
        let bound = (1 << 30) + 1;
        let mut random = JavaRandom::new(1);
        let mut raw = JavaRandom::new(1);
        let mut draws = 0;
        for _ in 0..1000 {
            let value = random.next_int(bound);
            assert!(value < bound);
            while raw.state != random.state {
                raw.next(31);
                draws += 1;
            }
        }
        assert!((1900..2100).contains(&draws), "{draws} draws for 1000 values");
    }

    #[test]
    fn normal_numbers_match_java() {
        let mut random = JavaRandom::new(42);
        let drawn = [0; 2].map(|_| random.next_gaussian());
        assert_eq!(drawn, [1.141_905_315_473_054_7, 0.919_407_948_982_787_9]);
        // The third number takes new draws.
        assert_ne!(random.next_gaussian(), drawn[0]);
    }
}
