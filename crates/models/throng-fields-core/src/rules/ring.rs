//! Circles in fixed point: exact even if the radius is much larger than the reach.

use throng_core::InputError;
use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_pictures::Grid;

use crate::entities::Entity;
use crate::rules::fixed_point::whole_root;
use crate::rules::triangle::hypotenuse;

/// The circumference of a circle on a grid; all lengths are in integer units.
///
/// The distance from the circumference is the difference of two numbers that may be much larger. Therefore the unit of
/// length also depends on the reach, and squares of distances from the centre have 64 bits.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ring {
    /// The last cell whose sampled point is not beyond the centre, counted from `FAR` cells before the first one.
    pub column: u32,
    pub row: u32,
    /// The offset of the centre from that point, at most a cell.
    pub rest_x: u32,
    pub rest_y: u32,
    /// Units per cell, a power of two.
    pub units: u32,
    pub radius: u32,
    /// Distance from the circumference beyond which the value is zero.
    pub reach: u32,
    /// Cells farther than this from the cell of the centre, along an axis, are beyond the reach.
    pub cells: u32,
}

/// Maximum number of units from the centre to where the value becomes zero; the actual number is more than half of it.
const UNITS: f64 = 32_768.0;
/// Minimum number of units in the reach; if it would be smaller, the total is increased.
const MIN_REACH_UNITS: f64 = 4096.0;
/// Maximum number of units per cell: devices multiply it by slightly more cells than the radius has.
const MAX_UNITS_PER_CELL: u32 = 1 << 28;
/// Range of reaches, in cells, that have enough units and that floats can represent.
const REACHES: std::ops::RangeInclusive<f64> = 1.0 / 65_536.0..=16_777_216.0;
/// Maximum number of cells from the centre to where the value becomes zero, well within 32 bits.
const MAX_CELLS: f64 = (1u64 << 29) as f64;
/// Maximum radius, in reaches: it has 2^31 units, so that the sum of two squares has 64 bits.
const MAX_REACHES: f32 = 262_144.0;
/// Up to this number of units from the centre to where the value becomes zero, the sum of two squares has 31 bits.
const MAX_UNITS_IN_32_BITS: u32 = 1 << 15;
/// Limit for the distance of the centre, in cells. Centres farther away are clamped to it; they have no effect either
/// way. Cells of centres are counted from this many cells before the first one.
const FAR: u32 = 1 << 30;

/// Maximum error of distances, in units: centre and radius are rounded, by half a unit each along both axes, and then
/// the distance by up to one.
const ROUNDING: f32 = 3.0;

/// The number of units per cell for a radius and a reach, both in cells.
fn units_in_a_cell(radius: f64, reach: f64) -> u32 {
    let of_all = (UNITS / (radius + reach)) as u32;
    let of_reach = (MIN_REACH_UNITS / reach).ceil() as u32;
    let power_below = 1u32 << of_all.max(1).ilog2();
    power_below.max(of_reach.clamp(1, MAX_UNITS_PER_CELL).next_power_of_two()).min(MAX_UNITS_PER_CELL)
}

/// How much the reach of a ring may grow by rounding in fixed point, cells.
pub fn rounding(radius: f64, reach: f64) -> f64 {
    f64::from(ROUNDING) / f64::from(units_in_a_cell(radius, reach))
}

impl Ring {
    /// See [`rounding`].
    pub fn rounding(&self) -> f32 {
        ROUNDING / self.units as f32
    }

    /// Creates a ring around a position, with a reach that may be shorter than the reach of the profile; all lengths
    /// are in cells.
    pub fn new(at: [f64; 2], radius: f64, reach: f64) -> Self {
        let units = units_in_a_cell(radius, reach);
        let at = at.map(|at| at.clamp(-f64::from(FAR), f64::from(FAR)));
        let in_units = |length: f64| (length * f64::from(units)).round() as u32;
        let [column, row] = at.map(|at| (at.floor() + f64::from(FAR)) as u32);
        let [rest_x, rest_y] = at.map(|at| in_units(at - at.floor()));
        let (radius, reach) = (in_units(radius), (reach * f64::from(units)).floor() as u32);
        Self { column, row, rest_x, rest_y, units, radius, reach, cells: (radius + reach) / units + 1 }
    }
}

#[cube]
impl Ring {
    /// The distance of a sampled point from the circumference; at least the reach where the value is 0.
    pub fn distance(&self, column: u32, row: u32) -> u32 {
        let across = apart(column + FAR, self.column);
        let down = apart(row + FAR, self.row);
        let mut distance = self.reach;
        // For more cells, their number of units does not fit into 32 bits.
        if across <= self.cells && down <= self.cells {
            let across = from_middle(across, column + FAR > self.column, self.rest_x, self.units);
            let down = from_middle(down, row + FAR > self.row, self.rest_y, self.units);
            let farthest = self.radius + self.reach;
            if farthest > MAX_UNITS_IN_32_BITS {
                distance = apart(hypotenuse(across, down), self.radius);
            } else if across < farthest && down < farthest {
                distance = apart(whole_root(across * across + down * down), self.radius);
            }
        }
        distance
    }
}

/// Up to this number of units from the centre to where the value becomes zero, squares of distances are below 2^53, and
/// double precision represents them exactly.
const MAX_UNITS_IN_DOUBLE: u32 = 1 << 26;

/// A ring and a row of cells, in double precision.
///
/// Distances within reach equal [`Ring::distance`]: a root rounded to double precision is below an integer if and only
/// if the exact root is, as long as both are below 2^26.
#[derive(Debug, Clone, Copy)]
pub struct RingRow {
    column: f64,
    rest: f64,
    units: f64,
    radius: f64,
    /// The square of the distance of the row from the centre.
    square: f64,
}

impl Ring {
    /// Prepares distances for several cells of a row at a time. `None` if the ring is too large for double precision.
    pub fn in_row(&self, row: u32) -> Option<RingRow> {
        if u64::from(self.radius) + u64::from(self.reach) > u64::from(MAX_UNITS_IN_DOUBLE) {
            return None;
        }
        let units = f64::from(self.units);
        let from_first = |cell: u32| f64::from(cell) - f64::from(FAR);
        let down = (f64::from(row) - from_first(self.row)) * units - f64::from(self.rest_y);
        let (column, rest) = (from_first(self.column), f64::from(self.rest_x));
        Some(RingRow { column, rest, units, radius: f64::from(self.radius), square: down * down })
    }
}

impl RingRow {
    /// Computes the distances of cells from the circumference, starting at column `first`; at least the reach where the
    /// value is 0.
    #[inline(always)]
    pub fn distances(&self, first: u32, distances: &mut [f64]) {
        for (i, distance) in distances.iter_mut().enumerate() {
            let across = (f64::from((first as i32).wrapping_add(i as i32)) - self.column) * self.units - self.rest;
            *distance = ((across * across + self.square).sqrt().floor() - self.radius).abs();
        }
    }
}

#[cube]
#[inline(always)]
fn apart(a: u32, b: u32) -> u32 {
    u32::max(a, b) - u32::min(a, b)
}

/// Units along one axis between a point `cells` cells before or after the base point, and the centre, which is `rest`
/// units after the base point.
#[cube]
#[inline(always)]
fn from_middle(cells: u32, behind: bool, rest: u32, units: u32) -> u32 {
    let mut far = cells * units + rest;
    if behind {
        far = cells * units - rest;
    }
    far
}

/// Rejects a ring whose distances would not be exact in fixed point, given the distance `felt` beyond which its
/// profile is 0.
pub fn check(grid: &Grid, entity: &Entity, felt: f32) -> Result<(), InputError> {
    let Some(radius) = entity.circle_radius() else { return Ok(()) };
    let cell = grid.cell();
    let [reach, radius_in_cells] = [felt, radius].map(|length| f64::from(length) / f64::from(cell));
    if !REACHES.contains(&reach) {
        let remedy = format!(
            "for a ring in fixed point, expected {:e} to {:e} cells of {cell}: use a disc, or floating point",
            REACHES.start(),
            REACHES.end()
        );
        return Err(InputError::one("profile, reach", felt, remedy));
    }
    if radius_in_cells + reach > MAX_CELLS {
        let remedy = format!("in fixed point, radius and reach together may be at most {MAX_CELLS:e} cells of {cell}");
        return Err(InputError::one("ring, radius", radius, remedy));
    }
    // The effect of a bell ends before the reach of its profile.
    if radius > MAX_REACHES * felt {
        let remedy = format!("in fixed point the limit is {MAX_REACHES} times the reach of its effect, {felt}");
        return Err(InputError::one("ring, radius", radius, remedy));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::creation::FixedPoint;
    use crate::profile::Profile;
    use crate::shape::Shape;

    /// Values of a linear ring at cells in a row to the left of its centre, at these signed offsets from the
    /// circumference, outward.
    fn values(radius: f32, band: f32, offsets: [f64; 4]) -> [f32; 4] {
        let grid = Grid::new([-0.5, -0.5], 1.0, 1, 1).unwrap();
        offsets.map(|offset| {
            let ring = Entity::new([f64::from(radius) + offset, 0.0], Profile::linear(band).unwrap())
                .with_shape(Shape::Ring { radius });
            FixedPoint::default().every_pair(&grid, &[ring]).unwrap().values()[0]
        })
    }

    #[test]
    fn narrow_rings_have_exact_values_at_any_radius() {
        let offsets = [-0.375, -0.125, 0.125, 0.375];
        for radius in [3.0, 1000.0, 10_000.0, 100_000.0] {
            assert_eq!(values(radius, 0.5, offsets), [0.25, 0.75, 0.75, 0.25], "{radius}");
        }
        assert_eq!(values(20_000.0, 0.125, offsets.map(|offset| offset / 4.0)), [0.25, 0.75, 0.75, 0.25]);
    }

    #[test]
    fn ring_distances_match_integer_arithmetic() {
        // Triangles with integer sides: 3, 4, 5 and 20, 21, 29 times a thousand; the centre of the second one is offset
        // by a quarter of a cell.
        let felt = |ring: &Ring, column, row| Some(ring.distance(column, row)).filter(|&units| units < ring.reach);
        let ring = Ring::new([0.0, 0.0], 5000.0, 1.0);
        assert_eq!((ring.units, felt(&ring, 3000, 4000), felt(&ring, 3002, 4000)), (4096, Some(0), None));
        let ring = Ring::new([-9000.0, 0.25], 29_000.0, 1.0);
        let root = |across: u64, down: u64| (across * across + down * down).isqrt();
        let expected = root(20_000 << 12, (21_000 << 12) - (1 << 10)).abs_diff(29_000 << 12) as u32;
        assert_eq!((ring.rest_x, ring.rest_y, felt(&ring, 11_000, 21_000)), (0, 1 << 10, Some(expected)));
    }

    #[test]
    fn rows_in_double_precision_match_integer_distances() {
        for (at, radius, reach) in [
            ([50.3, 41.7], 30.0, 10.0),
            ([-20.25, 3.0], 60.0, 0.5),
            // Exactly 2^26 units, 4096 for each of 16,384 cells; close to the triangle with sides 3, 4 and 5.
            ([-9823.0, -13_107.0], 16_383.0, 1.0),
            ([4.0, 4.0], 1e-3, 1e-4),
            ([1e6, 1e6], 3.0, 2.0),
        ] {
            let ring = Ring::new(at, radius, reach);
            for row in 0..100 {
                let line = ring.in_row(row).unwrap();
                let mut distances = [0.0; 96];
                line.distances(4, &mut distances);
                for (column, found) in (4..).zip(distances) {
                    let expected = ring.distance(column, row).min(ring.reach);
                    assert_eq!(found.min(f64::from(ring.reach)), f64::from(expected), "{ring:?} {column} {row}");
                }
            }
        }
        assert!(Ring::new([0.0, 0.0], 20_000.0, 1.0).in_row(0).is_none());
    }

    #[test]
    fn distant_rings_have_no_effect() {
        for at in [-1e300, -1.0, 0.5, 1e300] {
            let ring = Ring::new([at, 0.0], 1e6, 1.0);
            for (column, row) in [(0, 0), (u32::MAX >> 1, 0), (0, u32::MAX >> 1), (1 << 30, 1 << 30)] {
                assert!(ring.distance(column, row) >= ring.reach, "{at} {column} {row}");
            }
        }
    }

    #[test]
    fn rings_beyond_the_integer_range_are_refused() {
        let grid = Grid::new([0.0, 0.0], 2.0, 4, 4).unwrap();
        let place = |radius: f32, reach: f32| {
            let ring = Entity::new([0.0, 0.0], Profile::linear(reach).unwrap()).with_shape(Shape::Ring { radius });
            FixedPoint::default().by_tiles(&grid, &[ring]).map_err(|error| error.place().to_owned())
        };
        assert_eq!(place(1.0, 1e-5).unwrap_err(), "entity 0, profile, reach");
        assert_eq!(place(3.0, 1e8).unwrap_err(), "entity 0, profile, reach");
        assert_eq!(place(1.2e9, 1e7).unwrap_err(), "entity 0, ring, radius");
        assert_eq!(place(300_000.0, 1.0).unwrap_err(), "entity 0, ring, radius");
        let bell =
            Entity::new([0.0, 0.0], Profile::gaussian(1e-4, 1.0).unwrap()).with_shape(Shape::Ring { radius: 1e4 });
        assert_eq!(FixedPoint::default().by_tiles(&grid, &[bell]).unwrap_err().place(), "entity 0, ring, radius");
        assert!(place(200_000.0, 1.0).is_ok() && place(0.0, 1e-4).is_ok() && place(1e9, 1e7).is_ok());
    }
}

#[cfg(all(test, feature = "gpu"))]
mod on_devices {
    use throng_testing_devices::same_on_devices;

    use super::*;
    use crate::rule_tables::words;

    /// Points on rings of any radius and reach, and around them.
    #[allow(clippy::type_complexity, reason = "a row of a table")]
    fn points() -> impl Iterator<Item = (u32, u32, u32, u32, u32, u32, u32, u32, u32, u32)> {
        words([1 << 24, 1 << 24, 1 << 16, 1 << 16, 28, 1 << 16, 360]).map(
            |[x, y, radius, reach, cells_per_reach, rest, angle]| {
                let reach = f64::from(reach + 1) / f64::from(1u32 << cells_per_reach.min(15));
                let radius = f64::from(radius) * reach / 256.0;
                let at = [x, y].map(|at| f64::from(at) + f64::from(rest) / 65_536.0);
                let ring = Ring::new(at, radius, reach);
                let angle = f64::from(angle).to_radians();
                let [column, row] =
                    [at[0] + radius * libm::cos(angle), at[1] + radius * libm::sin(angle)].map(|at| at.max(0.0) as u32);
                let Ring { column: of_x, row: of_y, rest_x, rest_y, units, radius, reach, cells } = ring;
                (column, row, of_x, of_y, rest_x, rest_y, units, radius, reach, cells)
            },
        )
    }

    same_on_devices! {
        fn distances(
            x: u32, y: u32, column: u32, row: u32, rest_x: u32, rest_y: u32, units: u32, radius: u32, reach: u32, cells: u32
        ) {
            let ring = Ring { column, row, rest_x, rest_y, units, radius, reach, cells };
        } -> { distance: u32 = ring.distance(x, y) } for points()
    }
}
