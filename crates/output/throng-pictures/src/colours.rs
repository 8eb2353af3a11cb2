//! Colour maps for values, and the fixed colours of images.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::value_range::ValueRange;

/// Red, green and blue, each from 0 to 255 (sRGB).
pub(super) type Rgb = [u8; 3];

/// Background of images.
pub(super) const WHITE: Rgb = [255, 255, 255];
/// Ground without values, under marks and paths.
pub(super) const GROUND: Rgb = [246, 246, 243];
/// Text and lines.
pub(super) const INK: Rgb = [36, 36, 36];
/// Cells closed by a mask.
pub(super) const WALL: Rgb = [56, 56, 60];
/// Cells whose value is infinite or NaN. Only the grey colour map also contains this grey.
pub(super) const NO_VALUE: Rgb = [172, 172, 172];
/// Replaces [`NO_VALUE`] in the grey colour map.
const NO_VALUE_IN_GREY: Rgb = [236, 180, 190];
/// The lightest and the darkest grey of the grey map; neither is white or the colour of walls.
const GREYS: [f64; 2] = [245.0, 105.0];

/// Maps values to colours.
///
/// Two maps are diverging: 0 is nearly white, and values equally far below and above 0 have equally strong colours, so
/// the end of the range nearer to 0 does not get its darkest colour. For most colour-blind people, the order of the
/// colours remains visible in the diverging maps and in Viridis.
///
/// ```
/// use throng_pictures::{ColourMap, ValueRange};
///
/// let range = ValueRange::new(-1.0, 4.0)?;
/// let [low, zero, high] = [-1.0, 0.0, 4.0].map(|value| ColourMap::BlueOrange.colour(value, range));
/// // Nearly white at 0; blue above it, orange below.
/// assert!(zero.iter().all(|&part| part > 230) && high[2] > high[0] && low[0] > low[2]);
/// // Infinite values have a grey that is not in the map.
/// assert_eq!(ColourMap::Viridis.colour(f32::INFINITY, range), [172, 172, 172]);
/// # Ok::<(), throng_core::InputError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ColourMap {
    /// Diverging: blue above 0, orange below; from `RdBu` and `PuOr` of `ColorBrewer`.
    #[default]
    BlueOrange,
    /// Diverging: blue above 0, red below; `RdBu` of `ColorBrewer`.
    RedBlue,
    /// Sequential: from dark blue for the lowest value to yellow for the highest.
    Viridis,
    /// Sequential: from light grey for the lowest value to dark grey for the highest.
    Grey,
}

impl ColourMap {
    /// All colour maps, the diverging ones first.
    pub const ALL: [Self; 4] = [Self::BlueOrange, Self::RedBlue, Self::Viridis, Self::Grey];

    /// Whether 0 has a neutral colour between those of both signs.
    pub fn is_diverging(self) -> bool {
        matches!(self, Self::BlueOrange | Self::RedBlue)
    }

    /// Returns this map, or Viridis if this map is diverging and all values of the range have one sign, because a
    /// diverging map would use only half of its colours.
    ///
    /// ```
    /// use throng_pictures::{ColourMap, ValueRange};
    ///
    /// let (both, one) = (ValueRange::new(-1.0, 4.0)?, ValueRange::new(0.0, 4.0)?);
    /// assert_eq!(ColourMap::RedBlue.for_range(both), ColourMap::RedBlue);
    /// assert_eq!(ColourMap::RedBlue.for_range(one), ColourMap::Viridis);
    /// assert_eq!(ColourMap::Grey.for_range(both), ColourMap::Grey);
    /// # Ok::<(), throng_core::InputError>(())
    /// ```
    pub fn for_range(self, range: ValueRange) -> Self {
        let has_both_signs = range.low() < 0.0 && range.high() > 0.0;
        if self.is_diverging() && !has_both_signs { Self::Viridis } else { self }
    }

    /// Returns red, green and blue of a value within a range. Values outside the range get the colour of the nearer
    /// end; infinite values and NaN have a separate colour.
    pub fn colour(self, value: f32, range: ValueRange) -> [u8; 3] {
        if !value.is_finite() {
            return self.no_value();
        }
        let value = value.clamp(range.low(), range.high());
        let strength = || {
            let strongest = f64::from(range.low().abs().max(range.high().abs()));
            if strongest > 0.0 { f64::from(value) / strongest } else { 0.0 }
        };
        let colour = match self {
            // `colorous` puts red/purple at 0 and blue/orange at 1.
            Self::BlueOrange if value < 0.0 => colorous::PURPLE_ORANGE.eval_continuous(0.5 - strength() / 2.0),
            Self::BlueOrange | Self::RedBlue => colorous::RED_BLUE.eval_continuous(0.5 + strength() / 2.0),
            Self::Viridis => colorous::VIRIDIS.eval_continuous(range.share(value)),
            Self::Grey => return [(GREYS[0] + (GREYS[1] - GREYS[0]) * range.share(value)).round() as u8; 3],
        };
        colour.as_array()
    }

    /// Returns the colour of infinite values and NaN.
    pub(super) fn no_value(self) -> Rgb {
        if self == Self::Grey { NO_VALUE_IN_GREY } else { NO_VALUE }
    }
}

#[cfg(test)]
mod tests;
