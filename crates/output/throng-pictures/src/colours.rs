//! Colours of values, and of everything in a picture that has no colour of its own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::value_range::ValueRange;

/// Red, green and blue, each from 0 to 255 (sRGB).
pub(super) type Rgb = [u8; 3];

/// The background.
pub(super) const WHITE: Rgb = [255, 255, 255];
/// Cells of a ground without values, under marks and paths.
pub(super) const GROUND: Rgb = [246, 246, 243];
/// Text and lines.
pub(super) const INK: Rgb = [36, 36, 36];
/// Cells that a mask does not allow.
pub(super) const WALL: Rgb = [56, 56, 60];
/// Cells whose value is infinite or not a number. No colour map but the grey one has this grey.
pub(super) const NO_VALUE: Rgb = [172, 172, 172];
/// The same under the grey map.
const NO_VALUE_IN_GREY: Rgb = [236, 180, 190];
/// The lightest and the darkest grey of the grey map: neither white nor the colour of walls.
const GREYS: [f64; 2] = [245.0, 105.0];

/// Maps values to colours.
///
/// Two maps are diverging: 0 is nearly white, and values as far below 0 as above it are equally strong, so the end of the
/// range that is nearer to 0 does not get its darkest colour. Neither of these, nor Viridis, loses its order for most people
/// who are colour-blind.
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
    /// Diverging: blue above 0, orange below, from `RdBu` and `PuOr` of `ColorBrewer`.
    #[default]
    BlueOrange,
    /// Diverging: blue above 0, red below, `RdBu` of `ColorBrewer`.
    RedBlue,
    /// Sequential: from dark blue for the lowest value to yellow for the highest.
    Viridis,
    /// Sequential: from light grey for the lowest value to dark grey for the highest.
    Grey,
}

impl ColourMap {
    /// All maps.
    pub const ALL: [Self; 4] = [Self::BlueOrange, Self::RedBlue, Self::Viridis, Self::Grey];

    /// Whether 0 is neutral, between two colours for both signs.
    pub fn is_diverging(self) -> bool {
        matches!(self, Self::BlueOrange | Self::RedBlue)
    }

    /// This map, or, where it is diverging and the values of a range have one sign, Viridis: a diverging map would give them
    /// only half of its colours.
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

    /// Red, green and blue of a value within a range. Values outside get the colour of the nearer end; infinite values and
    /// NaN have a colour of their own.
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
            // In the library, red and purple are at 0, and blue and orange at 1.
            Self::BlueOrange if value < 0.0 => colorous::PURPLE_ORANGE.eval_continuous(0.5 - strength() / 2.0),
            Self::BlueOrange | Self::RedBlue => colorous::RED_BLUE.eval_continuous(0.5 + strength() / 2.0),
            Self::Viridis => colorous::VIRIDIS.eval_continuous(range.share(value)),
            Self::Grey => return [(GREYS[0] + (GREYS[1] - GREYS[0]) * range.share(value)).round() as u8; 3],
        };
        colour.as_array()
    }

    /// The colour of infinite values and NaN.
    pub(super) fn no_value(self) -> Rgb {
        if self == Self::Grey { NO_VALUE_IN_GREY } else { NO_VALUE }
    }
}

#[cfg(test)]
mod tests;
