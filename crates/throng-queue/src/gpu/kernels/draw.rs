//! Random numbers: Philox4x32-10, as in `throng_core`.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

/// A number in `[0, 1)` with 53 random bits: `throng_core::Philox::unit`.
#[cube]
pub fn uniform(seed_low: u32, seed_high: u32, entity: u32, step: u32, purpose: u32, index: u32) -> f64 {
    let mut c0 = entity;
    let mut c1 = step;
    let mut c2 = purpose;
    let mut c3 = index;
    let mut k0 = seed_low;
    let mut k1 = seed_high;
    #[unroll]
    for round in 0..10u32 {
        if comptime!(round > 0) {
            k0 += 0x9E37_79B9u32;
            k1 += 0xBB67_AE85u32;
        }
        let high0 = u32::mul_hi(c0, 0xD251_1F53u32);
        let low0 = c0 * 0xD251_1F53u32;
        let high1 = u32::mul_hi(c2, 0xCD9E_8D57u32);
        let low1 = c2 * 0xCD9E_8D57u32;
        c0 = high1 ^ c1 ^ k0;
        c1 = low1;
        c2 = high0 ^ c3 ^ k1;
        c3 = low0;
    }
    // 53 bits: (c0 << 21) ^ (c1 >> 11). Sum and products are exact.
    let high = f64::cast_from(c0 >> 11u32);
    let low = f64::cast_from((c0 << 21u32) ^ (c1 >> 11u32));
    (high * 4_294_967_296.0f64 + low) * 1.110_223_024_625_156_5e-16f64
}
