//! The lattice: integer positions, so that all devices agree on all distances.

use throng_core::{InputError, Problems};

/// Side length of a cell, units. A power of two, so that a shift yields the cell of a position.
pub const CELL: i32 = 1 << CELL_BITS;
/// Number of bits of a position within its cell.
pub const CELL_BITS: u32 = 12;
/// Minimum radius of a disc, units.
///
/// Two centres in one cell are at most sqrt(2) * 4095 = 5791.2 units apart, less than two such radii, so a cell holds
/// the centre of at most one disc of a valid crowd. Two centres in diagonally displaced cells with one row and one
/// column between them are at least sqrt(2) * 4097 = 5794.03 units apart, more than two such radii: discs of this
/// radius there never touch.
pub const MIN_RADIUS: i32 = 2896;
/// Maximum radius, units: four times the minimum.
pub const MAX_RADIUS: i32 = 4 * MIN_RADIUS;
/// Longest step of a bounded check, and longest step whose path is tested for walls, units: four cells.
pub const MAX_STEP: i32 = 4 * CELL;

/// Conversion between metres and units, given the radius of the smallest discs.
///
/// ```
/// use throng_collision::{Lattice, MIN_RADIUS};
///
/// let lattice = Lattice::of_smallest_radius(0.25)?;
/// assert_eq!(lattice.units(0.25), MIN_RADIUS);
/// // Positions are rounded to a twelfth of a millimetre.
/// assert!((lattice.metres(1) - 0.000_086).abs() < 1e-6);
/// # Ok::<(), throng_core::InputError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lattice {
    unit_m: f64,
}

impl Lattice {
    /// Creates the lattice on which discs of this radius, in metres, have [`MIN_RADIUS`] units.
    ///
    /// # Errors
    /// When the radius is not a finite number above 0.
    pub fn of_smallest_radius(radius_m: f64) -> Result<Self, InputError> {
        if radius_m.is_finite() && radius_m > 0.0 {
            return Ok(Self { unit_m: radius_m / f64::from(MIN_RADIUS) });
        }
        Err(InputError::one("radius", format!("{radius_m} m"), "give a number of metres above 0"))
    }

    /// Returns the nearest integer number of units, clamped to the range of `i32`; 0 for NaN. [`Lattice::positions`]
    /// rejects invalid positions.
    pub fn units(&self, metres: f64) -> i32 {
        (metres / self.unit_m).round() as i32
    }

    /// Converts positions or wishes along an axis to units.
    ///
    /// # Errors
    /// Values that are not finite, or exceed the range of `i32` in units.
    pub fn positions(&self, axis: &str, metres: &[f64]) -> Result<Vec<i32>, InputError> {
        let mut problems = Problems::new();
        let units = metres.iter().enumerate().map(|(disc, &at)| {
            self.length(&format_args!("disc {disc}, {axis}"), at).unwrap_or_else(|InputError(found)| {
                problems.append(found);
                0
            })
        });
        let units = units.collect();
        problems.into_result()?;
        Ok(units)
    }

    /// Converts a length to units; `place` is used in messages.
    ///
    /// # Errors
    /// If it is not finite, or exceeds the range of `i32` in units.
    pub(super) fn length(self, place: &dyn std::fmt::Display, metres: f64) -> Result<i32, InputError> {
        // Also false for NaN.
        if (metres / self.unit_m).abs() < f64::from(i32::MAX) {
            return Ok(self.units(metres));
        }
        let max = self.metres(i32::MAX);
        let remedy = format!("give a number of metres from {:.0} to {max:.0}", -max);
        Err(InputError::one(place.to_string(), format!("{metres} m"), remedy))
    }

    /// Converts units to metres.
    pub fn metres(&self, units: i32) -> f64 {
        f64::from(units) * self.unit_m
    }
}

/// Lengths in messages: in metres with a lattice, else in units.
pub(super) struct ShownLengths<'l>(pub Option<&'l Lattice>);

impl ShownLengths<'_> {
    /// Formats a length with as many digits as one unit needs.
    pub fn length(&self, units: f64) -> String {
        match self.0 {
            Some(lattice) => format!("{:.*} m", lattice.digits(), units * lattice.unit_m),
            None => format!("{units:.0} units"),
        }
    }

    /// Formats a length, rounded up.
    pub fn at_least(&self, units: f64) -> String {
        let Some(lattice) = self.0 else { return format!("{:.0} units", units.ceil()) };
        let digits = lattice.digits();
        let scale = libm::pow(10.0, digits as f64);
        format!("{:.digits$} m", (units * lattice.unit_m * scale).ceil() / scale)
    }
}

impl Lattice {
    /// Returns the number of decimal places that distinguishes units: a length with this many is rounded back to the
    /// same unit.
    pub(super) fn digits(self) -> usize {
        (-libm::log10(self.unit_m)).ceil().max(0.0) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_positions_are_refused() {
        let lattice = Lattice::of_smallest_radius(0.25).unwrap();
        assert_eq!(lattice.positions("x", &[0.25, -1.0]).unwrap(), [MIN_RADIUS, -4 * MIN_RADIUS]);
        for value in [f64::NAN, f64::INFINITY, -2e5] {
            let error = lattice.positions("x", &[1.0, value]).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("disc 1, x: {value} m\n    give a number of metres from -1853")),
                "{error}"
            );
        }
    }

    #[test]
    fn lengths_in_remedies_are_rounded_up() {
        let lattice = Lattice::of_smallest_radius(0.25).unwrap();
        let shown = ShownLengths(Some(&lattice));
        assert_eq!((shown.length(57.0), shown.at_least(57.0)), ("0.00492 m".to_owned(), "0.00493 m".to_owned()));
        assert_eq!(ShownLengths(None).at_least(56.2), "57 units");
    }

    #[test]
    fn a_cell_holds_one_disc_and_diagonal_cells_never_touch() {
        let square = |length: i64| length * length;
        let diameter = i64::from(2 * MIN_RADIUS);
        assert!(2 * square(i64::from(CELL) - 1) < square(diameter));
        assert!(2 * square(i64::from(CELL) + 1) >= square(diameter));
    }

    #[test]
    fn invalid_radii_are_refused() {
        for radius in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let error = Lattice::of_smallest_radius(radius).unwrap_err().to_string();
            assert!(error.starts_with("radius: ") && error.contains("above 0"), "{error}");
        }
    }
}
