//! Shortest routes to an exit.

use throng_core::Philox;

use super::super::rules::diagonal::blocked_diagonals;
use super::super::rules::direction::{DIRECTIONS, STANDS};
use super::super::rules::openings::UNREACHABLE;
use super::super::scene::World;

/// Cost of a step along an axis, and of a diagonal step.
const AXIS: u32 = 10;
const DIAGONAL: u32 = 14;

/// The shortest routes to an exit from all space units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Routes {
    /// Length of the route from each space unit: 10 per step along an axis and 14 per diagonal step; [`UNREACHABLE`] if
    /// there is none, and in walls and closed doors.
    pub distance: Vec<u32>,
    /// First step of the route from each space unit, a direction; [`STANDS`] in the exit, and where there is no route.
    pub heading: Vec<u8>,
}

impl Routes {
    /// Computes the shortest routes to these space units over passable ones. Among equally good first steps, one is
    /// drawn per space unit, so that crowds in the open spread over all shortest routes.
    ///
    /// Cost: linear in the number of space units.
    pub fn to(world: &World, is_passable: &[bool], targets: &[u32]) -> Self {
        let distance = distances(world, is_passable, targets);
        let draws = Philox::new(0);
        let heading = |unit: u32| {
            if world.is_wall[unit as usize] || distance[unit as usize] == 0 {
                return STANDS;
            }
            // Also from a closed door, in which a pedestrian may still stand, over its passable neighbours.
            let mut best = (UNREACHABLE, 0);
            let mut directions = [0; DIRECTIONS as usize];
            for (direction, next, cost) in steps(world, is_passable, unit) {
                let length = distance[next as usize].saturating_add(cost);
                if length < best.0 {
                    best = (length, 0);
                }
                if length == best.0 && length < UNREACHABLE {
                    directions[best.1 as usize] = direction;
                    best.1 += 1;
                }
            }
            if best.1 == 0 { STANDS } else { directions[draws.below(best.1, unit, 0, 0, 0) as usize] as u8 }
        };
        let heading = (0..world.grid.units() as u32).map(heading).collect();
        Self { distance, heading }
    }
}

/// Yields the steps from a space unit to its passable neighbours: direction, neighbour and cost. No step leads
/// diagonally between two impassable space units.
fn steps<'a>(world: &'a World, is_passable: &'a [bool], unit: u32) -> impl Iterator<Item = (u32, u32, u32)> + 'a {
    let [x, y] = world.grid.place(unit);
    let neighbour = move |direction: u32| world.grid.neighbour(x, y, direction);
    let is_wall = |direction: u32| is_passable.get(neighbour(direction) as usize) != Some(&true);
    let walls = (0..DIRECTIONS).fold(0, |walls, direction| walls | u32::from(is_wall(direction)) << direction);
    let shut = walls | blocked_diagonals(walls);
    (0..DIRECTIONS).filter(move |direction| shut >> direction & 1 == 0).map(move |direction| {
        let cost = if direction % 2 == 1 { DIAGONAL } else { AXIS };
        (direction, neighbour(direction), cost)
    })
}

/// Computes the lengths of shortest routes by Dijkstra's algorithm. All costs are at most [`DIAGONAL`], so the queue is
/// a ring of lists, one per length.
fn distances(world: &World, is_passable: &[bool], targets: &[u32]) -> Vec<u32> {
    let mut distance = vec![UNREACHABLE; world.grid.units()];
    let mut lists: [Vec<u32>; DIAGONAL as usize + 1] = Default::default();
    for &target in targets.iter().filter(|&&target| is_passable[target as usize]) {
        distance[target as usize] = 0;
        lists[0].push(target);
    }
    let mut length = 0;
    while lists.iter().any(|list| !list.is_empty()) {
        let list = std::mem::take(&mut lists[(length % (DIAGONAL + 1)) as usize]);
        for unit in list {
            // Skip entries that were added for a longer route found earlier.
            if distance[unit as usize] != length {
                continue;
            }
            for (_, next, cost) in steps(world, is_passable, unit) {
                if length + cost < distance[next as usize] {
                    distance[next as usize] = length + cost;
                    lists[((length + cost) % (DIAGONAL + 1)) as usize].push(next);
                }
            }
        }
        length += 1;
    }
    distance
}

#[cfg(test)]
mod tests {
    use throng_device::neighbours::Boundary;

    use super::super::super::rules::grid::Grid;
    use super::*;

    fn world(rows: &[&str]) -> (World, Vec<bool>) {
        let grid = Grid { width: rows[0].len() as u32, height: rows.len() as u32, boundary: Boundary::Closed };
        let is_wall: Vec<bool> = rows.iter().rev().flat_map(|row| row.bytes().map(|byte| byte == b'#')).collect();
        let is_passable = is_wall.iter().map(|is_wall| !is_wall).collect();
        (World::new(grid, is_wall).unwrap(), is_passable)
    }

    #[test]
    fn routes_avoid_walls_and_diagonal_gaps() {
        let (world, is_passable) = world(&[".....", ".###.", ".#...", ".#.#.", "..#.."]);
        let routes = Routes::to(&world, &is_passable, &[0]);
        // By hand for the first column and a corner; the others satisfy the equation of shortest routes.
        assert_eq!(routes.distance[0], 0);
        assert_eq!([5, 10, 15, 20].map(|unit: usize| routes.distance[unit]), [10, 20, 30, 40]);
        assert_eq!(routes.distance[21], 44);
        assert_eq!((routes.heading[20], routes.heading[0]), (6, STANDS));
        for unit in (0..25u32).filter(|&unit| is_passable[unit as usize] && unit != 0) {
            let steps = steps(&world, &is_passable, unit);
            let shortest = steps.map(|(_, next, cost)| routes.distance[next as usize].saturating_add(cost)).min();
            assert_eq!(Some(routes.distance[unit as usize]), shortest, "{unit}");
            let heading = u32::from(routes.heading[unit as usize]);
            let [x, y] = world.grid.place(unit);
            let next = world.grid.neighbour(x, y, heading) as usize;
            let cost = if heading % 2 == 1 { DIAGONAL } else { AXIS };
            assert_eq!(routes.distance[next] + cost, routes.distance[unit as usize], "{unit}");
        }
        assert!(
            is_passable.iter().zip(&routes.distance).all(|(is_passable, &far)| *is_passable == (far < UNREACHABLE))
        );
    }

    #[test]
    fn space_units_without_a_route_are_unreachable() {
        let (world, is_passable) = world(&["..#.", "..#.", "..#."]);
        let routes = Routes::to(&world, &is_passable, &[0, 4]);
        assert_eq!(
            [3, 7, 11].map(|unit: usize| (routes.distance[unit], routes.heading[unit])),
            [(UNREACHABLE, STANDS); 3]
        );
        assert_eq!((routes.distance[9], routes.heading[8]), (14, 6));
    }
}
