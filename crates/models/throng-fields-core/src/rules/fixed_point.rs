//! Entities in fixed point: their contribution to a cell is an integer number of steps, the same on every executor.
//!
//! The code uses only operations with the same result on every processor: sums and products that are rounded
//! separately, integers, and a root that is corrected to be exact. A distance is an integer number of units, and the
//! reach has at least 16,384 of them. Positions are in double precision, stored as two single-precision numbers.

use throng_core::InputError;
use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_pictures::Grid;

use crate::NEGATIVE_ZERO;
use crate::entities::Entity;
use crate::placed::{Placed, split};
use crate::profile::{Form, Profile};
use crate::resolved_shape::{Distance, Reading, ResolvedShape};
use crate::rules::distance::turned;
use crate::rules::fall::Fall;
use crate::rules::ring;
use crate::rules::ring::Ring;
use crate::shape::Shape;

/// Maximum number of units of a distance: its square fits into 32 bits.
const MAX_UNITS: f32 = 32_768.0;
/// Minimum number of units of a reach.
const MIN_UNITS: f32 = 16_384.0;
/// Standard deviations beyond which a bell is 0 in fixed point: its exponent is below the minimum exponent.
const BELL_SIGMAS: f32 = 14.0;

/// An entity in fixed point on a grid. Its profile is in steps and units of distance, everything else in cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Stepped {
    pub placed: Placed,
    /// The remainder of the position in double precision.
    pub low: [f32; 2],
    /// Units of distance per cell, a power of two.
    pub units: f32,
    /// The exact form of a ring.
    pub ring: Option<Ring>,
}

impl Stepped {
    /// Converts an entity; `step` is the value of one step.
    pub fn new(grid: &Grid, entity: &Entity, step: f32) -> Self {
        let mut placed = Placed::new(grid, &Entity { charge: entity.charge / step, ..entity.clone() });
        let cell = f64::from(grid.cell());
        placed.reach = reach_in_fixed_point(&entity.profile) / grid.cell();
        let at = grid.in_samples(entity.position);
        let ring = entity.circle_radius();
        let ring = ring.map(|radius| Ring::new(at, f64::from(radius) / cell, f64::from(placed.reach)));
        let units = ring.map_or_else(|| units(placed.reach), |ring| ring.units as f32);
        placed.fall = in_units(placed.fall, units);
        Self { placed, low: split(at).1, units, ring }
    }

    /// Returns the contribution of the entity to a cell, in steps.
    pub fn steps(&self, column: u32, row: u32) -> i32 {
        let Placed { position, turn, figure, charge, reach, fall } = &self.placed;
        let [across, down] =
            [offset(column as f32, position[0], self.low[0]), offset(row as f32, position[1], self.low[1])];
        let own = match turn {
            Some([sin, cos]) => turned(across, down, *sin, *cos, NEGATIVE_ZERO).into(),
            None => [across, down],
        };
        if let ResolvedShape::Stamp(stamp) = figure {
            return nearest(charge * stamp.value(own));
        }
        let felt = match &self.ring {
            Some(ring) => self.ring_distance(ring, column, row),
            None => self.distance(figure, *reach, own),
        };
        felt.map_or(0, |far| nearest(fall.charge(far)))
    }

    /// The distance, in units, and its square, in cells, if it is within reach.
    fn distance(&self, figure: &ResolvedShape<'_>, reach: f32, own: [f32; 2]) -> Option<Distance> {
        let Reading::Distance(Distance { square, .. }) = figure.evaluate(own) else { return None };
        (square < reach * reach).then(|| Distance { distance: root(square, self.units), square })
    }

    /// The same as [`Self::distance`], for rings.
    fn ring_distance(&self, ring: &Ring, column: u32, row: u32) -> Option<Distance> {
        let units = ring.distance(column, row);
        (units < ring.reach).then(|| {
            let distance = units as f32;
            let cells = distance * (1.0 / self.units);
            Distance { distance, square: cells * cells }
        })
    }
}

/// The distance at which the value becomes 0 in fixed point, world units. The units of rings are chosen to resolve the
/// distances up to it.
pub fn reach_in_fixed_point(profile: &Profile) -> f32 {
    match profile.form {
        Form::Gaussian { sigma } => profile.reach().min(BELL_SIGMAS * sigma),
        _ => profile.reach(),
    }
}

/// Rejects entities that units of distance cannot resolve: profile pieces shorter than a unit, and some rings.
pub fn check(grid: &Grid, entity: &Entity) -> Result<(), InputError> {
    ring::check(grid, entity, reach_in_fixed_point(&entity.profile))?;
    let Entity { profile, shape, .. } = entity;
    let in_pieces = matches!(profile.form, Form::Piecewise(..) | Form::Table(_)) && !matches!(shape, Shape::Stamp(_));
    let least = profile.reach() / MIN_UNITS;
    // A table may have as many pieces as there are units, and the length of a piece is rounded.
    if in_pieces && profile.shortest() < 0.999 * least {
        let remedy = format!("in fixed point the minimum is a 16,384th of the reach, {least}");
        return Err(InputError::one("profile, shortest piece", profile.shortest(), remedy));
    }
    Ok(())
}

/// Returns the units of distance per cell, a power of two, for distances shorter than `farthest` cells.
pub fn units(farthest: f32) -> f32 {
    // Clearing the mantissa of a float rounds it down to a power of two.
    f32::from_bits((MAX_UNITS / farthest).to_bits() & 0x7F80_0000)
}

/// Offset of a sampled point from a position along one axis; the position in double precision is `at + low`.
#[cube]
#[inline(always)]
pub fn offset(point: f32, at: f32, low: f32) -> f32 {
    point - at - low
}

/// Converts a sum of steps to its value.
#[cube]
#[inline(always)]
pub fn value(steps: i32, step: f32) -> f32 {
    steps as f32 * step
}

// The next two functions have the same results on the host and on devices, but separate implementations. On the host
// they take most of the time of a field, and compilers vectorise them only without conversions to integers. Devices
// convert as fast as they add, but their roots may be off by one in either direction.

/// The root of a square in cells, in units, rounded down. Undefined for squares beyond the maximum distance.
#[inline(always)]
pub fn root(square: f32, units: f32) -> f32 {
    // Below 2^30. Rounding the square down first gives the same root, rounded down.
    let square = square * units * units;
    // Exact or too large by one: too large only if the root was rounded up to the next integer.
    let root = square.sqrt().floor();
    // The square minus the square of the root, in terms that floats represent exactly.
    let high = (root * (1.0 / 256.0)).floor() * 256.0;
    let low = root - high;
    let more = (square - high * high) - (high + high + low) * low;
    root - if more < 0.0 { 1.0 } else { 0.0 }
}

/// The nearest integer; halves are rounded up. For numbers that fit into 32 bits.
#[inline(always)]
pub fn nearest(value: f32) -> i32 {
    let value = (value + 0.5).floor();
    // In two halves, each small enough that the last bits of the float represent an integer.
    let high = (value * (1.0 / 65_536.0)).floor();
    let low = value - high * 65_536.0;
    let whole = |part: f32| ((part + 12_582_912.0).to_bits() as i32).wrapping_sub(0x4B40_0000);
    (whole(high) << 16).wrapping_add(whole(low))
}

#[cfg(feature = "gpu")]
pub mod root {
    use throng_device::cubecl;
    use throng_device::cubecl::prelude::*;

    use super::whole_root;

    #[cube]
    fn on_devices(square: f32, units: f32) -> f32 {
        whole_root((square * units * units) as u32) as f32
    }

    pub fn expand(scope: &mut Scope, square: NativeExpand<f32>, units: NativeExpand<f32>) -> NativeExpand<f32> {
        on_devices::expand(scope, square, units)
    }
}

#[cfg(feature = "gpu")]
pub mod nearest {
    use throng_device::cubecl;
    use throng_device::cubecl::prelude::*;

    #[cube]
    fn on_devices(value: f32) -> i32 {
        (value + 0.5f32).floor() as i32
    }

    pub fn expand(scope: &mut Scope, value: NativeExpand<f32>) -> NativeExpand<i32> {
        on_devices::expand(scope, value)
    }
}

/// The root of a number below 2^31, rounded down, independent of how the device computes roots.
#[cube]
#[inline(always)]
pub fn whole_root(square: u32) -> u32 {
    let mut root = (square as f32).sqrt() as u32;
    if root * root > square {
        root -= 1;
    }
    if (root + 1) * (root + 1) <= square {
        root += 1;
    }
    root
}

/// Converts a profile from cells to units.
fn in_units(fall: Fall, units: f32) -> Fall {
    match fall {
        Fall::Linear { charge, slope } => Fall::Linear { charge, slope: slope / units },
        // Squares stay in cells.
        Fall::Quadratic { .. } | Fall::Gaussian { .. } => fall,
        Fall::Piecewise { charge, pieces, per_cell } => Fall::Piecewise { charge, pieces, per_cell: per_cell / units },
        Fall::Table { charge, values, per_cell } => Fall::Table { charge, values, per_cell: per_cell / units },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_of_whole_numbers_are_rounded_down() {
        for root in 0..46_341u32 {
            for square in [root * root, (root * root).saturating_sub(1), root * root + root, root * root + 2 * root] {
                assert_eq!(whole_root(square), square.isqrt(), "{square}");
            }
        }
        assert_eq!(whole_root((1 << 31) - 1), 46_340);
    }

    #[test]
    fn roots_are_rounded_down() {
        let check = |square: f32, units: f32| {
            let whole = (square * units * units) as u32;
            assert_eq!(root(square, units), f64::from(whole).sqrt().floor() as f32, "{square} {units}");
        };
        for whole in 0..32_768u32 {
            let square = (whole * whole) as f32;
            for square in [square, square.next_down().max(0.0), square.next_up()] {
                check(square, 1.0);
                check(square / 4096.0, 64.0);
            }
        }
        for i in 0..1u32 << 20 {
            check((i * 1023) as f32 * (1.0 / 1_048_576.0), 512.0);
        }
    }

    #[test]
    fn nearest_integers_are_rounded_half_up() {
        let halves = (-40_000..40_000).map(|i| i as f32 * 0.25);
        for value in halves.clone().chain(halves.map(|value| value * 65_536.5)).chain([
            -0.0,
            1e-30,
            -1e-30,
            2_147_483_520.0,
            -2_147_483_648.0,
        ]) {
            assert_eq!(nearest(value), (value + 0.5).floor() as i32, "{value}");
        }
    }
}

#[cfg(all(test, feature = "gpu"))]
mod on_devices {
    use throng_testing_devices::same_on_devices;

    use super::*;
    use crate::rule_tables::{finite_numbers, words};

    same_on_devices! {
        fn offsets(point: u32, at: f32, low: f32) -> f32 { offset(point as f32, at, low) }
        for finite_numbers().zip(words([1 << 24])).map(|([at, low], [point])| (point, at, low * f32::EPSILON))
    }

    same_on_devices!(fn values(steps: u32, step: f32) -> f32 { value(steps as i32, step) } for words([u32::MAX, 25]).map(|[steps, bits]| {
        (steps, 1.0 / (1u32 << bits) as f32)
    }));

    /// Squares in cells and powers of two with a product below 2^30: random ones, and those around squares of integers.
    fn squares() -> impl Iterator<Item = (f32, f32)> {
        words([1 << 30, 1 << 15, 15]).flat_map(|[any, root, bits]| {
            let units = (1u32 << bits) as f32;
            let exact = (root * root) as f32;
            [any as f32, exact, exact.next_down().max(0.0), exact.next_up()]
                .map(|square| (square / units / units, units))
        })
    }

    same_on_devices!(fn roots(square: f32, units: f32) -> f32 { root(square, units) } for squares());
    same_on_devices!(fn whole_roots(square: u32) -> u32 { whole_root(square) } for words([1 << 31]).map(|[square]| (square,)));

    /// Whole and half steps, and values in between.
    fn steps() -> impl Iterator<Item = (f32,)> {
        words([u32::MAX])
            .flat_map(|[word]| {
                let whole = word as i32 as f32;
                [
                    whole,
                    whole / 256.0,
                    whole / 2.0,
                    (whole / 2.0).next_up(),
                    (whole / 2.0).next_down(),
                    whole / 65_536.5,
                ]
            })
            .chain([-0.0, 0.499_999_97, -0.5, 2_147_483_520.0, -2_147_483_648.0])
            .map(|value| (value,))
    }

    same_on_devices!(fn whole_steps(value: f32) -> i32 { nearest(value) } for steps());
}
