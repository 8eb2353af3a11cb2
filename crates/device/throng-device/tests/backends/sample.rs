//! Lengths and numbers for tests.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use throng_device::DeviceError;

/// A length and a seed for its numbers.
pub type Sample = (usize, u64);

/// Lengths near the sizes of cubes (256), tiles (2048) and a scan by one cube (8192), and longer ones.
const BORDERS: [usize; 12] = [0, 1, 2, 255, 256, 257, 2047, 2049, 8192, 8193, 65_535, 65_536];

/// Checks every border once, and then random lengths, about a third of them close to a border.
pub fn for_samples(check: impl Fn(Sample) -> Result<(), DeviceError>) {
    for (seed, &len) in BORDERS.iter().enumerate() {
        check((len, seed as u64)).unwrap();
    }
    let near =
        (prop::sample::select(&BORDERS[..]), -2isize..=2).prop_map(|(border, off)| border.saturating_add_signed(off));
    let lengths = prop_oneof![near, 0usize..5000, 0usize..70_000];
    let config = Config { cases: 8, failure_persistence: None, max_shrink_iters: 64, ..Config::default() };
    TestRunner::new(config)
        .run(&(lengths, any::<u64>()), |sample| {
            check(sample).unwrap();
            Ok(())
        })
        .unwrap();
}

/// Returns a reproducible sequence of numbers for a seed (splitmix64).
pub fn numbers(seed: u64) -> impl Iterator<Item = u64> {
    (1u64..).map(move |i| {
        let mut z = seed.wrapping_mul(0xd129_0d3b_3c5a_8e27).wrapping_add(i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    })
}

/// Words of all magnitudes; small ones are more frequent, so that duplicates occur.
pub fn words((len, seed): Sample) -> Vec<u32> {
    numbers(seed).take(len).map(|n| (n >> 32) as u32 >> (n % 32)).collect()
}

/// Flags: about one in three is zero, and the others have various bits set.
pub fn flags((len, seed): Sample) -> Vec<u32> {
    numbers(seed ^ 1).take(len).map(|n| if n.is_multiple_of(3) { 0 } else { 1 << (n % 32) }).collect()
}

/// Floats of all magnitudes; for odd seeds also both zeros, infinities, NaN and subnormal numbers.
pub fn floats((len, seed): Sample) -> Vec<f32> {
    let special = [0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, -f32::NAN, f32::MIN_POSITIVE / 4.0, 1.0];
    let float = |n: u64| {
        let any = f32::from_bits((n >> 32) as u32);
        if seed & 1 == 1 && n.is_multiple_of(8) {
            special[(n >> 8) as usize % 8]
        } else if any.is_finite() {
            any
        } else {
            1.5
        }
    };
    numbers(seed).take(len).map(float).collect()
}

/// Returns the bits of floats, for comparisons: NaN equals nothing, and the zeros equal each other.
pub fn bits(floats: &[f32]) -> Vec<u32> {
    floats.iter().map(|float| float.to_bits()).collect()
}
