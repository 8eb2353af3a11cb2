//! Net moves along desired headings, from which flows are computed.

use super::rules::direction::{DIRECTIONS, angle};
use super::rules::grid::Grid;
use super::scene::Pedestrians;

/// Returns the number of pedestrians that moved forwards in a tick minus the number that moved backwards. Forwards is
/// at most 45° off the heading before the tick, backwards at least 135°. Divided by the number of space units, this is
/// the flow of a fundamental diagram. A body that changes its size does not move.
///
/// ```
/// use throng_pedestrians::rules::grid::Grid;
/// use throng_pedestrians::{Pedestrians, net_moves};
/// use throng_device::neighbours::Boundary;
///
/// let grid = Grid { width: 10, height: 5, boundary: Boundary::Periodic };
/// let before = Pedestrians { at: vec![9, 23, 31], heading: vec![0, 0, 0], ..Pedestrians::default() };
/// // The first crosses the border, the second moves backwards, the third sideways.
/// let after = Pedestrians { at: vec![0, 22, 41], ..before.clone() };
/// assert_eq!(net_moves(&grid, &before, &after), 0);
/// ```
pub fn net_moves(grid: &Grid, before: &Pedestrians, after: &Pedestrians) -> i64 {
    (0..before.len()).map(|pedestrian| net_move(grid, before, after, pedestrian)).sum()
}

/// Returns the move of a pedestrian: 1 for forwards, -1 for backwards, and 0 otherwise.
pub(super) fn net_move(grid: &Grid, before: &Pedestrians, after: &Pedestrians, pedestrian: usize) -> i64 {
    if before.body(pedestrian) != after.body(pedestrian) {
        return 0;
    }
    let ([x, y], to) = (grid.place(before.at[pedestrian]), after.at[pedestrian]);
    let direction = (0..DIRECTIONS).find(|&direction| grid.neighbour(x, y, direction) == to);
    match direction.map(|direction| angle(direction, before.heading[pedestrian].into())) {
        Some(0 | 1) => 1,
        Some(3 | 4) => -1,
        _ => 0,
    }
}
