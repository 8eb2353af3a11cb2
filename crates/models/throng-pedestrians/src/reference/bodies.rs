//! The reading positions and possible moves of bodies, as defined. Used by no executor.

use super::super::rules::direction::{step_x, step_y};
use super::super::rules::grid::Grid;
use super::super::scene::{EMPTY, WALL};

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
