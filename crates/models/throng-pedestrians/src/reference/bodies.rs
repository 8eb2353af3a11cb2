//! The reading positions, the possible moves and the changes of size of bodies, as defined. Used by no executor.

use super::super::rules::direction::{step_x, step_y, turned};
use super::super::rules::grid::Grid;
use super::super::scene::{BodyLimits, EMPTY, Pedestrians, WALL};

/// Returns the space unit at which a body at a position reads fields: the middle one, or the first of two middle ones.
pub fn reading_unit(grid: &Grid, at: u32, body: [u8; 2]) -> u32 {
    let covered: Vec<u32> = grid.rectangle(at, body).collect();
    let [columns, rows] = body.map(usize::from);
    covered[(rows - 1) / 2 * columns + (columns - 1) / 2]
}

/// Whether a step takes a body to another position whose space units are empty or its own, without passing diagonally
/// between two walls.
pub fn is_possible(grid: &Grid, occupants: &[u32], at: u32, body: [u8; 2], direction: u32) -> bool {
    let [x, y] = grid.place(at);
    let to = grid.neighbour(x, y, direction);
    let occupant = |unit: u32| occupants.get(unit as usize).copied().unwrap_or(WALL);
    if to == at || occupant(to) == WALL {
        return false;
    }
    let own = occupants[at as usize];
    let is_free = |unit: u32| [EMPTY, own].contains(&occupant(unit));
    if !grid.rectangle(to, body).all(is_free) {
        return false;
    }
    // Within the bounding rectangle of both positions of the body, a diagonal step leaves two corners uncovered.
    let step = [step_x(direction), step_y(direction)];
    let [columns, rows] = body.map(i32::from);
    let is_covered = |x: i32, y: i32| (0..columns).contains(&x) && (0..rows).contains(&y);
    let mut corners = Vec::new();
    for dy in step[1].min(0)..rows + step[1].max(0) {
        for dx in step[0].min(0)..columns + step[0].max(0) {
            if !is_covered(dx, dy) && !is_covered(dx - step[0], dy - step[1]) {
                corners.push(grid.unit_at(x + dx, y + dy));
            }
        }
    }
    corners.is_empty() || corners.into_iter().any(|unit| occupant(unit) != WALL)
}

/// Returns the directions in which a body grows, the first to try first: along the axes, anticlockwise from the left of
/// the heading to straight ahead; clockwise from the right for a pedestrian that prefers it. For a diagonal heading, left
/// of it is the first axis at more than 90°.
pub fn growth_order(heading: u32, prefers_right: bool) -> [u32; 4] {
    let of_heading: [[u32; 4]; 8] = match prefers_right {
        // For a heading to the east: north, west, south and east.
        false => [
            [2, 4, 6, 0],
            [4, 6, 0, 2],
            [4, 6, 0, 2],
            [6, 0, 2, 4],
            [6, 0, 2, 4],
            [0, 2, 4, 6],
            [0, 2, 4, 6],
            [2, 4, 6, 0],
        ],
        true => [
            [6, 4, 2, 0],
            [6, 4, 2, 0],
            [0, 6, 4, 2],
            [0, 6, 4, 2],
            [2, 0, 6, 4],
            [2, 0, 6, 4],
            [4, 2, 0, 6],
            [4, 2, 0, 6],
        ],
    };
    of_heading[heading as usize]
}

/// Returns the position and the size of a body with another column or row in a direction along an axis. The position is
/// NOWHERE beyond a closed border.
pub fn grown(grid: &Grid, at: u32, [columns, rows]: [u8; 2], direction: u32) -> (u32, [u8; 2]) {
    let [x, y] = grid.place(at);
    match direction {
        0 => (at, [columns + 1, rows]),
        2 => (at, [columns, rows + 1]),
        4 => (grid.unit_at(x - 1, y), [columns + 1, rows]),
        _ => (grid.unit_at(x, y - 1), [columns, rows + 1]),
    }
}

/// Returns the position and the size of the body of a pedestrian that squeezes; `None` if it has its smallest size.
pub fn smaller(
    grid: &Grid,
    occupants: &[u32],
    pedestrians: &Pedestrians,
    pedestrian: usize,
    prefers_right: bool,
) -> Option<(u32, [u8; 2])> {
    let (at, heading) = (pedestrians.at[pedestrian], u32::from(pedestrians.heading[pedestrian]));
    let [columns, rows] = pedestrians.body(pedestrian);
    let BodyLimits { smallest, .. } = pedestrians.limits(pedestrian);
    let [x, y] = grid.place(at);
    let sides = [columns, rows].map(i32::from);
    let step = [step_x(heading), step_y(heading)];
    // The axes along which it loses space units: beside its heading first, or along the longer side.
    let axes = match step {
        [0, _] => [0, 1],
        [_, 0] => [1, 0],
        _ if columns >= rows => [0, 1],
        _ => [1, 0],
    };
    let axis = axes.into_iter().find(|&axis| [columns, rows][axis] > smallest[axis])?;
    let is_beside = step[axis] == 0;
    let loses_first = if is_beside {
        // The space units ahead of the body, of which the first and the last decide.
        let other = 1 - axis;
        let ahead = if step[other] > 0 { sides[other] } else { -1 };
        let is_blocked = |along: i32| {
            let offset = if axis == 0 { [along, ahead] } else { [ahead, along] };
            occupants.get(grid.unit_at(x + offset[0], y + offset[1]) as usize) != Some(&EMPTY)
        };
        let right = [step_x(turned(heading, 6)), step_y(turned(heading, 6))][axis];
        match [is_blocked(0), is_blocked(sides[axis] - 1)] {
            [true, false] => true,
            [false, true] => false,
            // It keeps the side that it prefers.
            _ => (right < 0) != prefers_right,
        }
    } else {
        step[axis] > 0
    };
    let mut body = [columns, rows];
    body[axis] -= 1;
    let mut to = [x, y];
    to[axis] += i32::from(loses_first);
    Some((grid.unit_at(to[0], to[1]), body))
}
