//! The error of a field whose entities are moved to sampled points.

use super::gathering::Tiles;
use super::impulses::Between;
use crate::NEGATIVE_ZERO;
use crate::entities::Entity;
use crate::exponential::exponential;
use crate::grid::Grid;
use crate::profile::{Form, Profile};

/// How much a profile can change within a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Roughness {
    /// The steepest slope, per cell.
    slope: f32,
    /// The largest curvature, per square cell; infinite where slopes jump.
    bend: f32,
    /// The jump of the slope at the reach, per cell; used only together with the curvature.
    kink: f32,
    /// The sum of all jumps of the value.
    jumps: f32,
}

impl Roughness {
    /// Of the actual profile, which ends at its reach.
    pub fn of(profile: &Profile, cell: f32) -> Self {
        let reach = profile.reach() / cell;
        let straight = |slope: f32, jumps: f32| Self { slope, bend: f32::INFINITY, kink: 0.0, jumps };
        match &profile.form {
            Form::Linear => straight(1.0 / reach, 0.0),
            Form::Quadratic => straight(2.0 / reach, 0.0),
            Form::Gaussian { sigma } => {
                let sigma = sigma / cell;
                // Steepest at sigma or, if the reach is shorter, at the reach.
                let slope = |at: f32| at / (sigma * sigma) * bell(at, sigma);
                let whole = Self::of_bell(sigma);
                Self {
                    slope: slope(reach.min(sigma)),
                    kink: slope(reach.max(sigma)),
                    jumps: bell(reach, sigma),
                    ..whole
                }
            }
            Form::Piecewise(knots, _) => {
                let slope = |a: f32, b: f32, length: f32| ((b - a) / (length / cell)).abs();
                let slopes = knots.windows(2).map(|k| slope(k[0].after, k[1].before, k[1].distance - k[0].distance));
                let inner = knots.iter().rev().skip(1).map(|knot| (knot.after - knot.before).abs());
                let last = knots.last().map_or(0.0, |knot| knot.before.abs());
                straight(slopes.fold(0.0, f32::max), inner.sum::<f32>() + last)
            }
            Form::Table(values) => {
                let steps = values.windows(2).map(|pair| (pair[1] - pair[0]).abs());
                let slope = steps.fold(0.0, f32::max) * (values.len() - 1) as f32 / reach;
                straight(slope, values.last().map_or(0.0, |value| value.abs()))
            }
        }
    }

    /// Of an infinite bell. `sigma` in cells.
    pub fn of_bell(sigma: f32) -> Self {
        Self { slope: bell(sigma, sigma) / sigma, bend: 1.0 / (sigma * sigma), kink: 0.0, jumps: 0.0 }
    }

    /// The largest change of the value at a point when a charge of 1 is distributed to the sampled points around it:
    /// the mean distance of these times the slope, or half of its square times the curvature, and all jumps. 0 on a
    /// sampled point.
    pub fn loss(&self, between: &Between) -> f32 {
        let distance = between.distance();
        if distance == 0.0 {
            return 0.0;
        }
        let by_bend = self.bend * distance * distance / 2.0 + self.kink * distance;
        // Finite, so that a charge of 0 adds 0.
        (self.jumps + by_bend.min(self.slope * distance)).min(f32::MAX)
    }
}

/// `exp(-d^2 / (2 sigma^2))`.
pub(super) fn bell(distance: f32, sigma: f32) -> f32 {
    exponential(-distance * distance / (2.0 * sigma * sigma), NEGATIVE_ZERO)
}

/// The largest sum of a number over the entities that may reach one cell. Computed tile by tile, so too large rather
/// than too small. Cost: the tiles that entities touch.
pub(super) fn largest_sum(grid: &Grid, entities: &[Entity], number: impl Fn(&Entity) -> f32) -> f32 {
    let tiles = Tiles::of(grid, [super::tiles::TILE; 2]);
    let mut sums = vec![0.0f64; tiles.columns as usize * tiles.rows as usize];
    for entity in entities {
        // With a margin of a cell on all sides, so it also holds for the points around the entity.
        let Some(cells) = entity.cells(grid) else { continue };
        let number = f64::from(number(entity));
        tiles.touched(cells).for_each(|tile| sums[tile] += number);
    }
    sums.into_iter().fold(0.0, f64::max) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Knot;

    #[test]
    fn slopes_and_jumps_are_those_of_the_profile() {
        let of = |profile: Profile| {
            let Roughness { slope, jumps, .. } = Roughness::of(&profile, 0.5);
            (slope, jumps)
        };
        assert_eq!(of(Profile::linear(4.0).unwrap()), (0.125, 0.0));
        assert_eq!(of(Profile::quadratic(4.0).unwrap()), (0.25, 0.0));
        assert_eq!(of(Profile::table(4.0, &[1.0, 3.0, -2.0]).unwrap()), (1.25, 2.0));
        let jump = Knot { distance: 2.0, before: 1.0, after: -3.0 };
        let knots = Profile::piecewise(&[Knot::at(0.0, 5.0), jump, Knot::at(4.0, 0.5)]).unwrap();
        assert_eq!(of(knots), (1.0, 4.5));
        let centre = Knot { distance: 0.0, before: 6.0, after: 5.0 };
        let knots = Profile::piecewise(&[centre, jump, Knot::at(4.0, 0.5)]).unwrap();
        assert_eq!(of(knots), (1.0, 5.5));
        let (slope, jumps) = of(Profile::gaussian(1.0, 3.0).unwrap());
        assert!((slope - 0.5 * (-0.5f32).exp()).abs() < 1e-6 && (jumps - (-4.5f32).exp()).abs() < 1e-6);
    }

    #[test]
    fn a_point_without_extent_spoils_no_bound() {
        let grid = Grid::new([0.0, 0.0], 1.0, 8, 8).unwrap();
        let rough = Roughness::of(&Profile::linear(1e-39).unwrap(), 1.0);
        let between = |x: f32| Between::of(&grid, &Entity::new([x, 4.5], Profile::linear(1.0).unwrap()));
        assert_eq!([rough.loss(&between(3.5)), rough.loss(&between(3.7))], [0.0, f32::MAX]);
    }

    #[test]
    fn sums_are_taken_where_entities_meet() {
        let grid = Grid::new([0.0, 0.0], 1.0, 320, 320).unwrap();
        let at = |x: f32| Entity::new([x, 50.0], Profile::linear(5.0).unwrap());
        let charges = |xs: &[f32]| {
            let entities: Vec<Entity> = xs.iter().map(|&x| at(x)).collect();
            largest_sum(&grid, &entities, |entity| entity.charge)
        };
        assert_eq!((charges(&[]), charges(&[50.0, 52.0, 250.0])), (0.0, 2.0));
        assert_eq!(charges(&[-100.0, 500.0]), 0.0);
    }
}
