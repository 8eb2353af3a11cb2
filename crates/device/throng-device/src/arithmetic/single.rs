//! Single precision, as used by fixed-point fields and travel times.

use cubecl::prelude::*;

use super::{TRIALS, same};
use crate::{Device, DeviceError};

/// The operations on 32-bit floats that agree with the host, as determined by a test. All except roots must agree to
/// the last bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SingleArithmetic {
    /// Sums, differences, comparisons, minima and maxima, and `fma(a, b, zero)` with a zero unknown to the compiler,
    /// which gives a rounded product.
    pub sums_and_products: bool,
    /// Rounding down, conversion from floats to 32-bit integers, and from integers below 2^24 to floats.
    pub conversions: bool,
    /// Square roots of integers below 2^31 are off by at most one, which kernels correct.
    pub roots: bool,
}

/// Inputs of the test.
struct Trials {
    a: Vec<f32>,
    b: Vec<f32>,
    /// Below 2^31.
    words: Vec<u32>,
}

/// Results, in the order of the trials.
#[derive(Debug, Clone, PartialEq)]
struct TrialResults {
    sums: Vec<f32>,
    least: Vec<f32>,
    most: Vec<f32>,
    floors: Vec<f32>,
    /// The upper 24 bits of the words, as floats.
    widened: Vec<f32>,
    less: Vec<u32>,
    /// Nearest integers of floats, as bits of `i32`.
    nearest: Vec<u32>,
    /// Non-negative floats converted to integers.
    truncated: Vec<u32>,
    roots: Vec<u32>,
}

/// Number of real results per trial; those of a trial are consecutive.
const REALS: usize = 5;
/// Number of integer results per trial; those of a trial are consecutive.
const WORDS: usize = 4;

/// `zero` is 0, but unknown to the compiler: with a constant 0, some compilers fuse product and sum into one rounding.
#[cube(launch)]
fn try_single(
    a: &Array<f32>,
    b: &Array<f32>,
    words: &Array<u32>,
    reals: &mut Array<f32>,
    results: &mut Array<u32>,
    zero: f32,
) {
    let i = ABSOLUTE_POS;
    if i < a.len() {
        let at = i * REALS;
        reals[at] = (a[i] - b[i]) + fma(a[i], b[i], zero);
        reals[at + 1] = f32::min(a[i], b[i]);
        reals[at + 2] = f32::max(a[i], b[i]);
        reals[at + 3] = a[i].floor();
        reals[at + 4] = f32::cast_from(words[i] >> 7u32);
        let at = i * WORDS;
        let mut less = 0u32;
        if a[i] < b[i] {
            less = 1u32;
        }
        results[at] = less;
        results[at + 1] = u32::cast_from(i32::cast_from((a[i] + 0.5f32).floor()));
        let mut truncated = 0u32;
        if a[i] >= zero {
            truncated = u32::cast_from(a[i]);
        }
        results[at + 2] = truncated;
        results[at + 3] = u32::cast_from(f32::cast_from(words[i]).sqrt());
    }
}

impl Trials {
    /// Draws numbers with the magnitudes of positions, strengths and steps, and words of all magnitudes.
    fn draw() -> Self {
        let draws = throng_core::Philox::new(2);
        let number = |i: u32, purpose: u32| {
            let scale = [1e-3, 1.0, 1024.0, 4e6][draws.below(4, i, 1, purpose, 0) as usize];
            ((draws.unit(i, 0, purpose, 0) - 0.25) * scale) as f32
        };
        Self {
            a: (0..TRIALS).map(|i| number(i, 0)).collect(),
            b: (0..TRIALS).map(|i| number(i, 1)).collect(),
            words: (0..TRIALS).map(|i| draws.below(1 << 31, i, 2, 0, 0) >> (i % 31)).collect(),
        }
    }

    /// Computes the results on a device.
    fn run_on(&self, device: &Device) -> Result<TrialResults, DeviceError> {
        const WHAT: &str = "arithmetic";
        let (a, b) = (device.upload(WHAT, &self.a)?, device.upload(WHAT, &self.b)?);
        let words = device.upload(WHAT, &self.words)?;
        let reals = device.empty::<f32>(WHAT, REALS * self.a.len())?;
        let results = device.empty::<u32>(WHAT, WORDS * self.a.len())?;
        device.launch(WHAT, self.a.len(), |client, cubes, dim| {
            let (a, b, words, reals, results) = (a.arg(), b.arg(), words.arg(), reals.arg(), results.arg());
            try_single::launch(client, cubes, dim, a, b, words, reals, results, 0.0);
        })?;
        let (reals, results) = (device.read(&reals)?, device.read(&results)?);
        let real = |kind: usize| reals.iter().skip(kind).step_by(REALS).copied().collect();
        let word = |kind: usize| results.iter().skip(kind).step_by(WORDS).copied().collect();
        Ok(TrialResults {
            sums: real(0),
            least: real(1),
            most: real(2),
            floors: real(3),
            widened: real(4),
            less: word(0),
            nearest: word(1),
            truncated: word(2),
            roots: word(3),
        })
    }

    /// Compares the results with arithmetic on the host.
    fn compare_with_host(&self, found: &TrialResults) -> SingleArithmetic {
        let a = || self.a.iter().copied();
        let pairs = || a().zip(self.b.iter().copied());
        let nearest = |x: f32| (x + 0.5).floor() as i32 as u32;
        let is_near = |(&root, &word): (&u32, &u32)| root.abs_diff(word.isqrt()) <= 1;
        SingleArithmetic {
            sums_and_products: same(&found.sums, pairs().map(|(x, y)| (x - y) + x * y))
                && same(&found.least, pairs().map(|(x, y)| x.min(y)))
                && same(&found.most, pairs().map(|(x, y)| x.max(y)))
                && same(&found.less, pairs().map(|(x, y)| u32::from(x < y))),
            conversions: same(&found.floors, a().map(f32::floor))
                && same(&found.widened, self.words.iter().map(|&word| (word >> 7) as f32))
                && same(&found.nearest, a().map(nearest))
                && same(&found.truncated, a().map(|x| if x >= 0.0 { x as u32 } else { 0 })),
            roots: found.roots.len() == self.words.len() && found.roots.iter().zip(&self.words).all(is_near),
        }
    }
}

impl SingleArithmetic {
    /// Tests the device on several thousand numbers.
    ///
    /// # Errors
    /// If the device fails.
    pub fn of(device: &Device) -> Result<Self, DeviceError> {
        let trials = Trials::draw();
        Ok(trials.compare_with_host(&trials.run_on(device)?))
    }

    /// Returns the reason why results would differ from those of other devices, or `None` if they would not.
    pub fn lacks(self) -> Option<&'static str> {
        let Self { sums_and_products, conversions, roots } = self;
        (!(sums_and_products && conversions && roots)).then_some(
            "its single precision rounds differently, so that results would differ from those of other devices",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns trials and their correct results, computed by hand.
    fn by_hand() -> (Trials, TrialResults) {
        let trials = Trials { a: vec![2.5, -0.75, 8.0], b: vec![0.5, 4.0, 8.0], words: vec![99, 100, 0x7FFF_FFFF] };
        let found = TrialResults {
            sums: vec![3.25, -7.75, 64.0],
            least: vec![0.5, -0.75, 8.0],
            most: vec![2.5, 4.0, 8.0],
            floors: vec![2.0, -1.0, 8.0],
            widened: vec![0.0, 0.0, 16_777_215.0],
            less: vec![0, 1, 0],
            nearest: vec![3, u32::MAX, 8],
            truncated: vec![2, 0, 8],
            // The last root is one too high, which kernels tolerate.
            roots: vec![9, 10, 46_341],
        };
        (trials, found)
    }

    #[test]
    fn correct_results_are_accepted() {
        let (trials, found) = by_hand();
        let verdict = trials.compare_with_host(&found);
        assert_eq!(verdict, SingleArithmetic { sums_and_products: true, conversions: true, roots: true });
        assert_eq!(verdict.lacks(), None);
    }

    #[test]
    fn one_wrong_bit_in_any_operation_is_reported() {
        type Change = fn(&mut TrialResults);
        let doctored: [Change; 9] = [
            |found| found.sums[0] = 3.250_000_2,
            |found| found.least[1] = 4.0,
            |found| found.most[1] = -0.75,
            |found| found.less[2] = 1,
            |found| found.floors[1] = 0.0,
            |found| found.widened[2] = 16_777_216.0,
            |found| found.nearest[0] = 2,
            |found| found.truncated[0] = 3,
            |found| found.roots[2] = 46_342,
        ];
        for (i, doctor) in doctored.into_iter().enumerate() {
            let (trials, mut found) = by_hand();
            doctor(&mut found);
            let lacks = trials.compare_with_host(&found).lacks();
            assert!(lacks.is_some_and(|lacks| lacks.contains("rounds differently")), "{i}");
        }
    }
}
