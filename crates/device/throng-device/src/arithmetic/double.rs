//! Double precision.

use cubecl::prelude::*;

use super::{TRIALS, same};
use crate::{Device, DeviceError};

/// The operations on 64-bit floats that agree with the host to the last bit, as determined by a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arithmetic {
    /// Sums, differences, comparisons, minima, and `fma(a, b, zero)` with a zero unknown to the compiler, which gives a
    /// rounded product.
    pub sums_and_products: bool,
    /// Quotients.
    pub quotients: bool,
    /// Rounding up, narrowing to 32-bit floats, and conversion between 32-bit integers and floats.
    pub conversions: bool,
}

/// Inputs of the test.
struct Trials {
    a: Vec<f64>,
    b: Vec<f64>,
    words: Vec<u32>,
}

/// Results, in the order of the trials.
#[derive(Debug, Clone, PartialEq)]
struct TrialResults {
    sums: Vec<f64>,
    least: Vec<f64>,
    quotients: Vec<f64>,
    /// For positive numbers.
    ceilings: Vec<f64>,
    widened: Vec<f64>,
    narrowed: Vec<f32>,
    /// Bits: `a < b`, `a <= b`, `a > 0`.
    comparisons: Vec<u32>,
    /// Non-negative floats converted to integers.
    truncated: Vec<u32>,
}

/// Number of real results per trial; those of a trial are consecutive.
const REALS: usize = 5;
/// Number of integer results per trial; those of a trial are consecutive.
const WORDS: usize = 3;

/// `zero` is 0, but unknown to the compiler: with a constant 0, some compilers fuse product and sum into one rounding.
#[cube(launch)]
fn try_double(
    a: &Array<f64>,
    b: &Array<f64>,
    words: &Array<u32>,
    reals: &mut Array<f64>,
    results: &mut Array<u32>,
    zero: f64,
) {
    let i = ABSOLUTE_POS;
    if i < a.len() {
        let at = i * REALS;
        reals[at] = (a[i] - b[i]) + fma(a[i], b[i], zero);
        reals[at + 1] = f64::min(a[i], b[i]);
        reals[at + 2] = a[i] / b[i];
        let mut ceiling = 0.0f64;
        if a[i] > zero {
            ceiling = f64::ceil(a[i]);
        }
        reals[at + 3] = ceiling;
        reals[at + 4] = f64::cast_from(words[i]);
        let at = i * WORDS;
        results[at] = u32::reinterpret(f32::cast_from(a[i]));
        let mut comparisons = 0u32;
        if a[i] < b[i] {
            comparisons += 1u32;
        }
        if a[i] <= b[i] {
            comparisons += 2u32;
        }
        if a[i] > zero {
            comparisons += 4u32;
        }
        results[at + 1] = comparisons;
        let mut truncated = 0u32;
        if a[i] >= zero {
            truncated = u32::cast_from(a[i]);
        }
        results[at + 2] = truncated;
    }
}

impl Trials {
    /// Draws numbers with the magnitudes of times, capacities and lengths, and words of all magnitudes.
    fn draw() -> Self {
        let draws = throng_core::Philox::new(1);
        let number = |i: u32, purpose: u32| {
            let scale = [1e-6, 1.0, 3600.0, 1e5][draws.below(4, i, 1, purpose, 0) as usize];
            (draws.unit(i, 0, purpose, 0) - 0.25) * scale
        };
        Self {
            a: (0..TRIALS).map(|i| number(i, 0)).collect(),
            b: (0..TRIALS).map(|i| number(i, 1)).collect(),
            words: (0..TRIALS).map(|i| draws.below(u32::MAX, i, 2, 0, 0) >> (i % 32)).collect(),
        }
    }

    /// Computes the results on a device.
    fn run_on(&self, device: &Device) -> Result<TrialResults, DeviceError> {
        const WHAT: &str = "arithmetic";
        let (a, b) = (device.upload(WHAT, &self.a)?, device.upload(WHAT, &self.b)?);
        let words = device.upload(WHAT, &self.words)?;
        let reals = device.empty::<f64>(WHAT, REALS * self.a.len())?;
        let results = device.empty::<u32>(WHAT, WORDS * self.a.len())?;
        device.launch(WHAT, self.a.len(), |client, cubes, dim| {
            let (a, b, words, reals, results) = (a.arg(), b.arg(), words.arg(), reals.arg(), results.arg());
            try_double::launch(client, cubes, dim, a, b, words, reals, results, 0.0);
        })?;
        let (reals, results) = (device.read(&reals)?, device.read(&results)?);
        let real = |kind: usize| reals.iter().skip(kind).step_by(REALS).copied().collect();
        let word = |kind: usize| results.iter().skip(kind).step_by(WORDS).copied();
        Ok(TrialResults {
            sums: real(0),
            least: real(1),
            quotients: real(2),
            ceilings: real(3),
            widened: real(4),
            narrowed: word(0).map(f32::from_bits).collect(),
            comparisons: word(1).collect(),
            truncated: word(2).collect(),
        })
    }

    /// Compares the results with arithmetic on the host.
    fn compare_with_host(&self, found: &TrialResults) -> Arithmetic {
        let a = || self.a.iter().copied();
        let pairs = || a().zip(self.b.iter().copied());
        let compared = |(x, y): (f64, f64)| u32::from(x < y) + 2 * u32::from(x <= y) + 4 * u32::from(x > 0.0);
        Arithmetic {
            sums_and_products: same(&found.sums, pairs().map(|(x, y)| (x - y) + x * y))
                && same(&found.least, pairs().map(|(x, y)| x.min(y)))
                && same(&found.comparisons, pairs().map(compared)),
            quotients: same(&found.quotients, pairs().map(|(x, y)| x / y)),
            conversions: same(&found.ceilings, a().map(|x| if x > 0.0 { x.ceil() } else { 0.0 }))
                && same(&found.narrowed, a().map(|x| x as f32))
                && same(&found.widened, self.words.iter().map(|&word| f64::from(word)))
                && same(&found.truncated, a().map(|x| if x >= 0.0 { x as u32 } else { 0 })),
        }
    }
}

impl Arithmetic {
    /// Tests the device on several thousand numbers.
    ///
    /// # Errors
    /// If the device lacks double precision or fails.
    pub fn of(device: &Device) -> Result<Self, DeviceError> {
        if !device.info().has_f64 {
            let lacks = "it has no double precision, which exact results need".to_owned();
            return Err(DeviceError::Unsuitable { device: device.label(), lacks });
        }
        let trials = Trials::draw();
        Ok(trials.compare_with_host(&trials.run_on(device)?))
    }

    /// Returns the reason why results would differ from those of other devices, or `None` if they would not. `divides`
    /// is true if the model uses quotients.
    pub fn lacks(self, divides: bool) -> Option<&'static str> {
        if !self.sums_and_products {
            Some("its double precision rounds differently, so that results would differ from those of other devices")
        } else if !self.conversions {
            Some(
                "its conversions between numbers round differently, so that results would differ from those of other \
                 devices",
            )
        } else if !self.quotients && divides {
            Some("its divisions round differently, so that results would differ from those of other devices")
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns trials and their correct results, computed by hand.
    fn by_hand() -> (Trials, TrialResults) {
        let trials = Trials { a: vec![1.5, -0.25, 16_777_217.0], b: vec![0.5, 4.0, 2.0], words: vec![0, 7, u32::MAX] };
        let found = TrialResults {
            sums: vec![1.75, -5.25, 50_331_649.0],
            least: vec![0.5, -0.25, 2.0],
            quotients: vec![3.0, -0.0625, 8_388_608.5],
            ceilings: vec![2.0, 0.0, 16_777_217.0],
            widened: vec![0.0, 7.0, 4_294_967_295.0],
            // 16,777,217 lies halfway between two 32-bit floats and rounds to even.
            narrowed: vec![1.5, -0.25, 16_777_216.0],
            comparisons: vec![4, 3, 4],
            truncated: vec![1, 0, 16_777_217],
        };
        (trials, found)
    }

    #[test]
    fn correct_results_are_accepted() {
        let (trials, found) = by_hand();
        let verdict = trials.compare_with_host(&found);
        assert_eq!(verdict, Arithmetic { sums_and_products: true, quotients: true, conversions: true });
        assert_eq!(verdict.lacks(true), None);
    }

    #[test]
    fn one_wrong_bit_in_any_operation_is_reported() {
        type Change = fn(&mut TrialResults);
        let doctored: [(Change, &str); 8] = [
            (|found| found.sums[2] = 50_331_649.000_000_01, "double precision rounds"),
            (|found| found.least[0] = 1.5, "double precision rounds"),
            (|found| found.comparisons[1] ^= 2, "double precision rounds"),
            (|found| found.quotients[1] = -0.062_500_000_000_000_01, "its divisions round differently"),
            (|found| found.ceilings[0] = 1.0, "conversions between numbers"),
            (|found| found.widened[2] = 4_294_967_296.0, "conversions between numbers"),
            (|found| found.narrowed[2] = 16_777_218.0, "conversions between numbers"),
            (|found| found.truncated[0] = 2, "conversions between numbers"),
        ];
        for (doctor, reason) in doctored {
            let (trials, mut found) = by_hand();
            doctor(&mut found);
            let lacks = trials.compare_with_host(&found).lacks(true);
            assert!(lacks.is_some_and(|lacks| lacks.contains(reason)), "{reason}: {lacks:?}");
        }
        let (trials, mut found) = by_hand();
        found.quotients[0] = 3.1;
        assert_eq!(trials.compare_with_host(&found).lacks(false), None, "where nothing is divided");
    }
}
