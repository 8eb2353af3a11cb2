//! The reading positions, the possible moves and the changes of size of bodies, as defined. Used by no executor.

use super::super::rules::direction::{step_x, step_y, turned};
use super::super::rules::grid::{Grid, NOWHERE};
use super::super::scene::{BodyLimits, EMPTY, Pedestrians, WALL};
use super::{Intent, Reference};

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

/// A pedestrian that occupies another rectangle after the tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Placed {
    pub pedestrian: u32,
    pub at: u32,
    pub body: [u8; 2],
    /// Direction of the step; `None` if the body changes its size.
    pub step: Option<u32>,
}

impl Reference {
    /// Returns the rectangle that a pedestrian with an intent wants to occupy, except for exchanges.
    pub(super) fn wanted(&self, pedestrian: usize, intent: Intent) -> Option<Placed> {
        let (at, body, grid) = (self.pedestrians.at[pedestrian], self.pedestrians.body(pedestrian), &self.world.grid);
        let placed = |at: u32, body: [u8; 2], step| Placed { pedestrian: pedestrian as u32, at, body, step };
        match intent {
            Intent::Still | Intent::Exchange(_) => None,
            Intent::Enter(direction) => {
                let [x, y] = grid.place(at);
                Some(placed(grid.neighbour(x, y, direction), body, Some(direction)))
            }
            Intent::Grow(direction) => {
                let (at, body) = grown(grid, at, body, direction);
                Some(placed(at, body, None))
            }
        }
    }

    /// Counts the ticks for which pedestrians have not been able to move, and returns those that squeeze. `placed`:
    /// those that could move or grow in this tick. Those that wanted to grow do not squeeze.
    pub(super) fn squeeze(&mut self, placed: &[Placed], intents: &[Intent]) -> Vec<Placed> {
        let mut has_moved = vec![false; self.pedestrians.len()];
        for placed in placed {
            has_moved[placed.pedestrian as usize] = true;
        }
        let mut squeezed = Vec::new();
        for (pedestrian, has_moved) in (0..self.pedestrians.blocked.len()).zip(has_moved) {
            let blocked = self.pedestrians.blocked[pedestrian];
            let ticks = if has_moved {
                0
            } else if self.tick < self.pedestrians.due[pedestrian] {
                continue;
            } else if blocked >= self.tables.squeeze_after {
                // After a squeeze, the ticks are counted from 1 again.
                1
            } else {
                blocked + 1
            };
            self.pedestrians.blocked[pedestrian] = ticks;
            let wants_to_grow = matches!(intents[pedestrian], Intent::Grow(_));
            if ticks == self.tables.squeeze_after && !wants_to_grow {
                let [_, prefers_right] = self.draw(pedestrian as u32);
                let (grid, occupants) = (&self.world.grid, &self.occupants);
                let smaller = smaller(grid, occupants, &self.pedestrians, pedestrian, prefers_right == 1);
                let pedestrian = pedestrian as u32;
                squeezed.extend(smaller.map(|(at, body)| Placed { pedestrian, at, body, step: None }));
            }
        }
        squeezed
    }

    /// Returns the direction in which a pedestrian wants to grow: the first in which it can enter all space units, if
    /// its body is too small and it could move.
    pub(super) fn growth(&self, pedestrian: usize) -> Option<u32> {
        if self.pedestrians.blocked.get(pedestrian) != Some(&0) {
            return None;
        }
        let (unit, body, grid) = (self.pedestrians.at[pedestrian], self.pedestrians.body(pedestrian), &self.world.grid);
        let BodyLimits { largest, .. } = self.pedestrians.limits(pedestrian);
        let is_own = |unit: u32| self.occupants.get(unit as usize) == Some(&(pedestrian as u32));
        let can_enter =
            |unit: u32| self.occupants.get(unit as usize) == Some(&EMPTY) && self.pedestrians.lets_in(unit, self.tick);
        let is_possible = |&direction: &u32| {
            let (to, larger) = grown(grid, unit, body, direction);
            let is_within = larger.iter().zip(largest).all(|(&side, largest)| side <= largest);
            is_within && to != NOWHERE && grid.rectangle(to, larger).all(|unit| is_own(unit) || can_enter(unit))
        };
        let [_, prefers_right] = self.draw(pedestrian as u32);
        let order = growth_order(self.pedestrians.heading[pedestrian].into(), prefers_right == 1);
        order.into_iter().find(is_possible)
    }
}

/// Returns the directions in which a body grows, the first to try first: anticlockwise from the left of its heading to
/// straight ahead, or clockwise from the right for a pedestrian that prefers it. For a diagonal heading, as for the
/// axis at 45° on that side.
fn growth_order(heading: u32, prefers_right: bool) -> [u32; 4] {
    let [beside, turns] = if prefers_right { [7, 6] } else { [1, 2] };
    let along_axis = if heading.is_multiple_of(2) { heading } else { turned(heading, beside) };
    [1, 2, 3, 4].map(|quarters| turned(along_axis, quarters * turns))
}

/// Returns the position and the size of a body with another column or row in a direction along an axis. The position is
/// NOWHERE beyond a closed border.
fn grown(grid: &Grid, at: u32, [columns, rows]: [u8; 2], direction: u32) -> (u32, [u8; 2]) {
    let [x, y] = grid.place(at);
    match direction {
        0 => (at, [columns + 1, rows]),
        2 => (at, [columns, rows + 1]),
        4 => (grid.unit_at(x - 1, y), [columns + 1, rows]),
        _ => (grid.unit_at(x, y - 1), [columns, rows + 1]),
    }
}

/// Returns the position and the size of the body of a pedestrian that squeezes; `None` if it has its smallest size.
fn smaller(
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
