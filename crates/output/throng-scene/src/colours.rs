//! Colours of values, groups and individuals, in linear RGB.

use crate::Rgb;

/// Converts an sRGB colour, with components from 0 to 255, to linear RGB.
///
/// ```
/// assert_eq!(throng_scene::colours::of_screen([255, 0, 0]), [1.0, 0.0, 0.0]);
/// ```
pub fn of_screen(colour: [u8; 3]) -> Rgb {
    colour.map(|part| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { libm::pow((part + 0.055) / 1.055, 2.4) }
    })
}

/// Viridis, from dark blue at 0 to yellow at 1, for values of one sign.
pub fn sequential(fraction: f64) -> Rgb {
    of_screen(colorous::VIRIDIS.eval_continuous(bounded(fraction)).as_array())
}

/// From red at 0 through yellow to green at 1, for speeds as fractions of the free speed.
pub fn slow_to_fast(fraction: f64) -> Rgb {
    of_screen(colorous::RED_YELLOW_GREEN.eval_continuous(bounded(fraction)).as_array())
}

/// From blue at -1 through white at 0 to red at 1, for values of both signs.
pub fn diverging(strength: f64) -> Rgb {
    of_screen(colorous::RED_BLUE.eval_continuous(bounded(0.5 - strength / 2.0)).as_array())
}

/// The colour of a group or an individual. Colours repeat after ten.
pub fn category(number: usize) -> Rgb {
    of_screen(colorous::TABLEAU10[number % 10].as_array())
}

/// Clamps to 0 to 1; NaN counts as 0.
fn bounded(fraction: f64) -> f64 {
    if fraction.is_nan() { 0.0 } else { fraction.clamp(0.0, 1.0) }
}
