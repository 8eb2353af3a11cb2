//! Bodies of several space units: rectangles, located by their lower left space unit.
//!
//! The paper (Yu et al.) has bodies, but states only that the field of a body of `q` x `q` space units has sides of
//! `7 q`. The rest is Throng's own: the rings of such a field are `q` space units thick and begin at the body.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(clippy::collapsible_if, reason = "in a kernel the right side of `&&` always runs")]

use throng_device::cubecl::{self, prelude::*};
use throng_device::exact::copied;

use super::body_size::{Limits, blocked_again, direction_of, grown, grows, squeezed};
use super::diagonal::{is_shut, walls_beside};
use super::direction::{DIRECTIONS, NONE, step_x, step_y};
#[cfg(feature = "gpu")]
use super::floor::FloorViewExpand;
use super::floor::{EMPTY, FloorView, FreeFromView, WALL, is_free};
use super::grid::{Grid, NOWHERE};

/// The heading of a pedestrian and the size of its body.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    pub heading: u32,
    pub columns: i32,
    pub rows: i32,
}

/// The outcome of a tick for a pedestrian.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Position of the body's lower left space unit after the tick; [`NOWHERE`] if the body stays as it is.
    pub to: u32,
    /// Size of the body after the tick.
    pub columns: i32,
    pub rows: i32,
    /// Direction of the step; [`NONE`] if the body changes its size, which takes as long as a step along an axis.
    pub direction: u32,
    /// Number of ticks for which the pedestrian has not been able to move.
    pub blocked: u32,
}

/// The state of a pedestrian whose body changes its size.
#[derive(CubeType, Debug, Clone, Copy)]
pub struct Changing {
    pub limits: Limits,
    /// Number of ticks for which it has not been able to move.
    pub blocked: u32,
    /// The number of such ticks after which it squeezes.
    pub squeeze_after: u32,
    /// Whether it tried to move in this tick.
    pub is_due: bool,
    /// 1 if it prefers the right in this tick.
    pub prefers_right: u32,
}

/// A pedestrian, and the lower left space unit of its body.
#[derive(CubeType, Debug, Clone, Copy)]
pub struct Body {
    pub pedestrian: u32,
    pub shape: Shape,
    pub x: i32,
    pub y: i32,
}

/// View of the winners of a tick.
#[cube]
pub trait WinnersView {
    /// The winner of a space unit, or [`EMPTY`].
    fn winner(&self, unit: u32) -> u32;
}

/// View of the outcomes of a tick.
#[cube]
pub trait OutcomesView {
    /// Destination of a pedestrian, or [`NOWHERE`] if its body stays as it is.
    fn destination(&self, pedestrian: u32) -> u32;
    /// Heading of a pedestrian, and size of its body after the tick.
    fn body(&self, pedestrian: u32) -> Shape;
}

/// Returns the distance of a space unit from a body along an axis; 0 alongside the body. `offset`: from the space unit
/// to the first one of the body; `side`: space units of the body along the axis.
#[cube]
#[inline]
pub fn gap(offset: i32, side: i32) -> i32 {
    max(max(offset, 1i32 - side - offset), 0i32)
}

/// Returns the ring of a body's field that contains a space unit, given its [`gap()`]s along x and y. Rings are as
/// thick as the longer side of the body.
#[cube]
#[inline]
pub fn ring(gap_x: i32, gap_y: i32, width: i32, height: i32) -> i32 {
    let thickness = max(width, height);
    (max(gap_x, gap_y) + thickness - 1i32) / thickness
}

/// Returns twice the offset from a space unit to the centre of a body along an axis; the centre may lie between space
/// units.
#[cube]
#[inline]
pub fn to_centre(offset: i32, side: i32) -> i32 {
    2i32 * offset + side - 1i32
}

/// Returns the offset from the first space unit of a body to the one at which the pedestrian reads fields: the middle
/// one, or the first of two middle ones.
#[cube]
#[inline]
pub fn middle(side: i32) -> i32 {
    (side - 1i32) / 2i32
}

/// Returns the directions in which a pedestrian may move its body, a bit for each. The new position
/// must differ from the old one, all its space units must be its own or [free](is_free()), and a diagonal move must not
/// pass between two walls.
///
/// For bodies of one space unit, [`around()`](super::floor::around()) gives the same result with one access per
/// neighbour. Here each direction checks its own space units, since those of larger bodies differ from direction to
/// direction.
#[cube]
#[inline]
pub fn possible<F: FloorView + FreeFromView>(
    floor: &F,
    grid: &Grid,
    body: Body,
    tick: u32,
    #[comptime] has_long_steps: bool,
) -> u32 {
    let mut possible = 0u32;
    for direction in 0..DIRECTIONS {
        if is_possible::<F>(floor, grid, body, direction, tick, has_long_steps) {
            possible |= 1u32 << direction;
        }
    }
    possible
}

#[cube]
#[inline]
fn is_possible<F: FloorView + FreeFromView>(
    floor: &F,
    grid: &Grid,
    body: Body,
    direction: u32,
    tick: u32,
    #[comptime] has_long_steps: bool,
) -> bool {
    let (x, y, shape) = (body.x, body.y, body.shape);
    let (to_x, to_y) = (x + step_x(direction), y + step_y(direction));
    // In a periodic world of one row or column some directions lead back.
    let mut is_possible = grid.unit_at(to_x, to_y) != grid.unit_at(x, y);
    for row in 0..shape.rows {
        for column in 0..shape.columns {
            if is_possible {
                let unit = grid.unit_at(to_x + column, to_y + row);
                let occupant = floor.occupant(unit);
                if occupant != body.pedestrian {
                    is_possible = is_free::<F>(floor, unit, occupant, tick, has_long_steps);
                }
            }
        }
    }
    if direction & 1u32 == 1u32 {
        if is_possible {
            // The two space units that the body passes on either side.
            let (east, north) = (step_x(direction) > 0, step_y(direction) > 0);
            let next_to_it = grid.unit_at(select(east, x + shape.columns, x - 1), select(north, y, y + shape.rows - 1));
            let above = grid.unit_at(select(east, x, x + shape.columns - 1), select(north, y + shape.rows, y - 1));
            let walls = walls_beside(direction, floor.occupant(next_to_it) == WALL, floor.occupant(above) == WALL);
            is_possible = !is_shut(direction, walls);
        }
    }
    is_possible
}

/// Returns the outcome of a tick for a pedestrian with an [`intent()`](super::body_size::intent()). `changes`: whether
/// bodies change their size.
#[cube]
#[inline]
pub fn outcome<V: FloorView + WinnersView>(
    view: &V,
    grid: &Grid,
    body: Body,
    intent: u32,
    changing: &Changing,
    #[comptime] changes: bool,
) -> Outcome {
    let mut direction = direction_of(intent);
    let mut to = NOWHERE.runtime();
    if direction != NONE {
        to = destination::<V>(view, grid, body, direction);
    }
    let mut columns = copied(body.shape.columns);
    let mut rows = copied(body.shape.rows);
    let mut blocked = copied(changing.blocked);
    if comptime!(changes) {
        if to != NOWHERE {
            blocked = 0u32.runtime();
            if grows(intent) {
                let larger = grown(body, direction);
                to = grid.unit_at(larger.x, larger.y);
                columns = larger.shape.columns;
                rows = larger.shape.rows;
                direction = NONE.runtime();
            }
        } else if changing.is_due {
            blocked = blocked_again(changing.blocked, changing.squeeze_after);
            // A pedestrian that only lost the vote for growing has space for its present body.
            if blocked == changing.squeeze_after && !grows(intent) {
                let smaller = squeezed::<V>(view, grid, body, changing.limits, changing.prefers_right);
                if smaller.shape.columns < body.shape.columns || smaller.shape.rows < body.shape.rows {
                    to = grid.unit_at(smaller.x, smaller.y);
                    columns = smaller.shape.columns;
                    rows = smaller.shape.rows;
                    direction = NONE.runtime();
                }
            }
        }
    }
    Outcome { to, columns, rows, direction, blocked }
}

/// Returns the destination of a pedestrian whose body wants to move or grow in a direction: [`NOWHERE`] unless it won
/// all space units that are not its own.
#[cube]
#[inline]
fn destination<V: FloorView + WinnersView>(view: &V, grid: &Grid, body: Body, direction: u32) -> u32 {
    let (x, y, shape) = (body.x, body.y, body.shape);
    let (to_x, to_y) = (x + step_x(direction), y + step_y(direction));
    let mut has_won = true;
    for row in 0..shape.rows {
        for column in 0..shape.columns {
            if has_won {
                let unit = grid.unit_at(to_x + column, to_y + row);
                if view.occupant(unit) != body.pedestrian {
                    has_won = view.winner(unit) == body.pedestrian;
                }
            }
        }
    }
    select(has_won, grid.unit_at(to_x, to_y), NOWHERE)
}

/// Returns the occupant of a space unit after all moves and changes of size. `occupant`: the occupant before.
#[cube]
#[inline]
pub fn occupant_after<V: WinnersView + OutcomesView>(view: &V, grid: &Grid, unit: u32, occupant: u32) -> u32 {
    let mut after = occupant;
    if occupant == EMPTY {
        let winner = view.winner(unit);
        if winner != EMPTY {
            let to = view.destination(winner);
            if to != NOWHERE {
                // A pedestrian that did not win all space units may squeeze instead.
                let shape = view.body(winner);
                if grid.covers(to, shape.columns, shape.rows, unit) {
                    after = winner;
                }
            }
        }
    } else if occupant != WALL {
        let to = view.destination(occupant);
        if to != NOWHERE {
            let shape = view.body(occupant);
            if !grid.covers(to, shape.columns, shape.rows, unit) {
                after = EMPTY.runtime();
            }
        }
    }
    after
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_from_a_body() {
        // A body in columns 3 to 5, seen from columns 0 to 8.
        let gaps: Vec<i32> = (0..9).map(|column| gap(3 - column, 3)).collect();
        assert_eq!(gaps, [3, 2, 1, 0, 0, 0, 1, 2, 3]);
        assert_eq!([0, 4, 8].map(|column| to_centre(3 - column, 3)), [8, 0, -8]);
        assert_eq!([1, 2, 3, 4, 5].map(middle), [0, 0, 1, 1, 2]);
        assert_eq!([0, 3, 4].map(|column| to_centre(3 - column, 2)), [7, 1, -1]);
    }

    #[test]
    fn the_thickness_of_rings_equals_the_size_of_the_body() {
        assert_eq!([0, 1, 2, 3, 9].map(|gap| ring(gap, 0, 1, 1)), [0, 1, 2, 3, 9]);
        assert_eq!([0, 1, 2, 3, 4, 9, 10].map(|gap| ring(gap, 1, 3, 2)), [1, 1, 1, 1, 2, 3, 4]);
        assert_eq!(ring(0, 0, 3, 3), 0);
    }
}
