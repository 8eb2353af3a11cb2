//! Colours of values, and of everything else in a picture.

use super::value_range::ValueRange;

/// Red, green and blue, each from 0 to 255 (sRGB).
pub(super) type Colour = [u8; 3];

/// The background.
pub(super) const WHITE: Colour = [255, 255, 255];
/// Cells of a ground without values, under points and paths.
pub(super) const GROUND: Colour = [246, 246, 243];
/// Text and lines.
pub(super) const INK: Colour = [36, 36, 36];
/// Cells that a mask does not allow.
pub(super) const WALL: Colour = [56, 56, 60];
/// Cells whose value is infinite or not a number. No colour map has this grey.
pub(super) const NO_VALUE: Colour = [172, 172, 172];

/// Maps values to colours. Both maps are perceptual: equal differences of values look equally large, also to most
/// people who are colour-blind.
///
/// ```
/// use throng_fields::pictures::{ColourMap, ValueRange};
///
/// let range = ValueRange::new(-1.0, 4.0)?;
/// let [low, zero, high] = [-1.0, 0.0, 4.0].map(|value| ColourMap::Diverging.colour(value, range));
/// // Nearly white at 0; more red than blue above it, more blue than red below.
/// assert!(zero.iter().all(|&part| part > 230) && high[0] > high[2] && low[0] < low[2]);
/// // Infinite values have a grey that is in neither map.
/// assert_eq!(ColourMap::Sequential.colour(f32::INFINITY, range), [172, 172, 172]);
/// # Ok::<(), throng_fields::FieldError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColourMap {
    /// Viridis, from dark blue for the lowest value to yellow for the highest: for values of one sign.
    Sequential,
    /// From blue over white at 0 to red: for values of both signs. Values as far below 0 as above it are equally strong,
    /// so the end of the range that is nearer to 0 does not get its darkest colour.
    Diverging,
}

impl ColourMap {
    /// The map for values of a range: diverging where it has both signs, sequential otherwise.
    ///
    /// ```
    /// use throng_fields::pictures::{ColourMap, ValueRange};
    ///
    /// assert_eq!(ColourMap::for_range(ValueRange::new(-1.0, 4.0)?), ColourMap::Diverging);
    /// assert_eq!(ColourMap::for_range(ValueRange::new(0.0, 4.0)?), ColourMap::Sequential);
    /// # Ok::<(), throng_fields::FieldError>(())
    /// ```
    pub fn for_range(range: ValueRange) -> Self {
        if range.low() < 0.0 && range.high() > 0.0 { Self::Diverging } else { Self::Sequential }
    }

    /// Red, green and blue of a value within a range. Values outside get the colour of the nearer end; infinite values and
    /// NaN are grey.
    pub fn colour(self, value: f32, range: ValueRange) -> [u8; 3] {
        if !value.is_finite() {
            return NO_VALUE;
        }
        let value = value.clamp(range.low(), range.high());
        let colour = match self {
            Self::Sequential => colorous::VIRIDIS.eval_continuous(range.share(value)),
            Self::Diverging => {
                let strongest = f64::from(range.low().abs().max(range.high().abs()));
                let strength = if strongest > 0.0 { f64::from(value) / strongest } else { 0.0 };
                // In the library red is first.
                colorous::RED_BLUE.eval_continuous(0.5 - strength / 2.0)
            }
        };
        colour.as_array()
    }
}

/// The colour of points and paths with a number: red, green and blue, each from 0 to 255 (sRGB). The colours repeat
/// after the last one.
///
/// ```
/// use throng_fields::pictures::category;
///
/// let [red, blue] = [0, 1].map(category);
/// assert!(red[0] > red[2] && blue[2] > blue[0] && category(9) == red);
/// ```
pub fn category(number: u8) -> Colour {
    let colours = &colorous::SET1;
    colours[usize::from(number) % colours.len()].as_array()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(low: f32, high: f32) -> ValueRange {
        ValueRange::new(low, high).unwrap()
    }

    fn brightness(colour: Colour) -> f64 {
        0.2126 * f64::from(colour[0]) + 0.7152 * f64::from(colour[1]) + 0.0722 * f64::from(colour[2])
    }

    #[test]
    fn signs_choose_the_map() {
        for (low, high, map) in [
            (0.0, 1.0, ColourMap::Sequential),
            (-3.0, -1.0, ColourMap::Sequential),
            (-3.0, 0.0, ColourMap::Sequential),
            (0.0, 0.0, ColourMap::Sequential),
            (-1e-6, 1.0, ColourMap::Diverging),
        ] {
            assert_eq!(ColourMap::for_range(range(low, high)), map, "{low} {high}");
        }
    }

    #[test]
    fn the_sequential_map_gets_brighter_from_its_low_end_to_its_high_end() {
        let colours: Vec<Colour> =
            (0..=20u8).map(|i| ColourMap::Sequential.colour(f32::from(i), range(0.0, 20.0))).collect();
        assert_eq!((colours[0], colours[20]), ([68, 1, 84], [253, 231, 37]));
        assert!(colours.windows(2).all(|pair| brightness(pair[1]) > brightness(pair[0])));
        assert_eq!(ColourMap::Sequential.colour(-7.0, range(0.0, 20.0)), colours[0]);
        assert_eq!(ColourMap::Sequential.colour(1e9, range(0.0, 20.0)), colours[20]);
    }

    #[test]
    fn the_diverging_map_is_lightest_at_zero_wherever_that_is_in_the_range() {
        let colour = |value| ColourMap::Diverging.colour(value, range(-1.0, 4.0));
        assert!(colour(0.0).iter().all(|&part| part > 230), "{:?}", colour(0.0));
        let ([red, _, blue], [low_red, _, low_blue]) = (colour(4.0), colour(-1.0));
        assert!(red > blue && low_blue > low_red);
        // A quarter of the strength on either side.
        assert!((brightness(colour(1.0)) - brightness(colour(-1.0))).abs() < 20.0);
        assert!(brightness(colour(4.0)) < brightness(colour(-1.0)));
        assert_eq!(ColourMap::Diverging.colour(0.0, range(0.0, 0.0)), colour(0.0));
    }

    #[test]
    fn what_is_no_number_has_a_colour_of_its_own() {
        for map in [ColourMap::Sequential, ColourMap::Diverging] {
            for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                assert_eq!(map.colour(value, range(-1.0, 1.0)), NO_VALUE);
            }
            for i in 0..=200u8 {
                let [red, green, blue] = map.colour(f32::from(i) / 100.0 - 1.0, range(-1.0, 1.0)).map(i32::from);
                let distance = (red - 172).pow(2) + (green - 172).pow(2) + (blue - 172).pow(2);
                assert!(distance > 400, "{map:?} comes near the grey at {i}");
            }
        }
    }

    #[test]
    fn categories_begin_again() {
        assert_ne!(category(0), category(1));
        assert_eq!(category(0), category(colorous::SET1.len() as u8));
        assert_eq!(category(255), category(255 % colorous::SET1.len() as u8));
    }
}
