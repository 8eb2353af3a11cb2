//! Distances between the cells of a row and a shape.
//!
//! Every loop runs over adjacent cells, which compilers vectorise; given a nested loop over groups of eight cells, they
//! would vectorise the outer loop and gather values that are eight cells apart.

use super::polygon::Polygon;
use crate::NEGATIVE_ZERO;
use crate::placed::Placed;
use crate::resolved_shape::ResolvedShape;
use crate::rules::distance::{
    box_axis_distance, capsule_axis_distance, circle_line_distance, contour_square, is_in_cone, square_of, turned,
};
use crate::rules::fixed_point::offset;
use crate::rules::ring::Ring;

/// Cells that go through each step together: few enough to stay in the first-level cache.
pub(super) const BLOCK: usize = 128;
/// Cells are computed in multiples of this number, one AVX2 vector.
pub(super) const LANES: usize = 8;

/// Cells whose intermediate results stay in registers, or close to them.
pub(super) const TOGETHER: usize = 32;

/// A value per cell.
pub(super) type CellValues = [f32; BLOCK];

/// Consecutive cells of a row, starting at a column.
#[derive(Clone, Copy)]
pub(super) struct Cells {
    pub column: u32,
    pub row: u32,
    /// Number of cells: a multiple of [`LANES`], at most [`BLOCK`].
    pub count: usize,
}

/// An entity; in fixed point also the remainder of its position, the units of distance per cell, and its exact ring.
#[derive(Clone, Copy)]
pub(super) struct EntityInCells<'p> {
    pub placed: &'p Placed,
    pub low: [f32; 2],
    pub units: f32,
    pub ring: Option<&'p Ring>,
}

/// Distances of the cells of a row from a shape; infinite outside a cone.
pub(super) struct CellDistances {
    pub squares: CellValues,
    /// Distances; the shape determines whether they are computed along with the squares.
    pub distances: CellValues,
    /// Positions of the cells in the entity's coordinates.
    pub along: CellValues,
    pub aside: CellValues,
    /// The sides of a polygon.
    polygon: Option<Polygon>,
    /// Distances in integer units, for a ring in fixed point.
    units: [f64; BLOCK],
}

impl CellDistances {
    /// Creates the buffers for a shape and a range of columns.
    pub fn new(figure: &ResolvedShape<'_>, columns: (u32, u32)) -> Self {
        let polygon = match figure {
            ResolvedShape::Polygon(corners) => Some(Polygon::new(corners, figure.radius(), columns)),
            _ => None,
        };
        let zeros = [0.0; BLOCK];
        Self { squares: zeros, distances: zeros, along: zeros, aside: zeros, polygon, units: [0.0; BLOCK] }
    }

    /// The columns of cells that are measured at once begin with a multiple of this number.
    #[inline(always)]
    pub fn step(&self) -> u32 {
        if self.polygon.is_some() { TOGETHER as u32 } else { 1 }
    }

    /// Computes distances from the shape of an entity, unless it is a stamp. Returns whether distances were computed as
    /// well as squares.
    #[inline(always)]
    pub fn measure(&mut self, from: EntityInCells<'_>, cells: Cells) -> bool {
        match (&from.placed.figure, from.ring) {
            (_, Some(ring)) => self.measure_ring(ring, cells),
            (ResolvedShape::Ring { radius }, None) => self.measure_line(from, cells, *radius),
            (ResolvedShape::Disc, _) => self.fill(from, cells, ToPoint),
            (ResolvedShape::Diamond { radius }, _) => self.fill(from, cells, ToContour(*radius, false)),
            (ResolvedShape::Square { radius }, _) => self.fill(from, cells, ToContour(*radius, true)),
            (ResolvedShape::Capsule { length }, _) => self.fill(from, cells, ToWall(*length)),
            (ResolvedShape::Box { half }, _) => self.fill(from, cells, ToBox(*half)),
            (ResolvedShape::Cone { sin, cos }, _) => self.fill(from, cells, InCone(*sin, *cos)),
            (ResolvedShape::Polygon(_), _) => self.measure_polygon(from, cells),
            (ResolvedShape::Stamp(_), _) => {}
        }
        matches!(from.placed.figure, ResolvedShape::Ring { .. })
    }

    /// Computes the positions of cells in the entity's coordinates.
    #[inline(always)]
    pub fn locate(&mut self, from: EntityInCells<'_>, cells: Cells) {
        let (along, aside) = (&mut self.along[..cells.count], &mut self.aside[..cells.count]);
        let ([at_x, at_y], [low_x, low_y]) = (from.placed.position, from.low);
        let down = offset(cells.row as f32, at_y, low_y);
        let first = cells.column as i32;
        for i in 0..cells.count {
            along[i] = offset(first.wrapping_add(i as i32) as f32, at_x, low_x);
            aside[i] = down;
        }
        if let Some([sin, cos]) = from.placed.turn {
            for i in 0..cells.count {
                (along[i], aside[i]) = turned(along[i], down, sin, cos, NEGATIVE_ZERO);
            }
        }
    }

    #[inline(always)]
    fn fill<F: SquaredDistance>(&mut self, from: EntityInCells<'_>, cells: Cells, to: F) {
        self.locate(from, cells);
        let (along, aside) = (&self.along[..cells.count], &self.aside[..cells.count]);
        let squares = &mut self.squares[..cells.count];
        for i in 0..cells.count {
            squares[i] = to.square(along[i], aside[i]);
        }
    }

    /// Measures from a circle in floating point.
    #[inline(always)]
    fn measure_line(&mut self, from: EntityInCells<'_>, cells: Cells, radius: f32) {
        self.fill(from, cells, ToPoint);
        let reach = from.placed.reach;
        let (squares, distances) = (&mut self.squares[..cells.count], &mut self.distances[..cells.count]);
        for i in 0..cells.count {
            let distance = circle_line_distance(squares[i], radius);
            distances[i] = distance;
            squares[i] = if distance < reach { distance * distance } else { f32::INFINITY };
        }
    }

    /// Measures from a circle in fixed point.
    #[inline(always)]
    fn measure_ring(&mut self, ring: &Ring, cells: Cells) {
        let units = &mut self.units[..cells.count];
        match ring.in_row(cells.row) {
            Some(line) => line.distances(cells.column, units),
            None => {
                for (column, units) in (cells.column..).zip(units.iter_mut()) {
                    *units = f64::from(ring.distance(column, cells.row));
                }
            }
        }
        let (inverse, reach) = (1.0 / ring.units as f32, f64::from(ring.reach));
        let (squares, distances) = (&mut self.squares[..cells.count], &mut self.distances[..cells.count]);
        for i in 0..cells.count {
            let distance = units[i] as f32;
            let in_cells = distance * inverse;
            distances[i] = distance;
            squares[i] = if units[i] < reach { in_cells * in_cells } else { f32::INFINITY };
        }
    }

    /// Measures from a polygon.
    #[inline(always)]
    fn measure_polygon(&mut self, from: EntityInCells<'_>, cells: Cells) {
        self.locate(from, cells);
        if let Some(polygon) = &mut self.polygon {
            polygon.measure(from, cells, &self.along, &self.aside, &mut self.squares);
        }
    }
}

/// The square of the distance of a point in the coordinates of a shape; infinite outside a cone. A trait instead of
/// closures, which compilers may not inline and would then compile for the baseline processor.
trait SquaredDistance: Copy {
    fn square(self, x: f32, y: f32) -> f32;
}

#[derive(Clone, Copy)]
struct ToPoint;

impl SquaredDistance for ToPoint {
    #[inline(always)]
    fn square(self, x: f32, y: f32) -> f32 {
        square_of(x, y, NEGATIVE_ZERO)
    }
}

/// The radius of a diamond or a square, and whether it is a square.
#[derive(Clone, Copy)]
struct ToContour(f32, bool);

impl SquaredDistance for ToContour {
    #[inline(always)]
    fn square(self, x: f32, y: f32) -> f32 {
        contour_square(x, y, self.0, self.1, NEGATIVE_ZERO)
    }
}

#[derive(Clone, Copy)]
struct ToWall(f32);

impl SquaredDistance for ToWall {
    #[inline(always)]
    fn square(self, x: f32, y: f32) -> f32 {
        square_of(capsule_axis_distance(x, self.0), y, NEGATIVE_ZERO)
    }
}

#[derive(Clone, Copy)]
struct ToBox([f32; 2]);

impl SquaredDistance for ToBox {
    #[inline(always)]
    fn square(self, x: f32, y: f32) -> f32 {
        square_of(box_axis_distance(x, self.0[0]), box_axis_distance(y, self.0[1]), NEGATIVE_ZERO)
    }
}

/// Sine and cosine of half the opening.
#[derive(Clone, Copy)]
struct InCone(f32, f32);

impl SquaredDistance for InCone {
    #[inline(always)]
    fn square(self, x: f32, y: f32) -> f32 {
        let is_inside = is_in_cone(x, y, self.0, self.1, NEGATIVE_ZERO);
        if is_inside { square_of(x, y, NEGATIVE_ZERO) } else { f32::INFINITY }
    }
}
