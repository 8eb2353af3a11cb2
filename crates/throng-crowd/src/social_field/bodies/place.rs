//! Where bodies are, and where they can go.

use super::super::rules::body::middle;
use super::super::rules::direction::{step_x, step_y};
use super::super::rules::grid::Grid;
use super::super::scene::{EMPTY, WALL};

/// The space unit in which a body reads fields.
pub fn reading_unit(grid: &Grid, at: u32, body: [u8; 2]) -> u32 {
    let ([x, y], [width, height]) = (grid.place(at), body.map(i32::from));
    grid.unit_at(x + middle(width), y + middle(height))
}

/// Whether a body may move in a direction: all space units of its new place are empty or its own, and a diagonal move does
/// not squeeze it through between two walls.
pub fn is_possible(grid: &Grid, occupants: &[u32], at: u32, body: [u8; 2], direction: u32) -> bool {
    let occupant = |unit: u32| occupants.get(unit as usize).copied().unwrap_or(WALL);
    let own = occupants[at as usize];
    let [x, y] = grid.place(at);
    let to = grid.neighbour(x, y, direction);
    if to >= grid.units() as u32 || !grid.rectangle(to, body).all(|unit| [EMPTY, own].contains(&occupant(unit))) {
        return false;
    }
    direction.is_multiple_of(2) || !corners(grid, at, body, direction).into_iter().all(|unit| occupant(unit) == WALL)
}

/// The two space units beside a diagonal move that the body passes on both sides.
fn corners(grid: &Grid, at: u32, body: [u8; 2], direction: u32) -> [u32; 2] {
    let ([x, y], [width, height]) = (grid.place(at), body.map(i32::from));
    let (east, north) = (step_x(direction) > 0, step_y(direction) > 0);
    let beside = (if east { x + width } else { x - 1 }, if north { y } else { y + height - 1 });
    let above = (if east { x } else { x + width - 1 }, if north { y + height } else { y - 1 });
    [beside, above].map(|(x, y)| grid.unit_at(x, y))
}
