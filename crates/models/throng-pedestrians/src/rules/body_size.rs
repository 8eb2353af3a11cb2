//! Bodies whose size changes: pedestrians that squeeze when they cannot move, and grow back afterwards.
//!
//! The paper (Yu et al.) states that width and height may change independently in a very crowded population. The rules
//! are Throng's own.
//!
//! * A pedestrian that has not been able to move for some ticks gives up a row or a column of space units.
//! * A pedestrian that could move grows back by a row or a column, instead of its next step, if it can enter these
//!   space units. It claims them like those of a step in the same direction, so that the vote of the tick decides.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(clippy::collapsible_if, reason = "in a kernel the right side of `&&` always runs")]

use throng_device::cubecl::{self, prelude::*};
use throng_device::exact::copied;

use super::body::{Body, Shape};
#[cfg(feature = "gpu")]
use super::decision::PedestrianViewExpand;
use super::decision::{PedestrianView, Weights, decide};
use super::direction::{NONE, step_x, step_y, turned};
#[cfg(feature = "gpu")]
use super::floor::FloorViewExpand;
use super::floor::{EMPTY, FloorView};
use super::grid::Grid;

/// The smallest and the largest size of a body.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub smallest_columns: i32,
    pub smallest_rows: i32,
    pub largest_columns: i32,
    pub largest_rows: i32,
}

/// Bit of an intent: the pedestrian wants to grow in the direction instead of a step.
pub const GROWS: u32 = 16;

/// Returns the direction of an intent, or [`NONE`].
#[cube]
#[inline]
pub fn direction_of(intent: u32) -> u32 {
    intent & 15u32
}

/// Whether a pedestrian with this intent wants to grow.
#[cube]
#[inline]
pub fn grows(intent: u32) -> bool {
    intent & GROWS != 0u32
}

/// Returns the intent of a pedestrian: it grows if its body is too small and it could move, and otherwise makes a step.
/// `blocked`: number of ticks for which it has not been able to move. `changes`: whether bodies change their size.
#[cube]
#[inline]
pub fn intent<P: PedestrianView>(
    pedestrian: &mut P,
    weights: &Weights,
    shape: Shape,
    limits: Limits,
    blocked: u32,
    #[comptime] changes: bool,
) -> u32 {
    let mut growth = NONE.runtime();
    if comptime!(changes) {
        if blocked == 0u32 && (shape.columns < limits.largest_columns || shape.rows < limits.largest_rows) {
            let possible = pedestrian.around().free;
            growth = growth_direction(possible, shape, limits, pedestrian.drawn().prefers_right);
        }
    }
    let mut intent = growth | GROWS;
    if growth == NONE {
        intent = decide::<P>(pedestrian, weights, shape.heading, false).direction;
    }
    intent
}

/// Returns the direction in which a body grows, or [`NONE`]: of the directions along the axes in which it is too small
/// and whose bit is set in `possible`, the first to the left of its heading, behind, to the right, and ahead. A
/// pedestrian that prefers the right begins there. With a diagonal heading, the order is that of the axis at 45° on the
/// side on which it begins.
#[cube]
#[inline]
pub fn growth_direction(possible: u32, shape: Shape, limits: Limits, prefers_right: u32) -> u32 {
    let mut chosen = NONE.runtime();
    for quarters in 1..5u32 {
        // Directions along the axes are 45° off diagonal headings.
        let left = 2u32 * quarters + (shape.heading & 1u32);
        let direction = turned(shape.heading, select(prefers_right == 1u32, 16u32 - left, left));
        let is_along_x = step_y(direction) == 0i32;
        let side = select(is_along_x, shape.columns, shape.rows);
        let largest = select(is_along_x, limits.largest_columns, limits.largest_rows);
        if chosen == NONE && side < largest && (possible >> direction) & 1u32 == 1u32 {
            chosen = direction;
        }
    }
    chosen
}

/// Returns a body that has grown by one space unit in a direction along an axis. Its position may be beyond a periodic
/// border.
#[cube]
#[inline]
pub fn grown(body: Body, direction: u32) -> Body {
    let (x, y) = (step_x(direction), step_y(direction));
    let Shape { heading, columns, rows } = body.shape;
    let shape = Shape { heading, columns: columns + x * x, rows: rows + y * y };
    Body { pedestrian: body.pedestrian, shape, x: body.x + min(x, 0i32), y: body.y + min(y, 0i32) }
}

/// Returns the number of ticks for which a pedestrian has not been able to move, after another such tick. With
/// `squeeze_after` it gives up space units, and counts from 1 again.
#[cube]
#[inline]
pub fn blocked_again(blocked: u32, squeeze_after: u32) -> u32 {
    select(blocked < squeeze_after, blocked + 1u32, 1u32)
}

/// Returns a body that has given up one row or column of its space units; the same body if it has its smallest size.
/// Its position may be beyond a periodic border.
///
/// It first gives up space units beside its heading, then those along it. Across a diagonal heading it gives up those
/// of the longer side, of columns if the sides are equal. Beside a heading along an axis, it gives up those at the end
/// in front of which it is blocked; if this is at both ends or at none, those to the left if it prefers the right in
/// this tick, and vice versa. Otherwise it gives up those behind.
#[cube]
#[inline]
pub fn squeezed<F: FloorView>(floor: &F, grid: &Grid, body: Body, limits: Limits, prefers_right: u32) -> Body {
    let (x, y, heading) = (body.x, body.y, body.shape.heading);
    let (columns, rows) = (body.shape.columns, body.shape.rows);
    let (ahead_x, ahead_y) = (step_x(heading), step_y(heading));
    let is_diagonal = heading & 1u32 == 1u32;
    let columns_first = (is_diagonal && columns >= rows) || ahead_x == 0i32;
    let can_lose_column = columns > limits.smallest_columns;
    let can_lose_row = rows > limits.smallest_rows;
    let loses_column = can_lose_column && (columns_first || !can_lose_row);
    let loses_row = can_lose_row && !loses_column;

    // Whether the space units given up are those in the first column or row. At first: those behind.
    let mut is_first = (loses_column && ahead_x > 0i32) || (loses_row && ahead_y > 0i32);
    if (loses_column && ahead_x == 0i32) || (loses_row && ahead_y == 0i32) {
        // The space units ahead of both ends.
        let first_x = select(ahead_x == 0i32, x, select(ahead_x > 0i32, x + columns, x - 1i32));
        let first_y = select(ahead_y == 0i32, y, select(ahead_y > 0i32, y + rows, y - 1i32));
        let last_x = select(ahead_x == 0i32, x + columns - 1i32, first_x);
        let last_y = select(ahead_y == 0i32, y + rows - 1i32, first_y);
        let first_is_blocked = select(floor.occupant(grid.unit_at(first_x, first_y)) != EMPTY, 1u32, 0u32);
        let last_is_blocked = select(floor.occupant(grid.unit_at(last_x, last_y)) != EMPTY, 1u32, 0u32);
        // The first row is to the right of east, and the first column to the right of south.
        let right_is_first = select(heading == 0u32 || heading == 6u32, 1u32, 0u32);
        is_first = first_is_blocked > last_is_blocked;
        if first_is_blocked == last_is_blocked {
            is_first = right_is_first != prefers_right;
        }
    }
    let (lost_columns, lost_rows) = (select(loses_column, 1i32, 0i32), select(loses_row, 1i32, 0i32));
    let shape = Shape { heading: copied(heading), columns: columns - lost_columns, rows: rows - lost_rows };
    let (moved_x, moved_y) = (select(is_first, lost_columns, 0i32), select(is_first, lost_rows, 0i32));
    Body { pedestrian: copied(body.pedestrian), shape, x: x + moved_x, y: y + moved_y }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { smallest_columns: 1, smallest_rows: 2, largest_columns: 3, largest_rows: 4 };

    fn shape(heading: u32, columns: i32, rows: i32) -> Shape {
        Shape { heading, columns, rows }
    }

    #[test]
    fn bodies_grow_to_the_left_behind_to_the_right_and_ahead() {
        let all = 0b1111_1111;
        let order = |heading: u32, prefers_right: u32| {
            let mut possible = all;
            [(); 4].map(|()| {
                let direction = growth_direction(possible, shape(heading, 1, 2), LIMITS, prefers_right);
                possible &= !(1 << direction);
                direction
            })
        };
        assert_eq!([order(0, 0), order(0, 1)], [[2, 4, 6, 0], [6, 4, 2, 0]]);
        assert_eq!([order(6, 0), order(6, 1)], [[0, 2, 4, 6], [4, 2, 0, 6]]);
        // North-east, and south-west.
        assert_eq!([order(1, 0), order(1, 1)], [[4, 6, 0, 2], [6, 4, 2, 0]]);
        assert_eq!([order(5, 0), order(5, 1)], [[0, 2, 4, 6], [2, 0, 6, 4]]);
        // Sides of their largest size do not grow, and diagonals do not count.
        assert_eq!(growth_direction(all, shape(0, 1, 4), LIMITS, 0), 4);
        assert_eq!(growth_direction(all, shape(0, 3, 3), LIMITS, 1), 6);
        assert_eq!(growth_direction(all, shape(0, 3, 4), LIMITS, 0), NONE);
        assert_eq!(growth_direction(0b1010_1010, shape(1, 1, 2), LIMITS, 0), NONE);
    }

    #[test]
    fn grown_bodies_contain_the_smaller_ones() {
        let body = Body { pedestrian: 7, shape: shape(3, 2, 3), x: 10, y: 20 };
        let found = [0, 2, 4, 6].map(|direction| {
            let Body { shape, x, y, .. } = grown(body, direction);
            (x, y, shape.columns, shape.rows)
        });
        assert_eq!(found, [(10, 20, 3, 3), (10, 20, 2, 4), (9, 20, 3, 3), (10, 19, 2, 4)]);
    }

    #[test]
    fn blocked_ticks_are_counted_from_one_after_each_squeeze() {
        let counted = |squeeze_after: u32| {
            let mut blocked = 0;
            [(); 7].map(|()| {
                blocked = blocked_again(blocked, squeeze_after);
                blocked
            })
        };
        assert_eq!(counted(3), [1, 2, 3, 1, 2, 3, 1]);
        assert_eq!(counted(1), [1; 7]);
    }

    #[test]
    fn intents_contain_a_direction() {
        assert_eq!([0, 7, 6 | GROWS, NONE].map(direction_of), [0, 7, 6, NONE]);
        assert_eq!([0, 7, 6 | GROWS, NONE].map(grows), [false, false, true, false]);
    }
}
