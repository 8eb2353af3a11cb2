//! The inflation layer: costs that decay with the distance from obstacles.
//!
//! Distances are those between centres of cells, to the nearest obstacle. Nav2 before Lyrical propagates from cell to
//! cell, and in rare cases slightly misses the nearest obstacle.

use multiversion::multiversion;
use rayon::prelude::*;
use throng_core::InputError;

use super::{FREE_SPACE, INSCRIBED_INFLATED_OBSTACLE, LETHAL_OBSTACLE, NO_INFORMATION, RosDistro};

/// The parameters of an inflation layer, with Nav2's names.
///
/// ```
/// use throng_nav2::{Inflation, LETHAL_OBSTACLE};
///
/// let layer = Inflation { resolution: 0.05, inflation_radius: 0.55, inscribed_radius: 0.2, ..Inflation::default() };
/// let mut costs = vec![0u8; 40 * 1];
/// costs[0] = LETHAL_OBSTACLE;
/// let inflated = layer.inflate(&costs, 40)?;
/// // 0.2 m away still inscribed, 0.25 m away 252 exp(-10 (0.25 - 0.2)), nothing beyond 0.55 m.
/// assert_eq!((inflated[4], inflated[5], inflated[11], inflated[12]), (253, 152, 7, 0));
/// # Ok::<(), throng_core::InputError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inflation {
    /// Side length of a cell, metres. Nav2 receives the resolution of a map in single precision: a map with 0.02 m has
    /// cells of `f64::from(0.02_f32)`, slightly less, so that an inflation radius of 0.5 m covers 26 of them, not 25.
    pub resolution: f64,
    /// Distance from obstacles up to which there are costs, metres; rounded up to an integer number of cells. 0
    /// disables inflation.
    pub inflation_radius: f64,
    /// Radius of the largest circle inside the robot's padded [`Footprint`](super::Footprint), metres.
    pub inscribed_radius: f64,
    /// Rate at which costs decay, per metre.
    pub cost_scaling_factor: f64,
    /// Whether unknown cells take any cost above 0; if not, they only take costs of 253 and 254.
    pub inflate_unknown: bool,
    /// Whether unknown cells count as obstacles.
    pub inflate_around_unknown: bool,
    /// The ROS 2 distribution whose inflation layer is reproduced.
    pub ros_distro: RosDistro,
}

impl Default for Inflation {
    /// Nav2's defaults; resolution and footprint are taken from its examples.
    fn default() -> Self {
        Self {
            resolution: 0.05,
            inflation_radius: 0.55,
            inscribed_radius: 0.22,
            cost_scaling_factor: 10.0,
            inflate_unknown: false,
            inflate_around_unknown: false,
            ros_distro: RosDistro::default(),
        }
    }
}

impl Inflation {
    fn check(&self) -> Result<(), InputError> {
        let Self { resolution, inflation_radius, inscribed_radius, cost_scaling_factor, .. } = *self;
        if !(resolution.is_finite() && resolution > 0.0) {
            let remedy = "expected a finite number above 0";
            return Err(InputError::one("inflation, resolution", format!("{resolution:?}"), remedy));
        }
        for (key, number) in [
            ("inflation_radius", inflation_radius),
            ("inscribed_radius", inscribed_radius),
            ("cost_scaling_factor", cost_scaling_factor),
        ] {
            if !(number.is_finite() && number >= 0.0) {
                let remedy = "expected a finite number, 0 or more";
                return Err(InputError::one(format!("inflation, {key}"), format!("{number:?}"), remedy));
            }
        }
        if inflation_radius / resolution > MAX_RADIUS {
            let remedy = format!("at most {MAX_RADIUS} cells of {resolution:?}: use a smaller radius or larger cells");
            return Err(InputError::one("inflation, inflation_radius", format!("{inflation_radius:?}"), remedy));
        }
        Ok(())
    }

    /// Returns the cost at a distance in cells from the nearest obstacle, ignoring the inflation radius. The cost at
    /// distance 0 is lethal; negative distances count as within the inscribed radius, and NaN as infinitely far away,
    /// where the cost is 0.
    ///
    /// ```
    /// use throng_nav2::Inflation;
    ///
    /// let default = Inflation::default();
    /// let layer = Inflation { resolution: 0.5, inscribed_radius: 1.0, cost_scaling_factor: 2.0, ..default };
    /// // Two cells are one metre; 1.5 metres are half a metre beyond: 252 exp(-2 (1.5 - 1)).
    /// assert_eq!([0.0, 2.0, 3.0, 100.0].map(|cells| layer.cost(cells)), [254, 253, 92, 0]);
    /// assert_eq!([-1.0, f64::NAN].map(|cells| layer.cost(cells)), [253, 0]);
    /// ```
    pub fn cost(&self, distance_cells: f64) -> u8 {
        if distance_cells == 0.0 {
            return LETHAL_OBSTACLE;
        }
        let distance = distance_cells * self.resolution;
        if distance <= self.inscribed_radius {
            return INSCRIBED_INFLATED_OBSTACLE;
        }
        let factor = libm::exp(-self.cost_scaling_factor * (distance - self.inscribed_radius));
        // Truncated, as by a cast in C++.
        (f64::from(INSCRIBED_INFLATED_OBSTACLE - 1) * factor) as u8
    }

    /// The distance, in cells, at which Nav2 evaluates the cost for the square of a distance. Since Lyrical, Nav2
    /// computes distances in single precision and rounds them to hundredths of a cell.
    fn tabulated_distance(&self, square: u32) -> f64 {
        match self.ros_distro {
            RosDistro::Humble | RosDistro::Jazzy => f64::from(square).sqrt(),
            RosDistro::Lyrical => f64::from(((square as f32).sqrt() * 100.0 + 0.5) as u32) / 100.0,
        }
    }

    /// Whether a cell with this cost is an obstacle.
    fn is_obstacle(&self, cost: u8) -> bool {
        cost == LETHAL_OBSTACLE || self.inflate_around_unknown && cost == NO_INFORMATION
    }

    /// Inflates the obstacles of a cost map, given in rows of `columns` cells: each known cell gets the maximum of
    /// its own cost and the cost from the nearest obstacle. The run time grows with cells times the radius in cells.
    ///
    /// # Errors
    /// When a parameter is out of range, or the costs do not fill their rows.
    pub fn inflate(&self, costs: &[u8], columns: usize) -> Result<Vec<u8>, InputError> {
        self.check()?;
        if columns == 0 || !costs.len().is_multiple_of(columns) {
            let value = format!("{} in rows of {columns}", costs.len());
            return Err(InputError::one("costs", value, "expected whole rows of at least one cell"));
        }
        let radius = (self.inflation_radius / self.resolution).ceil() as u32;
        let mut inflated = costs.to_vec();
        if radius == 0 {
            return Ok(inflated);
        }
        let table: Vec<u8> = (0..=radius * radius).map(|square| self.cost(self.tabulated_distance(square))).collect();
        let vertical = vertical_squares(costs, columns, radius + 1, |cost| self.is_obstacle(cost));
        let rows = inflated.par_chunks_mut(columns).zip(vertical.par_chunks(columns));
        rows.for_each_init(Vec::new, |nearest, (row, vertical)| {
            // Obstacles are sparse: most rows of a map have none nearby.
            if vertical.iter().all(|&square| square > radius * radius) {
                return;
            }
            nearest.clear();
            nearest.extend_from_slice(vertical);
            lower_to_nearest(nearest, vertical, radius as usize);
            for (cell, &square) in row.iter_mut().zip(&*nearest) {
                if let Some(&cost) = table.get(square as usize) {
                    *cell = self.merged(*cell, cost);
                }
            }
        });
        Ok(inflated)
    }

    fn merged(&self, old: u8, cost: u8) -> u8 {
        if old != NO_INFORMATION {
            return old.max(cost);
        }
        let counts = if self.inflate_unknown { cost > FREE_SPACE } else { cost >= INSCRIBED_INFLATED_OBSTACLE };
        if counts { cost } else { old }
    }
}

/// Maximum radius, in cells, for which a table over all squared distances stays small.
const MAX_RADIUS: f64 = 4096.0;

/// The square of the distance, in cells, to the nearest obstacle in the same column; distances are limited to `limit`.
fn vertical_squares(costs: &[u8], columns: usize, limit: u32, is_obstacle: impl Fn(u8) -> bool) -> Vec<u32> {
    let mut distances: Vec<u32> = costs.iter().map(|&cost| if is_obstacle(cost) { 0 } else { limit }).collect();
    let rows = costs.len() / columns;
    let lower = |row: &mut [u32], beside: &[u32]| {
        for (here, &other) in row.iter_mut().zip(beside) {
            *here = (*here).min(other + 1);
        }
    };
    for row in 1..rows {
        let (below, above) = distances.split_at_mut(row * columns);
        lower(&mut above[..columns], &below[(row - 1) * columns..]);
    }
    for row in (1..rows).rev() {
        let (below, above) = distances.split_at_mut(row * columns);
        lower(&mut below[(row - 1) * columns..], &above[..columns]);
    }
    for distance in &mut distances {
        *distance *= *distance;
    }
    distances
}

/// Lowers the squares of a row from distances within columns to distances to the nearest obstacle in all columns up to
/// the reach. The outer loop is over distances, and the inner one over the row, so that compilers vectorise it.
#[multiversion(targets("x86_64+avx2"))]
fn lower_to_nearest(nearest: &mut [u32], vertical: &[u32], reach: usize) {
    for across in 1..=reach.min(vertical.len() - 1) {
        let square = (across * across) as u32;
        let overlap = vertical.len() - across;
        for (here, &other) in nearest[..overlap].iter_mut().zip(&vertical[across..]) {
            *here = (*here).min(other + square);
        }
        for (here, &other) in nearest[across..].iter_mut().zip(&vertical[..overlap]) {
            *here = (*here).min(other + square);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition: for each cell, the nearest of all obstacles.
    fn by_every_pair(layer: &Inflation, costs: &[u8], columns: usize) -> Vec<u8> {
        let radius = (layer.inflation_radius / layer.resolution).ceil();
        let place = |i: usize| ((i % columns) as f64, (i / columns) as f64);
        let is_obstacle = |cost: u8| cost == LETHAL_OBSTACLE || layer.inflate_around_unknown && cost == NO_INFORMATION;
        let obstacles: Vec<_> = (0..costs.len()).filter(|&i| is_obstacle(costs[i])).map(place).collect();
        let nearest = |i: usize| {
            let (x, y) = place(i);
            obstacles.iter().map(|&(ox, oy)| ((x - ox).powi(2) + (y - oy).powi(2)).sqrt()).fold(f64::INFINITY, f64::min)
        };
        let cell = |i: usize| {
            let (old, distance) = (costs[i], nearest(i));
            if distance > radius || radius == 0.0 {
                return old;
            }
            let rounded = ((distance as f32) * 100.0).round() / 100.0;
            let cost = layer.cost(match layer.ros_distro {
                RosDistro::Lyrical => (f64::from(rounded) * 100.0).round() / 100.0,
                _ => distance,
            });
            match old {
                NO_INFORMATION if layer.inflate_unknown => {
                    if cost > 0 {
                        cost
                    } else {
                        old
                    }
                }
                NO_INFORMATION => {
                    if cost >= 253 {
                        cost
                    } else {
                        old
                    }
                }
                _ => old.max(cost),
            }
        };
        (0..costs.len()).map(cell).collect()
    }

    #[test]
    fn inflated_random_maps_match_the_definition() {
        let mut state = 1u32;
        let mut draw = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 16
        };
        for map in 0..20 {
            let (columns, rows) = (20 + (draw() % 60) as usize, 15 + (draw() % 60) as usize);
            let mut cell = |_| match draw() % 100 {
                0 | 1 => LETHAL_OBSTACLE,
                2..=9 => NO_INFORMATION,
                10..=14 => 100,
                _ => FREE_SPACE,
            };
            let costs: Vec<u8> = (0..columns * rows).map(&mut cell).collect();
            let layer = Inflation {
                inflation_radius: 0.1 * f64::from(map),
                cost_scaling_factor: 1.0 + f64::from(map % 4),
                inflate_unknown: map % 2 == 0,
                inflate_around_unknown: map % 5 == 4,
                ros_distro: [RosDistro::Humble, RosDistro::Jazzy, RosDistro::Lyrical][map as usize % 3],
                ..Inflation::default()
            };
            assert_eq!(layer.inflate(&costs, columns).unwrap(), by_every_pair(&layer, &costs, columns), "map {map}");
        }
    }

    #[test]
    fn costs_match_the_formula() {
        let layer = Inflation { inscribed_radius: 0.1, cost_scaling_factor: 5.0, ..Inflation::default() };
        // 252 exp(-5 (0.15 - 0.1)) = 196.26, 252 exp(-5 (0.5 - 0.1)) = 34.1.
        assert_eq!([0.0, 1.0, 2.0, 3.0, 10.0].map(|cells| layer.cost(cells)), [254, 253, 253, 196, 34]);
    }

    #[test]
    fn the_radius_uses_single_precision_cells() {
        let mut costs = [0; 40];
        costs[0] = LETHAL_OBSTACLE;
        let layer = |resolution| Inflation {
            resolution,
            inflation_radius: 0.5,
            inscribed_radius: 0.22,
            cost_scaling_factor: 3.0,
            ..Inflation::default()
        };
        // 0.5 / 0.02 = 25, but 0.02 in single precision is less: 26 cells, 252 exp(-3 (0.52 - 0.22)) = 102.5 in the
        // last one.
        let found = layer(f64::from(0.02_f32)).inflate(&costs, 40).unwrap();
        assert_eq!(found[25..28], [108, 102, 0]);
        assert_eq!(layer(0.02).inflate(&costs, 40).unwrap()[25..28], [108, 0, 0]);
        // 5 cells of 0.05 m in single precision exceed 0.25 m: 252 exp(-3 * 4e-9), just below 252.
        let mut corridor = layer(f64::from(0.05_f32));
        corridor.inscribed_radius = 0.25;
        assert_eq!(corridor.inflate(&costs, 40).unwrap()[4..6], [253, 251]);
    }

    #[test]
    fn lyrical_rounds_distances_to_hundredths_of_a_cell() {
        // Two cells to the right and one up: sqrt(5) = 2.236, rounded to 2.24.
        let mut costs = [0; 6];
        costs[0] = LETHAL_OBSTACLE;
        let layer = |ros_distro| Inflation {
            resolution: 1.0,
            inflation_radius: 3.0,
            inscribed_radius: 1.0,
            cost_scaling_factor: 1.0,
            ros_distro,
            ..Inflation::default()
        };
        let corner = |distro| layer(distro).inflate(&costs, 3).unwrap()[5];
        // 252 exp(-1.23607) = 73.2 and 252 exp(-1.24) = 72.9.
        assert_eq!([RosDistro::Humble, RosDistro::Jazzy, RosDistro::Lyrical].map(corner), [73, 73, 72]);
    }

    #[test]
    fn inflate_around_unknown_treats_unknown_cells_as_obstacles() {
        let costs = [NO_INFORMATION, 0, 0, LETHAL_OBSTACLE];
        let layer = Inflation { inflate_around_unknown: true, resolution: 0.2, ..Inflation::default() };
        // 252 exp(-10 (0.4 - 0.22)) = 41.65.
        assert_eq!(layer.inflate(&costs, 4).unwrap(), [254, 253, 253, 254]);
        assert_eq!(Inflation { inscribed_radius: 0.0, ..layer }.inflate(&costs, 4).unwrap(), [254, 34, 34, 254]);
        assert_eq!(Inflation { inflation_radius: 0.0, ..layer }.inflate(&costs, 4).unwrap(), costs);
        let around = Inflation { inflate_around_unknown: false, ..layer };
        assert_eq!(around.inflate(&costs, 4).unwrap(), [255, 41, 253, 254]);
    }

    #[test]
    fn invalid_inflations_are_refused() {
        let place = |layer: Inflation| layer.inflate(&[0; 4], 2).unwrap_err().place().to_owned();
        let default = Inflation::default();
        assert_eq!(place(Inflation { resolution: 0.0, ..default }), "inflation, resolution");
        assert_eq!(place(Inflation { inflation_radius: f64::NAN, ..default }), "inflation, inflation_radius");
        assert_eq!(place(Inflation { inflation_radius: 1e4, ..default }), "inflation, inflation_radius");
        assert_eq!(place(Inflation { cost_scaling_factor: -1.0, ..default }), "inflation, cost_scaling_factor");
        assert_eq!(default.inflate(&[0; 5], 2).unwrap_err().place(), "costs");
        assert_eq!(default.inflate(&[], 0).unwrap_err().place(), "costs");
    }
}
