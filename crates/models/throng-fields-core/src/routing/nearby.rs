//! Lookup of the points near a position, in the same order on every computer.

use throng_core::InputError;
use throng_device::neighbours::{Boundary, CellLists, UniformGrid};
use throng_pictures::Grid;

/// Units of length per cell of the map: positions in the lists are integers.
const UNITS: f32 = 64.0;
/// Maximum number of list cells per point, unless the total is at most `FEW_CELLS`: a finer grid would take longer to
/// clear than it saves.
const MAX_CELLS: usize = 16;
const FEW_CELLS: usize = 1 << 17;

/// Maximum distance in the lists, in units.
const MAX_UNITS: f32 = 1e9;

/// Points sorted by the cells of a uniform grid.
#[derive(Debug)]
pub struct Nearby {
    lists: CellLists,
    origin: [f32; 2],
    units: f32,
}

impl Nearby {
    /// Creates lists of points on a map, for searches within `reach` world units. They cover only the bounding box of
    /// the points.
    ///
    /// # Errors
    /// When there are more than 2^31 points, or the system has too little memory.
    pub fn new(map: &Grid, points: &[[f32; 2]], reach: f32) -> Result<Self, InputError> {
        let units = UNITS / map.cell();
        let corner = |start: f32, of: fn(f32, f32) -> f32| {
            [0, 1].map(|axis| points.iter().map(|point| point[axis]).fold(start, of))
        };
        let (low, high) = (corner(f32::INFINITY, f32::min), corner(f32::NEG_INFINITY, f32::max));
        // One unit more, because coordinates are rounded down. Conversions saturate.
        let in_units = |length: f32| ((length * units).ceil().min(MAX_UNITS) as u32).saturating_add(1);
        let extent = [0, 1].map(|axis: usize| in_units(high[axis] - low[axis]));
        let mut reach = in_units(reach);
        let most = (points.len() * MAX_CELLS).max(FEW_CELLS) as u64;
        while extent.iter().map(|&units| u64::from((units / reach).max(1))).product::<u64>() > most {
            reach *= 2;
        }
        let grid = UniformGrid::covering([0, 0], extent, reach, Boundary::Closed).map_err(|error| refused(&error))?;
        let lists = CellLists::new(grid, points.len()).map_err(|error| refused(&error))?;
        let mut nearby = Self { lists, origin: low, units };
        let [xs, ys]: [Vec<i32>; 2] =
            [0, 1].map(|axis| points.iter().map(|point| nearby.units_at(point[axis], axis)).collect());
        nearby.lists.build(&[&xs, &ys]);
        Ok(nearby)
    }

    fn units_at(&self, at: f32, axis: usize) -> i32 {
        // Points outside the grid are in its border cells.
        ((at - self.origin[axis]) * self.units).floor() as i32
    }

    /// The indices of the points in the 3 x 3 cells around a position: all points within reach, and some others.
    pub fn around(&self, [x, y]: [f32; 2]) -> impl Iterator<Item = usize> + '_ {
        self.lists.around(self.units_at(x, 0), self.units_at(y, 1), 0).map(|point| point as usize)
    }
}

fn refused(error: &InputError) -> InputError {
    InputError::out_of_memory("agents that sense each other", error, "use fewer agents")
}

#[cfg(test)]
mod tests {
    use throng_core::Philox;

    use super::*;

    #[test]
    fn all_points_within_reach_are_found_for_any_origin() {
        let draws = Philox::new(3);
        for origin in [[0.0, 0.0], [50_000.0, -70_000.0]] {
            let map = Grid::new(origin, 0.5, 60, 40).unwrap();
            let point = |i: u32| {
                let at = |axis: u32, length: f64| {
                    (origin[axis as usize] + length * (1.2 * draws.unit(i, 0, 9, axis) - 0.1)) as f32
                };
                [at(0, 30.0), at(1, 20.0)]
            };
            let points: Vec<[f32; 2]> = (0..300).map(point).collect();
            for reach in [0.01f32, 0.7, 3.0, 100.0] {
                let nearby = Nearby::new(&map, &points, reach).unwrap();
                for (i, &at) in points.iter().enumerate() {
                    let found: Vec<usize> = nearby.around(at).collect();
                    let is_near = |&other: &usize| {
                        let [x, y] = points[other];
                        (x - at[0]).hypot(y - at[1]) <= reach
                    };
                    let expected: Vec<usize> = (0..points.len()).filter(is_near).collect();
                    let mut within: Vec<usize> = found.into_iter().filter(is_near).collect();
                    within.sort_unstable();
                    assert_eq!(within, expected, "{i} within {reach}");
                }
            }
        }
    }
}
