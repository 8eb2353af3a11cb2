//! Properties of a crowd required by executors of bodies: its largest body, the reach of its fields, and sectors.

use std::collections::BTreeSet;

use throng_core::{InputError, Problems};

use super::super::fields::{CENTRE, FieldTables};
use super::super::rules::sources::Extent;
use super::super::scene::{BodyLimits, Pedestrians, World};

/// Maximum side length of a body, space units: as in table II of Yu et al., whose fields of 77 x 77 belong to such
/// bodies.
pub const MAX_BODY_SIDE: u8 = 11;

/// The bodies and fields of a crowd, with all sizes that bodies may have.
#[derive(Debug, Clone)]
pub struct Plan {
    pub extent: Extent,
    pub sectors: SectorTable,
}

/// The sector of each offset from a space unit to the centre of a body. Offsets are doubled, because the centre may lie
/// between space units.
#[derive(Debug, Clone)]
pub struct SectorTable {
    /// The largest doubled offset along an axis.
    pub longest: i32,
    /// Row by row from the lower left.
    pub sectors: Vec<u8>,
}

impl SectorTable {
    fn new(tables: &FieldTables, longest: i32) -> Self {
        let all = (-longest..=longest).flat_map(|y| (-longest..=longest).map(move |x| (x, y)));
        let sector = |(x, y)| tables.map.sector_of_doubled(x, y).map_or(CENTRE, |sector| sector as u8);
        Self { longest, sectors: all.map(sector).collect() }
    }

    /// Returns the sector of a doubled offset.
    #[inline]
    pub fn at(&self, x: i32, y: i32) -> u32 {
        self.sectors[((y + self.longest) * (2 * self.longest + 1) + x + self.longest) as usize].into()
    }
}

impl Plan {
    /// Creates the plan of a crowd in its world.
    ///
    /// # Errors
    /// Bodies that are too long, fields that do not fit into the world, strengths and weights whose sums would not fit
    /// in 32 bits, and features that are limited to bodies of one space unit.
    pub fn new(world: &World, tables: &FieldTables, pedestrians: &Pedestrians) -> Result<Self, InputError> {
        let mut problems = Problems::new();
        let limits = distinct_limits(pedestrians);
        let largest = [0, 1].map(|axis| limits.iter().map(|limits| limits.largest[axis]).max().unwrap_or(1));
        let longest = largest[0].max(largest[1]);
        if longest > MAX_BODY_SIDE {
            let remedy = format!("give sides of at most {MAX_BODY_SIDE} space units");
            problems.push("body_su", format!("{} x {}", largest[0], largest[1]), remedy);
        }
        let remedy = "give bodies of one space unit, or leave it out";
        if !world.openings().is_empty() {
            problems.push("body_su", "bodies of several space units in a world with doors, entries or exits", remedy);
        }
        if tables.exchange_ticks > 0 {
            problems.push("exchange_ticks", "exchanges of places by bodies of several space units", remedy);
        }
        if tables.has_traces() {
            problems.push("trace_decay", "traces of bodies of several space units", remedy);
        }
        let shapes = shapes(&limits);
        tables.report_sums_of_bodies(|strengths| greatest_sum(strengths, &shapes), &mut problems);
        problems.into_result()?;
        let [columns, rows] = largest.map(i32::from);
        let reach = tables.radius * i32::from(longest);
        let shortest = world.grid().width.min(world.grid().height) as i32;
        let side = 2 * reach + i32::from(longest);
        if side > shortest {
            let found = format!("a field of {side} space units about a body of {longest}");
            let remedy = format!("at most {shortest}, a side of the world: use smaller fields or bodies");
            return Err(InputError::one("field_size", found, remedy));
        }
        let extent = Extent { reach, columns, rows, rings: tables.radius as u32 };
        Ok(Self { extent, sectors: SectorTable::new(tables, side) })
    }
}

/// Returns the distinct limits of bodies. The pedestrians may lack all columns but those of bodies.
fn distinct_limits(pedestrians: &Pedestrians) -> BTreeSet<BodyLimits> {
    let Pedestrians { at, bodies, limits, .. } = pedestrians;
    (0..at.len().max(bodies.len()).max(limits.len())).map(|pedestrian| pedestrians.limits(pedestrian)).collect()
}

/// Returns the distinct sizes that bodies may have: columns and rows.
fn shapes(limits: &BTreeSet<BodyLimits>) -> BTreeSet<[u32; 2]> {
    // Too long bodies, and those without space units, are reported elsewhere.
    let sides = |of: &BodyLimits, axis: usize| of.smallest[axis].max(1)..=of.largest[axis].min(MAX_BODY_SIDE);
    let shapes = |of: &BodyLimits| -> Vec<[u32; 2]> {
        let rows = || sides(of, 1).map(u32::from);
        sides(of, 0).flat_map(|columns| rows().map(move |rows| [columns.into(), rows])).collect()
    };
    limits.iter().flat_map(shapes).collect()
}

/// Returns an upper bound on the sums of the fields of bodies with these shapes at any space unit. `strengths` has
/// one value per ring.
///
/// Bodies do not overlap, so each space unit around a reader contributes at most the strength of one body divided by
/// the body's area. A body counts in the ring of its nearest space unit; its other space units are farther away by less
/// than its longer side. So a space unit at a given distance can belong to one of two rings.
fn greatest_sum(strengths: &[f64], shapes: &BTreeSet<[u32; 2]>) -> f64 {
    let rings = strengths.len() as u32 - 1;
    let farthest = shapes.iter().flatten().max().map_or(0, |longest| rings * longest + longest - 1);
    let of_unit = |distance: u32, [columns, rows]: [u32; 2]| {
        let thickness = columns.max(rows);
        let nearest = (distance + 1).saturating_sub(thickness).div_ceil(thickness);
        let strongest = (nearest..=distance.div_ceil(thickness))
            .filter_map(|ring| strengths.get(ring as usize))
            .fold(0.0, |strongest, &strength| f64::max(strongest, strength));
        strongest / f64::from(columns * rows)
    };
    let at = |distance: u32| {
        let strongest = shapes.iter().fold(0.0, |strongest, &shape| f64::max(strongest, of_unit(distance, shape)));
        f64::from(8 * distance) * strongest
    };
    (1..=farthest).map(at).sum()
}

#[cfg(test)]
mod tests {
    use throng_device::neighbours::Boundary;

    use super::super::super::rules::grid::Grid;
    use super::super::super::{FieldParameters, Strength};
    use super::super::views::BodiesOnFloor;
    use super::*;

    fn bound(tables: &FieldTables, shapes: &[[u32; 2]]) -> f64 {
        let strengths: Vec<f64> = tables.strengths[0].iter().copied().map(f64::from).collect();
        greatest_sum(&strengths, &shapes.iter().copied().collect())
    }

    #[test]
    fn bodies_of_one_space_unit_are_bounded_by_a_full_field() {
        let tables = FieldTables::new(&FieldParameters::default()).unwrap();
        // Rings of 8, 16 and 24 space units.
        assert_eq!(bound(&tables, &[[1, 1]]), f64::from(8 * 65_536 + 16 * 46_341 + 24 * 37_837));
        // A body of two space units has rings two units thick: units at distances of 1 to 3 may be in the first, 4 to 5
        // in the second, and 6 to 7 in the third; each space unit counts half.
        let halves = (8 + 16 + 24) * 65_536 + (32 + 40) * 46_341 + (48 + 56) * 37_837;
        assert_eq!(bound(&tables, &[[2, 1]]), f64::from(halves) / 2.0);
    }

    /// Even the densest crowd, rows or columns of bodies without any gaps, has no larger sums; the sums of long bodies
    /// are many times as large as the sums of bodies of one space unit.
    #[test]
    fn sums_of_the_densest_crowds_are_within_the_bounds() {
        let side = 120;
        let grid = Grid { width: side, height: side, boundary: Boundary::Closed };
        let world = World::without_walls(grid).unwrap();
        for (shape, min_factor) in [([11u32, 1u32], 9.0), ([1, 11], 9.0), ([4, 2], 1.5), ([3, 3], 0.9), ([2, 1], 1.5)] {
            for exponent in [-0.5, 0.0, 1.5] {
                let crowd = Strength { factor: 1.0, exponent };
                let tables = FieldTables::new(&FieldParameters { crowd, ..FieldParameters::default() }).unwrap();
                let [columns, rows] = shape;
                let lower_left = |i: u32| i % (side / columns) * columns + i / (side / columns) * rows * side;
                let at: Vec<u32> = (0..(side / columns) * (side / rows)).map(lower_left).collect();
                let count = at.len();
                let pedestrians = Pedestrians {
                    at,
                    heading: vec![0; count],
                    period: vec![1; count],
                    due: vec![0; count],
                    bodies: vec![shape.map(|side| side as u8); count],
                    ..Pedestrians::default()
                };
                let occupants = pedestrians.occupants(&world).unwrap();
                let plan = Plan::new(&world, &tables, &pedestrians).unwrap();
                let (occupants, pedestrians, plan) = (&occupants, &pedestrians, &plan);
                let floor = BodiesOnFloor { grid: &grid, occupants, pedestrians, plan, tables: &tables };
                // In the middle, at all positions of a body.
                let units = (54..66).flat_map(|y| (54..66).map(move |x| y * side + x));
                let sum = |unit| floor.sums(unit, 0).crowd.into_iter().map(f64::from).sum::<f64>();
                let greatest = units.map(sum).fold(0.0, f64::max);
                assert!(greatest <= bound(&tables, &[shape]), "{shape:?} {exponent}: {greatest}");
                // Yet less than a factor of two below the bound, so that the bound does not reject much unnecessarily.
                assert!(greatest * 2.0 > bound(&tables, &[shape]), "{shape:?} {exponent}: {greatest}");
                if exponent < 0.0 {
                    let single = bound(&tables, &[[1, 1]]);
                    assert!(greatest > min_factor * single, "{shape:?}: {greatest}, {single}");
                }
            }
        }
    }
}
