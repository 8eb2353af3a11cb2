//! The Fourier transform of lines whose lengths have no prime factors above 5: steps of radix 4, 2, 5 and 3, which write
//! their results in order (Stockham; Van Loan, Computational Frameworks for the Fast Fourier Transform, section 1.7).
//!
//! Instantiated with [`Numbers`], the butterflies of a general library for primes up to 31 took a sixth of the time in which this
//! crate is compiled. Radix 8 is slower on processors: its eight streams, a power of two apart, share few sets of the cache.

use std::f64::consts::TAU;

use super::lanes::{Numbers, ZERO};

/// The sine of a third of a circle.
pub(crate) const SIN_3: f32 = 0.866_025_4;
/// Cosines and sines of one and two fifths of a circle.
pub(crate) const COS_5: [f32; 2] = [0.309_017, -0.809_017];
pub(crate) const SIN_5: [f32; 2] = [0.951_056_54, 0.587_785_24];

/// The transform of lines of a length.
pub(super) struct LineTransform {
    length: usize,
    steps: Vec<Step>,
}

/// A step combines `radix` numbers at a time, which are a `radix`-th of the line apart.
struct Step {
    radix: usize,
    /// How many transforms of a shorter line are side by side: the product of the radices before.
    side_by_side: usize,
    /// Roots of unity by which results are multiplied: `radix - 1` for each group of numbers, since the first is 1.
    roots: Vec<[f32; 2]>,
}

impl LineTransform {
    /// The transform of `length` numbers.
    ///
    /// # Panics
    /// When the length is 0 or has a prime factor above 5.
    pub fn new(length: usize) -> Self {
        let mut steps = Vec::new();
        let mut left = length;
        for radix in radices(length) {
            let groups = left / radix;
            let root = |exponent: usize| {
                let angle = -TAU * exponent as f64 / left as f64;
                [libm::cos(angle) as f32, libm::sin(angle) as f32]
            };
            let roots = (0..groups).flat_map(|group| (1..radix).map(move |k| group * k)).map(root).collect();
            steps.push(Step { radix, side_by_side: length / left, roots });
            left = groups;
        }
        Self { length, steps }
    }

    /// Memory for a transform, as long as a line.
    pub fn scratch(&self) -> Vec<Numbers> {
        vec![ZERO; self.length]
    }

    /// Transforms a line.
    pub fn forward(&self, line: &mut [Numbers], scratch: &mut [Numbers]) {
        self.transform::<false>(line, scratch);
    }

    /// Transforms a line back, but for a factor of its length.
    pub fn back(&self, line: &mut [Numbers], scratch: &mut [Numbers]) {
        // With real and imaginary parts exchanged before and after, the roots are the inverse ones.
        self.transform::<true>(line, scratch);
    }

    fn transform<const BACK: bool>(&self, line: &mut [Numbers], scratch: &mut [Numbers]) {
        let (mut from, mut to) = (&mut line[..], &mut scratch[..]);
        for step in &self.steps {
            match step.radix {
                2 => step.combine::<2, BACK>(from, to, two),
                3 => step.combine::<3, BACK>(from, to, three),
                4 => step.combine::<4, BACK>(from, to, four),
                _ => step.combine::<5, BACK>(from, to, five),
            }
            std::mem::swap(&mut from, &mut to);
        }
        if !self.steps.len().is_multiple_of(2) {
            line.copy_from_slice(scratch);
        }
    }
}

/// Radices that multiply to a length without prime factors above 5.
///
/// # Panics
/// For other lengths.
pub(crate) fn radices(length: usize) -> Vec<usize> {
    assert!(length > 0, "a line has at least one number");
    let mut radices = Vec::new();
    let mut left = length;
    for radix in [4, 2, 5, 3] {
        while left.is_multiple_of(radix) {
            radices.push(radix);
            left /= radix;
        }
    }
    assert_eq!(left, 1, "{length} has a prime factor above 5");
    radices
}

impl Step {
    #[inline(always)]
    fn combine<const RADIX: usize, const BACK: bool>(
        &self,
        from: &[Numbers],
        to: &mut [Numbers],
        transform: impl Fn([Numbers; RADIX]) -> [Numbers; RADIX],
    ) {
        let side = self.side_by_side;
        let apart = from.len() / RADIX;
        let exchanged = |number: Numbers| if BACK { number.exchanged() } else { number };
        let groups = to.chunks_exact_mut(RADIX * side).zip(self.roots.chunks_exact(RADIX - 1));
        for (group, (results, roots)) in groups.enumerate() {
            let parts: [&[Numbers]; RADIX] = std::array::from_fn(|k| &from[k * apart + group * side..][..side]);
            for i in 0..side {
                let combined = transform(std::array::from_fn(|k| exchanged(parts[k][i])));
                results[i] = exchanged(combined[0]);
                for k in 1..RADIX {
                    results[k * side + i] = exchanged(combined[k].turned_by(roots[k - 1]));
                }
            }
        }
    }
}

#[inline(always)]
fn two([a, b]: [Numbers; 2]) -> [Numbers; 2] {
    [a + b, a - b]
}

#[inline(always)]
fn three([a, b, c]: [Numbers; 3]) -> [Numbers; 3] {
    let sum = b + c;
    let across = ((b - c) * SIN_3).turned_back();
    let middle = a - sum * 0.5;
    [a + sum, middle + across, middle - across]
}

#[inline(always)]
fn four([a, b, c, d]: [Numbers; 4]) -> [Numbers; 4] {
    let [[e, f], [g, h]] = [two([a, c]), two([b, d])];
    let h = h.turned_back();
    [e + g, f + h, e - g, f - h]
}

#[inline(always)]
fn five([a, b, c, d, e]: [Numbers; 5]) -> [Numbers; 5] {
    let [[outer, across], [inner, within]] = [two([b, e]), two([c, d])];
    let middle = |near: usize| a + outer * COS_5[near] + inner * COS_5[1 - near];
    let sides = [across * SIN_5[0] + within * SIN_5[1], across * SIN_5[1] - within * SIN_5[0]];
    let [side, other_side] = sides.map(Numbers::turned_back);
    let (near, far) = (middle(0), middle(1));
    [a + outer + inner, near + side, far + other_side, far - other_side, near - side]
}

#[cfg(test)]
mod tests {
    use super::super::lanes::{LANES, Lanes};
    use super::*;

    const LENGTHS: [usize; 14] = [1, 2, 3, 4, 5, 8, 9, 12, 16, 30, 75, 360, 1280, 2304];

    fn number(at: usize, part: usize) -> f32 {
        ((at * 37 + part * 911) % 997) as f32 / 61.0 - 8.0
    }

    fn line(length: usize) -> Vec<Numbers> {
        let part = |at, part| Lanes(std::array::from_fn(|lane| number(at, 2 * lane + part)));
        (0..length).map(|at| Numbers { re: part(at, 0), im: part(at, 1) }).collect()
    }

    /// By the definition of the transform, in double precision.
    fn defined(length: usize, lane: usize, k: usize, sign: f64) -> [f64; 2] {
        (0..length).fold([0.0; 2], |[re, im], at| {
            let [x, y] = [0, 1].map(|part| f64::from(number(at, 2 * lane + part)));
            let (sin, cos) = libm::sincos(sign * TAU * ((at * k) % length) as f64 / length as f64);
            [re + x * cos - y * sin, im + x * sin + y * cos]
        })
    }

    #[test]
    fn lines_are_transformed_as_defined() {
        for length in LENGTHS {
            let transform = LineTransform::new(length);
            let (mut forward, mut back) = (line(length), line(length));
            transform.forward(&mut forward, &mut transform.scratch());
            transform.back(&mut back, &mut transform.scratch());
            for (found, sign) in [(forward, -1.0), (back, 1.0)] {
                for k in (0..length).step_by(1 + length / 50) {
                    for lane in 0..LANES {
                        let expected = defined(length, lane, k, sign);
                        let at = [found[k].re, found[k].im].map(|part| f64::from(part.0[lane]));
                        let difference = libm::hypot(at[0] - expected[0], at[1] - expected[1]);
                        // Of numbers of some 5, whose errors add up as a random walk does.
                        let allowed = 2e-6 * (length as f64).sqrt() * (1.0 + f64::from(length.ilog2()));
                        assert!(difference <= allowed, "{length}, {k}, {lane}: {at:?} for {expected:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn transforms_of_lanes_are_those_of_their_numbers() {
        for length in LENGTHS {
            let transform = LineTransform::new(length);
            let mut all = line(length);
            transform.forward(&mut all, &mut transform.scratch());
            for lane in 0..LANES {
                let alone = |part: Lanes| Lanes([part.0[lane], 0.0, 0.0, 0.0]);
                let mut one: Vec<Numbers> =
                    line(length).iter().map(|number| Numbers { re: alone(number.re), im: alone(number.im) }).collect();
                transform.forward(&mut one, &mut transform.scratch());
                for (one, all) in one.iter().zip(&all) {
                    let bits = [one.re, one.im].map(|part| part.0[0].to_bits());
                    assert_eq!(bits, [all.re, all.im].map(|part| part.0[lane].to_bits()), "{length}");
                }
            }
        }
    }

    #[test]
    fn steps_multiply_to_the_length() {
        for (length, expected) in [
            (1, &[][..]),
            (16, &[4, 4]),
            (8, &[4, 2]),
            (48, &[4, 4, 3]),
            (1280, &[4, 4, 4, 4, 5]),
            (6075, &[5, 5, 3, 3, 3, 3, 3]),
        ] {
            assert_eq!(radices(length), expected);
        }
    }

    #[test]
    fn constants_are_the_nearest_numbers() {
        let near = |found: f32, exact: f64| assert_eq!(found.to_bits(), (exact as f32).to_bits(), "{exact}");
        let part = |k: u32, of: u32| TAU * f64::from(k) / f64::from(of);
        near(SIN_3, libm::sin(part(1, 3)));
        for k in [1, 2] {
            near(COS_5[k as usize - 1], libm::cos(part(k, 5)));
            near(SIN_5[k as usize - 1], libm::sin(part(k, 5)));
        }
    }
}
