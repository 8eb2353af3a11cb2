//! Profiles: functions by which the strength of an entity falls off with distance.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use throng_core::InputError;
use throng_core::checks::{finite, not_negative, positive};

use crate::NEGATIVE_ZERO;
use crate::rules::exponential::exponential;
use crate::rules::pieces::{Piece, Pieces};
use crate::saved::SavedProfile;

/// A knot of a piecewise linear profile. Its two values differ where the profile jumps.
///
/// ```
/// use throng_fields_core::{Knot, Profile};
///
/// // Safe up to a distance of 2, dangerous beyond it, and less so with growing distance.
/// let tower = Profile::piecewise(&[
///     Knot::at(0.0, 0.0),
///     Knot { distance: 2.0, before: 0.0, after: -1.0 },
///     Knot::at(6.0, 0.0),
/// ])?;
/// assert_eq!([1.0, 2.0, 3.0, 6.0].map(|distance| tower.value(distance)), [0.0, 0.0, -0.75, 0.0]);
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Knot {
    /// Distance, world units.
    pub distance: f32,
    /// The limit of the profile from below, which also applies at this distance itself.
    pub before: f32,
    /// The value just beyond this distance.
    pub after: f32,
}

impl Knot {
    /// Creates a knot without a jump.
    pub fn at(distance: f32, value: f32) -> Self {
        Self { distance, before: value, after: value }
    }
}

/// Strength as a function of distance, created by one of the functions below. It is 0 at [`Profile::reach`] and beyond.
///
/// ```
/// use throng_fields_core::{Knot, Profile};
///
/// assert_eq!(Profile::linear(10.0)?.value(2.5), 0.75);
/// assert_eq!(Profile::quadratic(10.0)?.value(5.0), 0.75);
/// // The enemy base of Hagelbäck's bot, as printed by Elmir (figure 2.2).
/// let base = Profile::piecewise(&[
///     Knot::at(0.0, -37.5),
///     Knot { distance: 4.0, before: -16.5, after: -11.0 },
///     Knot::at(50.0 / 7.0, 0.0),
/// ])?;
/// assert_eq!((base.value(4.0), base.value(4.5)), (-16.5, -9.25));
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SavedProfile", into = "SavedProfile")]
pub struct Profile {
    pub form: Form,
    reach: f32,
}

/// The formula of a profile.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// `1 - d / reach`.
    Linear,
    /// `1 - d^2 / reach^2`.
    Quadratic,
    /// `exp(-d^2 / (2 sigma^2))`.
    Gaussian { sigma: f32 },
    /// Linear between knots; given as knots and as pieces.
    Piecewise(Vec<Knot>, Arc<Pieces>),
    /// Linear between equidistant values, the first at distance 0 and the last at the reach.
    Table(Arc<[f32]>),
}

impl Piece {
    fn between(a: Knot, b: Knot) -> Self {
        let slope = (b.before - a.after) / (b.distance - a.distance);
        Self { from: a.distance, value: a.after, slope }
    }
}

impl Profile {
    /// Returns a profile that is 0 everywhere, for entities whose effect does not come from a profile.
    pub fn nothing() -> Self {
        Self { form: Form::Linear, reach: 0.0 }
    }

    /// Creates a profile that falls linearly from 1 at the centre to 0 at `radius`: the benchmark circle of Elmir's
    /// thesis as Throng defines it, because the thesis does not print its formula.
    ///
    /// # Errors
    /// If the radius is not a positive number.
    pub fn linear(radius: f32) -> Result<Self, InputError> {
        Ok(Self { form: Form::Linear, reach: positive("profile, radius", radius)? })
    }

    /// Creates a profile that falls with the square of the distance from 1 at the centre to 0 at `radius`; needs no
    /// square root.
    ///
    /// # Errors
    /// If the radius is not a positive number.
    pub fn quadratic(radius: f32) -> Result<Self, InputError> {
        Ok(Self { form: Form::Quadratic, reach: positive("profile, radius", radius)? })
    }

    /// Creates a bell curve with standard deviation `sigma`, cut off at `radius`.
    ///
    /// # Errors
    /// If one of the numbers is not positive and finite.
    pub fn gaussian(sigma: f32, radius: f32) -> Result<Self, InputError> {
        let form = Form::Gaussian { sigma: positive("profile, sigma", sigma)? };
        Ok(Self { form, reach: positive("profile, radius", radius)? })
    }

    /// Creates a profile of straight lines between knots, with jumps where a knot has two values. At a knot, its
    /// `before` value applies. The first knot is at distance 0 and the last one at the reach. At distance 0, which
    /// includes the inside of a box, the `before` value of the first knot applies; at the reach the value is 0.
    ///
    /// # Errors
    /// If there are fewer than two knots, distances do not increase from 0, or a number is not finite.
    pub fn piecewise(knots: &[Knot]) -> Result<Self, InputError> {
        let [first, .., last] = knots else {
            return Err(InputError::one("profile, knots", knots.len(), "expected at least two"));
        };
        for (i, knot) in knots.iter().enumerate() {
            let place = |what| format!("profile, knot {}, {what}", i + 1);
            not_negative(&place("distance"), knot.distance)?;
            finite(&place("value before"), knot.before)?;
            finite(&place("value after"), knot.after)?;
            if i > 0 && knot.distance <= knots[i - 1].distance {
                let remedy = format!("expected more than {}, the distance of the previous knot", knots[i - 1].distance);
                return Err(InputError::one(place("distance"), knot.distance, remedy));
            }
        }
        if first.distance != 0.0 {
            return Err(InputError::one("profile, knot 1, distance", first.distance, "expected 0"));
        }
        // At distance 0, which includes all points inside a box, the value before a jump applies.
        let centre = (first.before != first.after).then_some(Piece { from: 0.0, value: first.before, slope: 0.0 });
        let between = knots.windows(2).map(|pair| Piece::between(pair[0], pair[1]));
        let pieces = Pieces::new(centre.into_iter().chain(between).collect(), last.distance);
        Ok(Self { reach: last.distance, form: Form::Piecewise(knots.to_vec(), Arc::new(pieces)) })
    }

    /// Creates a profile from equidistant values from 0 to `radius`, with linear interpolation.
    ///
    /// # Errors
    /// If there are fewer than two values, one is not finite, or the radius is not positive and finite.
    pub fn table(radius: f32, values: &[f32]) -> Result<Self, InputError> {
        if values.len() < 2 {
            return Err(InputError::one("profile, table", format!("{} values", values.len()), "expected at least two"));
        }
        for (i, &value) in values.iter().enumerate() {
            finite(&format!("profile, value {} of the table", i + 1), value)?;
        }
        Ok(Self { form: Form::Table(values.into()), reach: positive("profile, radius", radius)? })
    }

    /// The distance at which the value becomes 0, world units.
    pub fn reach(&self) -> f32 {
        self.reach
    }

    /// Returns the value at a distance >= 0.
    pub fn value(&self, distance: f32) -> f32 {
        self.value_of_square(distance * distance, distance)
    }

    /// Returns the value at a distance whose square is also known, computed with the formulas as written, including
    /// divisions. On grids, [`Fall`](crate::rules::fall::Fall) evaluates every cell with precomputed quotients.
    pub fn value_of_square(&self, square: f32, distance: f32) -> f32 {
        if distance >= self.reach || distance.is_nan() {
            return 0.0;
        }
        match &self.form {
            Form::Linear => 1.0 - distance / self.reach,
            Form::Quadratic => 1.0 - square / (self.reach * self.reach),
            Form::Gaussian { sigma } => exponential(-square / (2.0 * sigma * sigma), NEGATIVE_ZERO),
            Form::Piecewise(knots, _) => {
                let next = knots.partition_point(|knot| knot.distance < distance);
                if next == 0 {
                    return knots[0].before;
                }
                let (a, b) = (knots[next - 1], knots[next]);
                a.after + (b.before - a.after) * ((distance - a.distance) / (b.distance - a.distance))
            }
            Form::Table(values) => {
                let place = distance / self.reach * (values.len() - 1) as f32;
                let i = (place as usize).min(values.len() - 2);
                values[i] + (values[i + 1] - values[i]) * (place - i as f32)
            }
        }
    }

    /// The shortest length by which the formula divides.
    pub fn shortest(&self) -> f32 {
        match &self.form {
            Form::Linear | Form::Quadratic => self.reach,
            Form::Gaussian { sigma } => self.reach.min(*sigma),
            Form::Piecewise(knots, _) => {
                knots.windows(2).map(|pair| pair[1].distance - pair[0].distance).fold(f32::INFINITY, f32::min)
            }
            Form::Table(values) => self.reach / (values.len() - 1) as f32,
        }
    }

    /// The largest absolute value.
    pub fn largest(&self) -> f32 {
        match &self.form {
            Form::Linear | Form::Quadratic | Form::Gaussian { .. } => 1.0,
            Form::Piecewise(knots, _) => {
                knots.iter().flat_map(|knot| [knot.before, knot.after]).map(f32::abs).fold(0.0, f32::max)
            }
            Form::Table(values) => values.iter().copied().map(f32::abs).fold(0.0, f32::max),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_are_zero_beyond_their_reach() {
        let table = Profile::table(4.0, &[2.0, 1.0, 3.0]).unwrap();
        for profile in [
            Profile::linear(4.0).unwrap(),
            Profile::quadratic(4.0).unwrap(),
            Profile::gaussian(1.0, 4.0).unwrap(),
            Profile::piecewise(&[Knot::at(0.0, 5.0), Knot::at(4.0, 5.0)]).unwrap(),
            table.clone(),
        ] {
            assert_eq!(profile.reach(), 4.0);
            assert!(profile.value(3.999) != 0.0, "{profile:?}");
            for beyond in [4.0, 4.001, 1e30, f32::INFINITY, f32::NAN] {
                assert_eq!(profile.value(beyond), 0.0, "{profile:?} at {beyond}");
            }
        }
        assert_eq!([0.0, 1.0, 2.0, 3.0].map(|d| table.value(d)), [2.0, 1.5, 1.0, 2.0]);
        assert_eq!(table.largest(), 3.0);
    }

    #[test]
    fn the_published_example_jumps_at_4() {
        let base = Profile::piecewise(&[
            Knot::at(0.0, -37.5),
            Knot { distance: 4.0, before: -16.5, after: -11.0 },
            Knot::at(50.0 / 7.0, 0.0),
        ])
        .unwrap();
        for d in [0.0f32, 1.0, 3.5, 4.0] {
            assert!((base.value(d) - (5.25 * d - 37.5)).abs() < 1e-5, "{d}");
        }
        for d in [4.001f32, 5.0, 7.0] {
            assert!((base.value(d) - (3.5 * d - 25.0)).abs() < 1e-5, "{d}");
        }
        assert_eq!(base.largest(), 37.5);
    }

    #[test]
    fn invalid_profiles_are_refused_with_the_parameter() {
        for radius in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert_eq!(Profile::linear(radius).unwrap_err().place(), "profile, radius");
            assert_eq!(Profile::gaussian(radius, 1.0).unwrap_err().place(), "profile, sigma");
        }
        let place = |knots: &[Knot]| Profile::piecewise(knots).unwrap_err().place().to_owned();
        assert_eq!(place(&[Knot::at(0.0, 1.0)]), "profile, knots");
        assert_eq!(place(&[Knot::at(1.0, 1.0), Knot::at(2.0, 0.0)]), "profile, knot 1, distance");
        assert_eq!(place(&[Knot::at(0.0, 1.0), Knot::at(3.0, 1.0), Knot::at(2.0, 0.0)]), "profile, knot 3, distance");
        assert_eq!(place(&[Knot::at(0.0, f32::NAN), Knot::at(2.0, 0.0)]), "profile, knot 1, value before");
        assert_eq!(Profile::table(1.0, &[1.0]).unwrap_err().place(), "profile, table");
        assert_eq!(Profile::table(1.0, &[1.0, f32::NAN]).unwrap_err().place(), "profile, value 2 of the table");
    }
}
