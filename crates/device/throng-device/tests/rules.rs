//! Functions called by rules have the same bits on the host and on every device.

use throng_device::angles::{CIRCLE, angle_of, cosine, difference, sine, turned, turned_towards};
use throng_device::exact::{
    NEGATIVE_ZERO, abs, copied, high_product, ieee_max, ieee_min, low_product, product_without_negative_zero,
    rounded_product, wrapping_sum,
};
use throng_device::mwc64x::{Mwc64x, stream};
use throng_device::philox::{self, Block};
use throng_device::primitives::pair::Pair;
use throng_device::state_hash::word_of;
use throng_testing_devices::same_on_devices;

/// All pairs of extreme angles, and pairs of all magnitudes.
fn angles() -> impl Iterator<Item = (i32, i32)> {
    let extremes = [i32::MIN, -CIRCLE, -1, 0, 1, CIRCLE / 8, i32::MAX];
    let pairs: Vec<_> = extremes.iter().flat_map(|&a| extremes.map(|b| (a, b))).collect();
    let draws = throng_core::Philox::new(8);
    let word = move |i: u32, index: u32| draws.below(u32::MAX, i, 0, 0, index) as i32 >> (i % 29);
    pairs.into_iter().chain((0..20_000).map(move |i| (word(i, 0), word(i / 29, 1))))
}

same_on_devices!(fn sines(angle: i32, _unused: i32) -> i32 { sine(angle) } for angles());
same_on_devices!(fn cosines(angle: i32, _unused: i32) -> i32 { cosine(angle) } for angles());
same_on_devices!(fn arc_tangents(x: i32, y: i32) -> i32 { angle_of(x, y) } for angles());
same_on_devices!(fn differences(from: i32, to: i32) -> i32 { difference(from, to) } for angles());
same_on_devices!(fn turns_towards(x: i32, y: i32) -> i32 { turned_towards(40_000i32, x, y, 910i32) } for angles());
same_on_devices!(fn turns(angle: i32, by: i32) -> i32 { turned(angle, by, 910i32) } for angles());

/// All pairs of special words, and pairs of all magnitudes.
fn words() -> impl Iterator<Item = (u32, u32)> {
    angles().map(|(a, b)| (a as u32, b as u32))
}

same_on_devices!(fn wrapping_sums(a: u32, b: u32) -> u32 { wrapping_sum(a, b) } for words());
same_on_devices! {
    fn long_products(a: u32, b: u32) {
        let low = low_product(a, b);
        let high = high_product(a, b);
    } -> { lower: u32 = low, upper: u32 = high } for words()
}

/// All pairs of special floats, and pairs of all magnitudes.
fn doubles() -> impl Iterator<Item = (f64, f64, f64)> {
    let special = [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, 1.0 / 3.0, 1e-300];
    let pairs: Vec<_> = special.iter().flat_map(|&a| special.map(|b| (a, b))).collect();
    let draws = throng_core::Philox::new(9);
    let number =
        move |i: u32, index: u32| (draws.unit(i, 0, 0, index) - 0.5) * libm::pow(10.0, f64::from(i % 40) - 20.0);
    let drawn = (0..20_000).map(move |i| (number(i, 0), number(i / 40, 1)));
    pairs.into_iter().chain(drawn).map(|(a, b)| (a, b, NEGATIVE_ZERO))
}

/// The same in single precision, without subnormal numbers.
fn singles() -> impl Iterator<Item = (f32, f32, f32)> {
    let normal = |x: f32| if x.is_subnormal() { 0.0 } else { x };
    doubles().map(move |(a, b, zero)| (normal(a as f32), normal(b as f32), zero as f32))
}

same_on_devices! {
    fn extremes_of_doubles(a: f64, b: f64, _zero: f64) {
        let low = ieee_min(a, b);
        let high = ieee_max(a, b);
    } -> { least: f64 = low, greatest: f64 = high } for doubles().filter(|(a, b, _)| a != b || a.to_bits() == b.to_bits())
}
same_on_devices! {
    fn extremes_of_singles(a: f32, b: f32, _zero: f32) {
        let low = ieee_min(a, b);
        let high = ieee_max(a, b);
    } -> { least: f32 = low, greatest: f32 = high } for singles().filter(|(a, b, _)| a != b || a.to_bits() == b.to_bits())
}

same_on_devices! {
    fn longer_sides(x: i32, y: i32) -> i32 { max(abs(x), abs(y)) }
    for words().map(|(a, b)| ((a as i32).max(-i32::MAX), (b as i32).max(-i32::MAX)))
        .chain([(-17_624, -7_756), (-7_756, -17_624), (17_624, -7_756), (-3, 2)])
}

// The sums would differ if product and sum were fused into one rounding.
same_on_devices! {
    fn products_of_doubles(a: f64, b: f64, zero: f64) {
        let product = rounded_product(a, b, zero);
        let sum = a - product;
        let other = product_without_negative_zero(a, b, zero);
    } -> { plain: f64 = product, in_a_sum: f64 = sum, unsigned: f64 = other } for doubles()
}
same_on_devices! {
    fn products_of_singles(a: f32, b: f32, zero: f32) {
        let product = rounded_product(a, b, zero);
        let sum = a - product;
        let other = product_without_negative_zero(a, b, zero);
    } -> { plain: f32 = product, in_a_sum: f32 = sum, unsigned: f32 = other } for singles().filter(|(a, b, _)| !(a * b).is_subnormal())
}

same_on_devices! {
    fn values_before_a_change(x: u32, by: u32) {
        let mut changing = x;
        let before = copied(changing);
        changing = wrapping_sum(changing, by);
        let after = changing;
    } -> { first: u32 = before, last: u32 = after } for words()
}

same_on_devices! {
    fn random_numbers(seed_low: u32, seed_high: u32, entity: u32, index: u32) -> f64 {
        philox::unit(seed_low, seed_high, entity, 28_800u32, 1u32, index)
    } for words().zip(words().skip(7)).map(|((a, b), (c, d))| (a, b, c, d))
}

same_on_devices! {
    fn random_integers(n: u32, entity: u32, step: u32, index: u32) -> u32 {
        philox::below(n, 7u32, 8u32, entity, step, 9u32, index)
    } for words().zip(words().skip(7)).map(|((a, b), (c, d))| (a, b, c, d))
}

// Words that are rejected, and their neighbours, which random tests do not hit.
same_on_devices! {
    fn random_integers_at_the_edge(n: u32, high: u32, low: u32) -> u32 {
        philox::below_from(n, Block { first: high, second: low, third: high ^ n, fourth: low ^ n })
    } for words().map(|(a, b)| (a | 1, b)).flat_map(|(n, i)| {
        let word = (u128::from(i % n) << 64).div_ceil(u128::from(n)) as u64;
        [word.wrapping_sub(1), word, word.wrapping_add(1)].map(|word| (n, (word >> 32) as u32, word as u32))
    })
}

same_on_devices! {
    fn draws_of_a_stream(x: u32, c: u32, n: u32, low: u32, high: u32) {
        let mut draws = Mwc64x { x, c };
        draws.skip(low, high);
        let number = draws.below(n);
        let word = draws.word();
        let of_stream = stream(x, high & 0xFFu32, low & 0x7F_FFFFu32);
    } -> { below: u32 = number, next: u32 = word, x_after: u32 = draws.x, c_after: u32 = draws.c, seeded: u32 = of_stream.c }
    for words().zip(words().skip(7)).take(4000).map(|((a, b), (c, d))| (a | 1, b % 0xFFFE_B81A, c, d, a ^ d))
        .chain([(1, 0, 6, 1000, 0), (1, 1, 6, 0, 256), (1, 0, 6, 0, 0), (1, 0, 6, 1, 0), (u32::MAX, 0xFFFE_B819, 6, 0, 1)])
}

same_on_devices! {
    fn words_of_state_hashes(high: u32, low: u32, value_high: u32, value_low: u32) {
        let word = word_of(Pair { high, low }, Pair { high: value_high, low: value_low });
    } -> { upper: u32 = word.high, lower: u32 = word.low }
    for words().zip(words().skip(7)).map(|((a, b), (c, d))| (a, b, c, d))
}

same_on_devices! {
    fn loops_that_break(least: u32, count: u32) {
        let mut found = 0u32;
        let mut rounds = 0u32;
        while rounds < 3u32 {
            for i in 0..count {
                if i * i >= least + rounds {
                    found = found * 16u32 + i + 1u32;
                    break;
                }
            }
            rounds += 1u32;
        }
    } -> { places: u32 = found } for (0..1000u32).map(|i| (i % 77, i % 13))
}
