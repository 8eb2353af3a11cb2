//! Tone mapping of light, before it is converted to bytes.

use throng_device::exact::{ieee_min, rounded_product};
use throng_device::prelude::*;

use super::vector::Vector3;

/// Tone mapping of amounts of light above 1.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    /// Clamps to 1.
    #[default]
    Clamp,
    /// Maps each luminance x to x / (1 + x), which is below 1 (Reinhard et al., "Photographic tone reproduction",
    /// 2002).
    Reinhard,
    /// A curve like that of photographic film: a rational function fitted to the ACES reference transform (Narkowicz,
    /// 2015).
    Aces,
}

/// Applies a tone curve to a colour.
#[cube]
#[inline(always)]
pub fn toned(colour: Vector3, zero: f32, #[comptime] tone: Tone) -> Vector3 {
    match tone {
        Tone::Clamp => colour,
        Tone::Reinhard => {
            let luminance = rounded_product(0.2126f32, colour.x, zero)
                + rounded_product(0.7152f32, colour.y, zero)
                + rounded_product(0.0722f32, colour.z, zero);
            let factor = 1.0f32 / (1.0f32 + luminance);
            Vector3 { x: factor * colour.x, y: factor * colour.y, z: factor * colour.z }
        }
        Tone::Aces => Vector3 { x: aces(colour.x, zero), y: aces(colour.y, zero), z: aces(colour.z, zero) },
    }
}

/// x (2.51 x + 0.03) / (x (2.43 x + 0.59) + 0.14).
#[cube]
#[inline(always)]
fn aces(x: f32, zero: f32) -> f32 {
    // The curve is flat beyond this; larger numbers would overflow.
    let x = ieee_min(x, 1.0e6f32);
    let above = rounded_product(x, rounded_product(2.51f32, x, zero) + 0.03f32, zero);
    let below = rounded_product(x, rounded_product(2.43f32, x, zero) + 0.59f32, zero) + 0.14f32;
    above / below
}
