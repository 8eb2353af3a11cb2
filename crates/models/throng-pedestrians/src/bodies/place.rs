//! Where bodies are, and where they can go.

use super::super::rules::body::middle;
use super::super::rules::diagonal::{beside, is_shut};
use super::super::rules::direction::{DIRECTIONS, step_x, step_y};
use super::super::rules::grid::{Grid, NOWHERE};
use super::super::scene::{EMPTY, WALL};

/// The space unit in which a body reads fields.
pub fn reading_unit(grid: &Grid, at: u32, body: [u8; 2]) -> u32 {
    let ([x, y], [width, height]) = (grid.place(at), body.map(i32::from));
    grid.unit_at(x + middle(width), y + middle(height))
}

/// The directions in which a body may move, a bit for each: all space units of its new place, which is another one, are
/// its own, or empty and let somebody in, and a diagonal move does not squeeze it through between two walls.
pub fn possible(grid: &Grid, occupants: &[u32], lets_in: impl Fn(u32) -> bool, at: u32, body: [u8; 2]) -> u32 {
    let occupant = |unit: u32| occupants.get(unit as usize).copied().unwrap_or(WALL);
    let own = occupants[at as usize];
    let [x, y] = grid.place(at);
    let is_possible = |&direction: &u32| {
        let to = grid.neighbour(x, y, direction);
        // In a periodic world of one row or column some directions lead back.
        let is_enterable = |unit: u32| occupant(unit) == own || (occupant(unit) == EMPTY && lets_in(unit));
        let is_free = to != at && to != NOWHERE && grid.rectangle(to, body).all(is_enterable);
        let [one, other] = corners(grid, at, body, direction).map(|unit| occupant(unit) == WALL);
        is_free && !is_shut(direction, beside(direction, one, other))
    };
    (0..DIRECTIONS).filter(is_possible).fold(0, |possible, direction| possible | 1 << direction)
}

/// The two space units beside a diagonal move that the body passes on both sides; of other moves they do not matter.
fn corners(grid: &Grid, at: u32, body: [u8; 2], direction: u32) -> [u32; 2] {
    let ([x, y], [width, height]) = (grid.place(at), body.map(i32::from));
    let (east, north) = (step_x(direction) > 0, step_y(direction) > 0);
    let next_to_it = (if east { x + width } else { x - 1 }, if north { y } else { y + height - 1 });
    let above = (if east { x } else { x + width - 1 }, if north { y + height } else { y - 1 });
    [next_to_it, above].map(|(x, y)| grid.unit_at(x, y))
}
