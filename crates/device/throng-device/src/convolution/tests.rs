use proptest::prelude::*;

use super::modular::PRIME;
use super::*;

/// A plane with marks, weights and passes.
#[derive(Debug, Clone)]
struct Case {
    world: [u32; 2],
    radius: u32,
    weights: Vec<Vec<u32>>,
    marks: Vec<u32>,
    passes: Vec<Pass>,
}

const PLANES: usize = 3;
/// Initial content of sums, which must remain where no sums are stored.
const UNTOUCHED: u32 = 0xABCD;

impl Case {
    /// Creates marks and weights from a seed; each of two bits is set in about `full` of 16 units.
    fn new(world: [u32; 2], radius: u32, full: u32, seed: u32) -> Self {
        let word =
            |i: usize| (i as u32 ^ seed).wrapping_mul(0x9E37_79B9).rotate_left(15).wrapping_mul(0x85EB_CA6B) >> 9;
        let [columns, rows] = world.map(|side| (side + 2 * radius) as usize);
        let bit = |word: u32| u32::from(word % 16 < full);
        let marks = (0..columns * rows).map(|i| bit(word(i)) | bit(word(i) >> 8) << 5).collect();
        let terms = (2 * radius as usize + 1).pow(2);
        let max_weight = (PRIME - 1) / terms as u32;
        let drawn: Vec<u32> = (0..terms).map(|i| word(i + 77) % (max_weight + 1)).collect();
        let weights = vec![drawn.clone(), vec![max_weight; terms], drawn];
        let passes = vec![
            Pass { sources: 1, targets: 1 << 5, sums: vec![[0, 2], [1, 0]] },
            Pass { sources: 33, targets: 1, sums: vec![[2, 1]] },
        ];
        Self { world, radius, weights, marks, passes }
    }

    /// Computes the sums by their definition.
    fn direct(&self) -> Vec<u32> {
        let [width, height] = self.world.map(|side| side as usize);
        let (side, columns) = (2 * self.radius as usize + 1, width + 2 * self.radius as usize);
        let mut sums = vec![UNTOUCHED; PLANES * width * height];
        for Pass { sources, targets, sums: wanted } in &self.passes {
            for (unit, &[weights, to]) in (0..width * height).flat_map(|unit| wanted.iter().map(move |sum| (unit, sum)))
            {
                let (x, y) = (unit % width, unit / width);
                if self.marks[(y + side / 2) * columns + x + side / 2] & targets == 0 {
                    continue;
                }
                let is_source = |i: usize| self.marks[(y + i / side) * columns + x + i % side] & sources != 0;
                let terms = self.weights[weights].iter().enumerate().filter(|&(i, _)| is_source(i));
                sums[to * width * height + unit] = terms.map(|(_, weight)| weight).sum();
            }
        }
        sums
    }

    fn with_tiles_of(&self, longest: u32) -> Vec<u32> {
        let mut sums = vec![UNTOUCHED; PLANES * (self.world[0] * self.world[1]) as usize];
        let convolution = Convolution::with_tiles_of(longest, self.world, self.radius, &self.weights);
        convolution.compute_sums(&self.marks, &self.passes, &mut sums);
        sums
    }
}

/// Sides near powers of two, odd sides, and single rows and columns; radii 0, 1, and so large that a tile has only two
/// sums along an axis.
fn cases() -> Vec<(Case, u32)> {
    let mut cases = Vec::new();
    for (world, radius, longest) in [
        ([1, 1], 0, 8),
        ([7, 9], 0, 8),
        ([8, 8], 1, 16),
        ([31, 33], 1, 32),
        ([32, 16], 3, 16),
        ([17, 1], 5, 16),
        ([1, 40], 7, 16),
        ([13, 11], 15, 32),
        ([65, 63], 9, 64),
        ([20, 30], 20, 256),
    ] {
        for full in [0, 1, 8, 16] {
            cases.push((Case::new(world, radius, full, 5), longest));
        }
    }
    cases
}

#[test]
fn sums_match_direct_summation() {
    for (case, longest) in cases() {
        assert_eq!(case.with_tiles_of(longest), case.direct(), "{:?}, {}, {longest}", case.world, case.radius);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(throng_testing::cases(5)))]

    #[test]
    fn sums_do_not_depend_on_tiles(
        width in 1..50u32, height in 1..50u32, radius in 0..8u32, full in 0..=16u32, seed: u32
    ) {
        let case = Case::new([width, height], radius, full, seed);
        let expected = case.direct();
        for longest in [16, 32, 128] {
            prop_assert_eq!(&case.with_tiles_of(longest), &expected);
        }
    }
}

#[cfg(feature = "gpu")]
mod on_devices {
    use throng_testing::skip_backend;

    use super::*;
    use crate::choice::{Backend, DeviceId};
    use crate::open;

    #[test]
    fn sums_match_direct_summation() {
        for backend in Backend::of_gpus() {
            let device = match open(DeviceId { backend, index: 0 }) {
                Ok(device) => device,
                Err(error) => {
                    skip_backend(backend.name(), error);
                    continue;
                }
            };
            for (case, longest) in cases() {
                let convolution = Convolution::with_tiles_of(longest, case.world, case.radius, &case.weights);
                let convolution = DeviceConvolution::upload(&device, &convolution).unwrap();
                let marks = device.upload("marks", &case.marks).unwrap();
                let untouched = vec![UNTOUCHED; PLANES * (case.world[0] * case.world[1]) as usize];
                let sums = device.upload("sums", &untouched).unwrap();
                convolution.compute_sums(&device, &marks, &case.passes, &sums).unwrap();
                assert_eq!(device.read(&sums).unwrap(), case.direct(), "{:?}, {}", case.world, case.radius);
            }
        }
    }
}
