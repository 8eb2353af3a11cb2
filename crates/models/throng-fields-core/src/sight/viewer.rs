//! Viewers, and viewers in the coordinates of a grid.

use std::f32::consts::PI;

use throng_core::InputError;
use throng_core::checks::{finite, positive};
use throng_pictures::Grid;

use crate::heading::sin_cos;

/// An observer of the cells around it.
///
/// A viewer sees from the centre of the cell that contains its position: the open cells whose centres are within its
/// range of that centre, and to which the line of sight [is clear](super::is_visible). In a wall or outside the grid,
/// it sees nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Viewer {
    /// Position, world units.
    pub position: [f64; 2],
    /// Distance up to which the viewer sees, world units. Its square, in cells, is increased by a millionth, so that
    /// the rounding of decimal fractions excludes no cell at exactly this distance.
    pub range: f32,
    /// The amount that the viewer adds to a cell that it sees.
    pub strength: f32,
    /// Direction in which the viewer looks, radians from the x axis.
    pub heading: f32,
    /// Angle of its field of view, half of it on either side of the heading, radians. The viewer also sees cells on the
    /// edges, whose directions are rounded to a millionth, and its own cell. `None` for all directions.
    pub opening: Option<f32>,
}

impl Viewer {
    /// Creates a viewer of strength 1 that looks in all directions.
    pub fn new(position: [impl Into<f64>; 2], range: f32) -> Self {
        Self { position: position.map(Into::into), range, strength: 1.0, heading: 0.0, opening: None }
    }

    /// Replaces the strength.
    pub fn with_strength(self, strength: f32) -> Self {
        Self { strength, ..self }
    }

    /// Restricts the viewer to an opening around a heading, both in radians.
    pub fn looking(self, heading: f32, opening: f32) -> Self {
        Self { heading, opening: Some(opening), ..self }
    }

    /// Rejects numbers that are not finite, a range that is not positive, and an opening outside a full turn.
    ///
    /// # Errors
    /// The first such number.
    pub fn check(&self) -> Result<(), InputError> {
        finite("position x", self.position[0])?;
        finite("position y", self.position[1])?;
        positive("range", self.range)?;
        finite("strength", self.strength)?;
        finite("heading", self.heading)?;
        match self.opening {
            Some(opening) if !(opening > 0.0 && opening <= FULL) => {
                Err(InputError::one("opening", opening, "expected an angle above 0, at most a full turn"))
            }
            _ => Ok(()),
        }
    }

    /// The viewer in the coordinates of a grid; `None` outside the grid.
    pub(super) fn placed(&self, grid: &Grid) -> Option<Placed> {
        let range = f64::from(self.range) / f64::from(grid.cell());
        Some(Placed {
            cell: grid.cell_at(self.position)?,
            // Saturates.
            reach: (range * range * (1.0 + 1e-6)) as u64,
            strength: self.strength.to_bits(),
            view: self.opening.filter(|opening| *opening < FULL - TOLERANCE).map(|opening| View {
                forward: direction(self.heading),
                right: direction(self.heading - opening / 2.0),
                left: direction(self.heading + opening / 2.0),
                is_wide: opening > PI + TOLERANCE,
            }),
        })
    }
}

/// A full turn, with the rounding of degrees.
const FULL: f32 = 2.0 * PI + TOLERANCE;
/// Tolerance of angles, radians.
const TOLERANCE: f32 = 2e-6;

/// A viewer in the coordinates of a grid. The order has no meaning; equal viewers are neighbours in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Placed {
    pub cell: (u32, u32),
    /// The square of the range in cells, rounded down.
    pub reach: u64,
    /// The bits of the strength.
    strength: u32,
    view: Option<View>,
}

impl Placed {
    pub fn strength(&self) -> f32 {
        f32::from_bits(self.strength)
    }

    /// Square of the distance between the viewer's cell and another, in cells.
    pub fn square(&self, (column, row): (u32, u32)) -> u64 {
        let [x, y] = [self.cell.0.abs_diff(column), self.cell.1.abs_diff(row)].map(u64::from);
        x * x + y * y
    }

    /// Whether a cell is in the field of view.
    pub fn looks_at(&self, (column, row): (u32, u32)) -> bool {
        let [x, y] = [(column, self.cell.0), (row, self.cell.1)].map(|(to, from)| i64::from(to) - i64::from(from));
        self.view.is_none_or(|view| view.contains(x, y))
    }
}

/// A field of view: the directions from one edge anticlockwise to the other. The edges are integer vectors, so that
/// comparisons are exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct View {
    forward: [i32; 2],
    right: [i32; 2],
    left: [i32; 2],
    /// Whether the opening is more than half a turn.
    is_wide: bool,
}

impl View {
    fn contains(&self, x: i64, y: i64) -> bool {
        let cross = |[a, b]: [i32; 2]| i64::from(a) * y - i64::from(b) * x;
        let (of_right, of_left) = (cross(self.right) >= 0, cross(self.left) <= 0);
        if self.is_wide {
            return of_right || of_left;
        }
        // The edges of a tiny opening may coincide; the opposite direction is not between them.
        let [a, b] = self.forward;
        of_right && of_left && i64::from(a) * x + i64::from(b) * y >= 0
    }
}

/// A direction as a vector with a length of about 2^20.
fn direction(angle: f32) -> [i32; 2] {
    let [sin, cos] = sin_cos(angle);
    [cos, sin].map(|part| (f64::from(part) * f64::from(1 << 20)).round() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> Grid {
        Grid::new([0.0, 0.0], 0.1, 41, 41).unwrap()
    }

    /// The directions (x, y), of those in steps of 45 degrees from 0, that a viewer looks at.
    fn seen(heading: f32, opening: f32) -> Vec<usize> {
        let viewer = Viewer::new([2.05, 2.05], 2.0).looking(heading.to_radians(), opening.to_radians());
        viewer.check().unwrap();
        let placed = viewer.placed(&grid()).unwrap();
        let around = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
        let at = |(x, y): (i32, i32)| ((20 + 7 * x) as u32, (20 + 7 * y) as u32);
        assert!(placed.looks_at((20, 20)));
        (0..8).filter(|&direction| placed.looks_at(at(around[direction]))).collect()
    }

    #[test]
    fn fields_of_view_include_their_edges() {
        assert_eq!(seen(0.0, 90.0), [0, 1, 7]);
        assert_eq!(seen(90.0, 89.0), [2]);
        assert_eq!(seen(135.0, 180.0), [1, 2, 3, 4, 5]);
        assert_eq!(seen(-45.0, 270.0), [0, 1, 2, 4, 5, 6, 7]);
        assert_eq!(seen(10.0, 359.0), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(seen(180.0, 269.0), [2, 3, 4, 5, 6]);
        assert_eq!(seen(180.0, 1e-5), [4]);
        assert_eq!(seen(180.0, 360.0).len(), 8);
    }

    #[test]
    fn ranges_include_cells_at_exactly_their_distance() {
        // 0.1 is rounded up in single precision, so 2 / 0.1 is less than 20.
        assert_eq!(Viewer::new([2.05, 2.05], 2.0).placed(&grid()).unwrap().reach, 400);
        assert_eq!(Viewer::new([2.05, 2.05], 1.99).placed(&grid()).unwrap().reach, 396);
        assert_eq!(Viewer::new([2.05, 2.05], f32::MAX).placed(&grid()).unwrap().reach, u64::MAX);
        assert_eq!(Viewer::new([4.2, 2.05], 2.0).placed(&grid()), None);
    }

    #[test]
    fn invalid_viewers_are_refused() {
        let place = |viewer: Viewer| viewer.check().unwrap_err().place().to_owned();
        let viewer = Viewer::new([1.0, 1.0], 1.0);
        assert_eq!(place(Viewer::new([f64::NAN, 1.0], 1.0)), "position x");
        for range in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert_eq!(place(Viewer { range, ..viewer }), "range");
        }
        assert_eq!(place(viewer.with_strength(f32::NAN)), "strength");
        assert_eq!(place(viewer.looking(f32::INFINITY, 1.0)), "heading");
        for opening in [0.0, -1.0, 6.3, f32::NAN] {
            assert_eq!(place(viewer.looking(0.0, opening)), "opening");
        }
    }
}
