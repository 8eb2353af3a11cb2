//! The cells of a row that a shape may reach.

use crate::placed::Placed;
use crate::resolved_shape::ResolvedShape;

/// Half-open column ranges: one before a gap and one after it.
pub(super) type Spans = [(u32, u32); 2];

/// An interval of an axis, in cells.
type Interval = (f64, f64);

/// The empty interval, the neutral element of unions.
const NOTHING: Interval = (f64::INFINITY, f64::NEG_INFINITY);
const EVERYTHING: Interval = (f64::NEG_INFINITY, f64::INFINITY);

/// A shape and its reach, from which the spans of rows are computed. They are slightly longer than the exact ones,
/// because distances are rounded. Cost per row: one or two roots, or two per side of a shape with corners.
pub(super) struct Outline<'p> {
    placed: &'p Placed,
    at: [f64; 2],
    /// Sine and cosine of the heading.
    turn: [f64; 2],
    reach: f64,
    /// Exceeds the rounding error of distances.
    margin: f64,
}

impl<'p> Outline<'p> {
    /// Creates the outline of an entity whose position has this remainder, for rows and columns up to `last`. The
    /// effect may extend beyond its reach by the `rounding` of its distances.
    pub fn new(placed: &'p Placed, low: [f32; 2], last: u32, rounding: f32) -> Self {
        let at = [0, 1].map(|axis| f64::from(placed.position[axis]) + f64::from(low[axis]));
        let turn = placed.turn.unwrap_or([0.0, 1.0]).map(f64::from);
        let margin = 0.01 + f64::from(rounding) + 4e-6 * f64::from(placed.farthest()) + 4e-7 * f64::from(last);
        let reach = if matches!(placed.figure, ResolvedShape::Stamp(_)) { 0.0 } else { f64::from(placed.reach) };
        Self { placed, at, turn, reach: reach + margin, margin }
    }

    /// The columns of a row, within the given ones, that may be reached.
    pub fn in_row(&self, row: u32, columns: (u32, u32)) -> Spans {
        let y = f64::from(row);
        let (whole, gap) = match &self.placed.figure {
            ResolvedShape::Disc => (self.chord(y, self.reach), NOTHING),
            ResolvedShape::Ring { radius } => {
                let radius = f64::from(*radius);
                (self.chord(y, radius + self.reach), self.chord(y, radius - self.reach))
            }
            ResolvedShape::Diamond { radius } => {
                let radius = f64::from(*radius);
                (self.in_diamond(y, radius + self.reach), self.in_diamond(y, radius - self.reach))
            }
            ResolvedShape::Square { radius } => {
                let radius = f64::from(*radius);
                (self.in_square(y, radius + self.reach), self.in_square(y, radius - self.reach))
            }
            ResolvedShape::Capsule { length } => (self.around(&[[0.0; 2], [*length, 0.0]], y), NOTHING),
            ResolvedShape::Box { half: [a, b] } => (self.around(&[[-a, -b], [*a, -b], [*a, *b], [-a, *b]], y), NOTHING),
            ResolvedShape::Polygon(corners) => (self.around(corners, y), NOTHING),
            ResolvedShape::Cone { sin, cos } => (self.in_cone(y, [*sin, *cos].map(f64::from)), NOTHING),
            ResolvedShape::Stamp(stamp) => {
                let [a, b] = stamp.half();
                (self.around(&[[-a, -b], [a, -b], [a, b], [-a, b]], y), NOTHING)
            }
        };
        let (from, end) = columns;
        // The cast turns NaN and negative numbers into 0.
        let first = |at: f64| (at.ceil().max(0.0) as u32).clamp(from, end);
        let behind = |at: f64| ((at.floor() + 1.0).max(0.0) as u32).clamp(from, end);
        let (left, right) = (first(whole.0), behind(whole.1));
        if gap.0 < gap.1 {
            let (gap_left, gap_right) = (first(gap.0).max(left), behind(gap.1).min(right));
            if gap_left < gap_right {
                return [(left, gap_left), (gap_right, right)];
            }
        }
        [(left, right.max(left)), (right, right)]
    }

    /// The chord of a circle around the position.
    fn chord(&self, y: f64, radius: f64) -> Interval {
        let down = y - self.at[1];
        let square = radius * radius - down * down;
        if radius <= 0.0 || square < 0.0 {
            return NOTHING;
        }
        let half = square.sqrt();
        (self.at[0] - half, self.at[0] + half)
    }

    /// The points within `radius` of the position in the Manhattan metric.
    fn in_diamond(&self, y: f64, radius: f64) -> Interval {
        let half = radius - (y - self.at[1]).abs();
        if half < 0.0 { NOTHING } else { (self.at[0] - half, self.at[0] + half) }
    }

    /// The same in the Chebyshev metric.
    fn in_square(&self, y: f64, radius: f64) -> Interval {
        if (y - self.at[1]).abs() > radius { NOTHING } else { (self.at[0] - radius, self.at[0] + radius) }
    }

    /// The points within reach of a closed polygon, given by its corners in the entity's coordinates, and the points in
    /// between.
    fn around(&self, corners: &[[f32; 2]], y: f64) -> Interval {
        let [sin, cos] = self.turn;
        let on_grid = |corner: &[f32; 2]| {
            let [along, aside] = corner.map(f64::from);
            [self.at[0] + cos * along - sin * aside, self.at[1] + sin * along + cos * aside]
        };
        let mut found = NOTHING;
        let mut from = on_grid(&corners[corners.len() - 1]);
        for corner in corners {
            let to = on_grid(corner);
            // Around the corner.
            let down = y - to[1];
            let square = self.reach * self.reach - down * down;
            if square >= 0.0 {
                let half = square.sqrt();
                found = (found.0.min(to[0] - half), found.1.max(to[0] + half));
            }
            // Along both lines that are parallel to this side at the distance of the reach.
            let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
            let length = (dx * dx + dy * dy).sqrt();
            if dy != 0.0 && length > 0.0 {
                let [off_x, off_y] = [-dy / length * self.reach, dx / length * self.reach];
                for side in [-1.0, 1.0] {
                    let share = (y - (from[1] + side * off_y)) / dy;
                    if (0.0..=1.0).contains(&share) {
                        let x = from[0] + side * off_x + share * dx;
                        found = (found.0.min(x), found.1.max(x));
                    }
                }
            }
            from = to;
        }
        found
    }

    /// The points of a cone with this sine and cosine of half its opening.
    fn in_cone(&self, y: f64, [half_sin, half_cos]: [f64; 2]) -> Interval {
        let mut found = self.chord(y, self.reach);
        // With half an opening of a right angle or more, a cone is not the intersection of two half-planes.
        if half_cos <= 0.0 {
            return found;
        }
        let [sin, cos] = self.turn;
        let down = y - self.at[1];
        for side in [-1.0, 1.0] {
            let across = half_sin * cos + side * half_cos * sin;
            let rest = (half_sin * sin - side * half_cos * cos) * down;
            // The points with `across * dx + rest >= -margin`.
            let bound = self.at[0] + (-self.margin - rest) / across;
            let (left, right) = match across {
                positive if positive > 1e-6 => (bound, f64::INFINITY),
                negative if negative < -1e-6 => (f64::NEG_INFINITY, bound),
                _ => EVERYTHING,
            };
            found = (found.0.max(left), found.1.min(right));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entities::Entity;
    use crate::metric::Metric;
    use crate::profile::Profile;
    use crate::shape::Shape;
    use throng_pictures::Grid;

    fn spans(shape: Shape, row: u32) -> Spans {
        spans_in(Metric::Euclidean, shape, row)
    }

    fn spans_in(metric: Metric, shape: Shape, row: u32) -> Spans {
        let grid = Grid::new([-0.5, -0.5], 1.0, 100, 100).unwrap();
        let entity = Entity::new([50.0, 50.0], Profile::linear(5.0).unwrap()).with_shape(shape).with_metric(metric);
        Outline::new(&Placed::new(&grid, &entity), [0.0; 2], 100, 0.0).in_row(row, (0, 100))
    }

    #[test]
    fn spans_cover_the_reach_of_shapes_and_at_most_one_extra_cell() {
        let one = |from, end| [(from, end), (end, end)];
        assert_eq!(spans(Shape::Disc, 53), one(46, 55));
        assert_eq!(spans(Shape::Ring { radius: 15.0 }, 50), [(30, 41), (60, 71)]);
        assert_eq!(spans(Shape::Ring { radius: 15.0 }, 68), one(42, 59));
        assert_eq!(spans(Shape::Capsule { length: 20.0 }, 53), one(46, 75));
        assert_eq!(spans(Shape::Box { half: [7.0, 3.0] }, 51), one(38, 63));
        let corners = vec![[0.0, 0.0], [10.0, 0.0], [0.0, 10.0]];
        assert_eq!(spans(Shape::Polygon { corners }, 50), one(45, 66));
        assert_eq!(spans(Shape::Cone { half_angle: 0.1 }, 50), one(50, 56));
        let in_metrics =
            |shape: Shape, row| [Metric::Manhattan, Metric::Chebyshev].map(|m| spans_in(m, shape.clone(), row));
        assert_eq!(in_metrics(Shape::Disc, 53), [one(48, 53), one(45, 56)]);
        assert_eq!(in_metrics(Shape::Ring { radius: 15.0 }, 46), [[(34, 45), (56, 67)], [(30, 41), (60, 71)]]);
        assert_eq!(in_metrics(Shape::Ring { radius: 15.0 }, 63), [one(43, 58), one(30, 71)]);
        let [nothing, more] = spans(Shape::Disc, 60);
        assert!(nothing.0 == nothing.1 && more.0 == more.1);
    }
}
