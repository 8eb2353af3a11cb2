//! The outline of the city: centres, density, river.

use throng_core::Philox;

use super::draws::{Draws, Purpose};

/// A centre and its surroundings. Lengths are in metres.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Centre {
    pub(crate) x: f64,
    pub(crate) y: f64,
    /// Density in its middle, relative to the main centre.
    weight: f64,
    /// Distance at which the density has fallen to 1/e.
    reach: f64,
}

/// The density of the city, and its boundary.
#[derive(Debug, Clone)]
pub(crate) struct Shape {
    /// The length that scales with the city, metres: about the distance from the main centre to the outermost houses.
    pub(crate) radius: f64,
    pub(crate) centres: Vec<Centre>,
    river_phase: f64,
}

/// Level of points outside the city, where no streets are built.
pub(crate) const OUTSIDE: u32 = 4;

impl Shape {
    pub(crate) fn new(philox: Philox, centres: u32, radius: f64) -> Self {
        let main = Centre { x: 0.0, y: 0.0, weight: 1.0, reach: 0.3 * radius };
        let around = centres.saturating_sub(1);
        let turn = Draws::new(philox, 0, 0).unit(Purpose::Centre, 0);
        let smaller = (0..around).map(|i| {
            let draws = Draws::new(philox, i + 1, 0);
            let place = f64::from(i) + turn + draws.between(Purpose::Centre, 1, -0.25, 0.25);
            let (sin, cos) = libm::sincos(std::f64::consts::TAU * place / f64::from(around));
            let distance = radius * draws.between(Purpose::Centre, 2, 0.45, 0.8);
            let weight = draws.between(Purpose::Centre, 3, 0.35, 0.65);
            let reach = radius * draws.between(Purpose::Centre, 4, 0.08, 0.14);
            Centre { x: cos * distance, y: sin * distance, weight, reach }
        });
        let centres = std::iter::once(main).chain(smaller).collect();
        let river_phase = std::f64::consts::TAU * Draws::new(philox, 0, 0).unit(Purpose::Centre, 5);
        Self { radius, centres, river_phase }
    }

    /// Returns the density of inhabitants, relative to the middle of the main centre.
    pub(crate) fn density(&self, x: f64, y: f64) -> f64 {
        self.falling(x, y, 1.0)
    }

    /// Returns the density of jobs and shops. It grows less than proportionally to that of the inhabitants: with more
    /// jobs in the very middle, all roads there would jam every evening when everyone leaves.
    pub(crate) fn business(&self, x: f64, y: f64) -> f64 {
        let density = 0.35 * self.falling(x, y, 0.7) + 0.65 * self.falling(x, y, 1.0);
        density / (1.0 + density)
    }

    fn falling(&self, x: f64, y: f64, steepness: f64) -> f64 {
        let share = |c: &Centre| libm::exp(-libm::hypot(x - c.x, y - c.y) / (c.reach * steepness));
        self.centres.iter().map(|c| c.weight * share(c)).sum()
    }

    /// Returns the coarseness of the streets: at level n only every 2^n-th line of the lattice is a street.
    pub(crate) fn street_level(&self, x: f64, y: f64) -> u32 {
        let density = self.density(x, y);
        [0.28, 0.13, 0.06, 0.028].iter().position(|&least| density > least).map_or(OUTSIDE, |level| level as u32)
    }

    /// Returns the maximum distance of streets from the main centre along either axis, metres.
    pub(crate) fn extent(&self) -> f64 {
        // The density falls to 0.028 at 3.58 reaches of the main centre, and the smaller centres add a little.
        1.25 * self.radius
    }

    /// Whether a point is on the north bank of the river, which winds from west to east, just north of the main centre.
    pub(crate) fn north_of_river(&self, x: f64, y: f64) -> bool {
        let r = self.radius;
        y > r * (0.07 + 0.06 * libm::sin(5.0 * x / r + self.river_phase) + 0.04 * libm::sin(2.0 * x / r))
    }
}
