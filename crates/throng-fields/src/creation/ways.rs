//! How far the cells of a row are from a figure, eight at a time.

use crate::NEGATIVE_ZERO;
use crate::distance::{Side, along_wall, beside_box, beside_line, is_in_cone, square_of, turned};
use crate::figure::Figure;
use crate::fixed_point::offset;
use crate::placed::Placed;
use crate::ring::Ring;

/// Cells that are computed at a time: a vector of AVX2.
pub(super) const LANES: usize = 8;
/// Groups of cells that go through each step together: few enough to stay in the first-level cache.
pub(super) const GROUPS: usize = 16;

pub(super) type Lanes = [f32; LANES];

/// The cells of a row from a column on.
#[derive(Clone, Copy)]
pub(super) struct Cells {
    pub column: u32,
    pub row: u32,
    /// How many groups of eight.
    pub groups: usize,
}

/// An entity; and in fixed point the remainder of its position, units of distance in a cell, and its exact ring.
#[derive(Clone, Copy)]
pub(super) struct Figured<'p> {
    pub placed: &'p Placed,
    pub low: [f32; 2],
    pub units: f32,
    pub ring: Option<&'p Ring>,
}

/// For each cell the square of the distance, infinite where there is none.
pub(super) struct Ways {
    pub squares: [Lanes; GROUPS],
    /// Distances, with which it depends on the figure whether they are computed along with the squares.
    pub distances: [Lanes; GROUPS],
    /// Coordinates of the cells in the entity's own.
    own: [[Lanes; GROUPS]; 2],
    inside: [[u32; LANES]; GROUPS],
}

impl Ways {
    pub fn new() -> Self {
        let zeros = [[0.0; LANES]; GROUPS];
        Self { squares: zeros, distances: zeros, own: [zeros; 2], inside: [[0; LANES]; GROUPS] }
    }

    /// Measures from the figure of an entity. Returns whether the distances were computed, too.
    #[inline(always)]
    pub fn measure(&mut self, from: Figured<'_>, cells: Cells) -> bool {
        match (&from.placed.figure, from.ring) {
            (_, Some(ring)) => self.measure_ring(ring, cells),
            (Figure::Ring { radius }, None) => self.measure_line(from, cells, *radius),
            (Figure::Disc, _) => self.fill(from, cells, ToPoint),
            (Figure::Capsule { length }, _) => self.fill(from, cells, ToWall(*length)),
            (Figure::Box { half }, _) => self.fill(from, cells, ToBox(*half)),
            (Figure::Cone { sin, cos }, _) => self.fill(from, cells, InCone(*sin, *cos)),
            (Figure::Polygon(corners), _) => self.measure_polygon(from, cells, corners),
            (Figure::Stamp(_), _) => {}
        }
        matches!(from.placed.figure, Figure::Ring { .. })
    }

    /// The coordinates of cells in the entity's own.
    #[inline(always)]
    pub fn locate(&mut self, from: Figured<'_>, cells: Cells) -> [&[Lanes]; 2] {
        for group in 0..cells.groups {
            let [x, y] = own_of(from, cells, group);
            self.own[0][group] = x;
            self.own[1][group] = y;
        }
        [&self.own[0][..cells.groups], &self.own[1][..cells.groups]]
    }

    #[inline(always)]
    fn fill<F: Far>(&mut self, from: Figured<'_>, cells: Cells, far: F) {
        for group in 0..cells.groups {
            let [x, y] = own_of(from, cells, group);
            for i in 0..LANES {
                self.squares[group][i] = far.square(x[i], y[i]);
            }
        }
    }

    /// From a circle line in floating point.
    #[inline(always)]
    fn measure_line(&mut self, from: Figured<'_>, cells: Cells, radius: f32) {
        let reach = from.placed.reach;
        for group in 0..cells.groups {
            let [x, y] = own_of(from, cells, group);
            for i in 0..LANES {
                let distance = beside_line(square_of(x[i], y[i], NEGATIVE_ZERO), radius);
                self.distances[group][i] = distance;
                self.squares[group][i] = if distance < reach { distance * distance } else { f32::INFINITY };
            }
        }
    }

    /// From a circle line in fixed point.
    #[inline(always)]
    fn measure_ring(&mut self, ring: &Ring, cells: Cells) {
        let (inverse, line) = (1.0 / ring.units as f32, ring.in_row(cells.row));
        for group in 0..cells.groups {
            let first = cells.column + (group * LANES) as u32;
            let distances: [f64; LANES] = match &line {
                Some(line) => line.distances(first),
                None => std::array::from_fn(|i| f64::from(ring.distance(first + i as u32, cells.row))),
            };
            for i in 0..LANES {
                let distance = distances[i] as f32;
                let in_cells = distance * inverse;
                self.distances[group][i] = distance;
                let is_felt = distances[i] < f64::from(ring.reach);
                self.squares[group][i] = if is_felt { in_cells * in_cells } else { f32::INFINITY };
            }
        }
    }

    /// From a polygon: side by side, each of all cells.
    #[inline(always)]
    fn measure_polygon(&mut self, from: Figured<'_>, cells: Cells, corners: &[[f32; 2]]) {
        self.locate(from, cells);
        for group in 0..cells.groups {
            self.squares[group] = [f32::INFINITY; LANES];
            self.inside[group] = [0; LANES];
        }
        let mut last = corners[corners.len() - 1];
        for &corner in corners {
            let side = Side::between(last, corner);
            let x_per_y = side.x_per_y();
            for group in 0..cells.groups {
                for i in 0..LANES {
                    let (x, y) = (self.own[0][group][i], self.own[1][group][i]);
                    let square = side.square_to(x, y, NEGATIVE_ZERO);
                    let nearest = self.squares[group][i];
                    self.squares[group][i] = if square < nearest { square } else { nearest };
                    let crosses = side.is_at_height(y) & side.is_to_the_right(x, y, x_per_y, NEGATIVE_ZERO);
                    self.inside[group][i] ^= u32::from(crosses);
                }
            }
            last = corner;
        }
        for group in 0..cells.groups {
            for i in 0..LANES {
                let outside = self.squares[group][i];
                self.squares[group][i] = if self.inside[group][i] == 0 { outside } else { 0.0 };
            }
        }
    }
}

/// The coordinates of a group of cells in the entity's own.
#[inline(always)]
fn own_of(from: Figured<'_>, cells: Cells, group: usize) -> [Lanes; 2] {
    let ([at_x, at_y], [low_x, low_y]) = (from.placed.at, from.low);
    let down = offset(cells.row as f32, at_y, low_y);
    let first = cells.column + (group * LANES) as u32;
    let mut own = [[0.0; LANES], [down; LANES]];
    for i in 0..LANES {
        own[0][i] = offset((first + i as u32) as i32 as f32, at_x, low_x);
    }
    if let Some([sin, cos]) = from.placed.turn {
        for i in 0..LANES {
            (own[0][i], own[1][i]) = turned(own[0][i], down, sin, cos, NEGATIVE_ZERO);
        }
    }
    own
}

/// The square of the distance of a point, in the coordinates of a figure; infinite where there is none. A trait instead of
/// closures, which a compiler may leave in functions of their own, compiled for any processor.
trait Far: Copy {
    fn square(self, x: f32, y: f32) -> f32;
}

#[derive(Clone, Copy)]
struct ToPoint;

impl Far for ToPoint {
    #[inline(always)]
    fn square(self, x: f32, y: f32) -> f32 {
        square_of(x, y, NEGATIVE_ZERO)
    }
}

#[derive(Clone, Copy)]
struct ToWall(f32);

impl Far for ToWall {
    #[inline(always)]
    fn square(self, x: f32, y: f32) -> f32 {
        square_of(along_wall(x, self.0), y, NEGATIVE_ZERO)
    }
}

#[derive(Clone, Copy)]
struct ToBox([f32; 2]);

impl Far for ToBox {
    #[inline(always)]
    fn square(self, x: f32, y: f32) -> f32 {
        square_of(beside_box(x, self.0[0]), beside_box(y, self.0[1]), NEGATIVE_ZERO)
    }
}

/// Sine and cosine of half the opening.
#[derive(Clone, Copy)]
struct InCone(f32, f32);

impl Far for InCone {
    #[inline(always)]
    fn square(self, x: f32, y: f32) -> f32 {
        let is_inside = is_in_cone(x, y, self.0, self.1, NEGATIVE_ZERO);
        if is_inside { square_of(x, y, NEGATIVE_ZERO) } else { f32::INFINITY }
    }
}
