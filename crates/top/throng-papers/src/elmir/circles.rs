//! Circles, and the naive program of the thesis.

use throng_fields::Entity;
use throng_fields::Field;
use throng_fields::Grid;
use throng_fields::InputError;
use throng_fields::Profile;

/// The benchmark of the thesis: circles of equal radius in a world of 256 x 256 units.
#[derive(Debug, Clone, PartialEq)]
pub struct Circles {
    grid: Grid,
    /// Radius in world units.
    radius: f32,
    /// Centres, world units.
    centres: Vec<[f32; 2]>,
}

/// Side length of the world, units. The thesis mentions it only in passing, but its times agree with it.
pub const WORLD: f32 = 256.0;

impl Circles {
    /// Places circles on a grid of `resolution` x `resolution` cells.
    ///
    /// # Errors
    /// If a coordinate is not finite, the radius is not finite and positive, or there are no cells.
    pub fn new(resolution: u32, radius: f32, centres: Vec<[f32; 2]>) -> Result<Self, InputError> {
        for (i, centre) in centres.iter().enumerate() {
            for (axis, at) in ["x", "y"].into_iter().zip(centre) {
                if !at.is_finite() {
                    return Err(InputError::one(format!("circle {i}, {axis}"), at, "expected a finite number"));
                }
            }
        }
        if !(radius.is_finite() && radius > 0.0) {
            return Err(InputError::one("radius", radius, "expected a finite number above 0"));
        }
        Ok(Self { grid: Grid::of_thesis(WORLD, resolution)?, radius, centres })
    }

    /// The cells of the field.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Radius of all circles, world units.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// Centres, world units.
    pub fn centres(&self) -> &[[f32; 2]] {
        &self.centres
    }

    /// The circles as entities.
    ///
    /// # Errors
    /// Does not occur for a valid `Circles`.
    pub fn entities(&self) -> Result<Vec<Entity>, InputError> {
        let profile = Profile::linear(self.radius)?;
        Ok(self.centres.iter().map(|&centre| Entity::new(centre, profile.clone())).collect())
    }

    /// Algorithm 1: every cell reads every circle.
    pub fn naive(&self) -> Field {
        let charge_at = |point: [f32; 2]| {
            self.centres.iter().fold(0.0, |sum, centre| sum + self.charge([point[0] - centre[0], point[1] - centre[1]]))
        };
        let cells = (0..self.grid.rows()).flat_map(|row| (0..self.grid.columns()).map(move |column| (column, row)));
        Field::new(
            self.grid,
            cells.map(|(column, row)| charge_at(self.grid.point(column, row).map(|at| at as f32))).collect(),
        )
    }

    /// The charge of a circle at this offset from its centre.
    pub(super) fn charge(&self, [x, y]: [f32; 2]) -> f32 {
        let square = x * x + y * y;
        if square < self.radius * self.radius { 1.0 - square.sqrt() / self.radius } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_fields::creation;

    /// Circles scattered by a fixed rule; if `on_cells`, at cell corners of a grid with a resolution of 256.
    fn circles(resolution: u32, radius: f32, on_cells: bool) -> Circles {
        let at = |i: u32, k: u32| {
            let coordinate = (i * k % 1009) as f32 / 1009.0 * 300.0 - 20.0;
            if on_cells { coordinate.round() } else { coordinate }
        };
        Circles::new(resolution, radius, (1..60).map(|i| [at(i, 367), at(i, 593)]).collect()).unwrap()
    }

    #[test]
    fn both_programs_and_ours_agree_where_circles_are_on_cells() {
        for resolution in [256, 512] {
            let circles = circles(resolution, 15.0, true);
            let naive = circles.naive();
            // The thesis divides and truncates, which gives a different cell for negative coordinates.
            let inside = circles.centres.iter().copied().filter(|c| c[0] >= 0.0 && c[1] >= 0.0).collect();
            let inside = Circles::new(resolution, 15.0, inside).unwrap();
            assert!(inside.memory_copy().largest_difference(&inside.naive()).unwrap() < 1e-4);
            let ours = creation::by_tiles(&circles.grid, &circles.entities().unwrap()).unwrap();
            assert!(ours.largest_difference(&naive).unwrap() < 1e-4);
        }
    }

    #[test]
    fn the_error_of_a_copy_between_cells_is_bounded_by_the_slope() {
        let circles = circles(256, 8.0, false);
        let overlapping = 6.0;
        let bound = overlapping * (1.0 / 8.0) * std::f32::consts::SQRT_2;
        let difference = circles.memory_copy().largest_difference(&circles.naive()).unwrap();
        assert!(difference > 0.01 && difference < bound, "{difference}");
    }
}
