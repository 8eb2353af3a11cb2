//! The path down the travel times of steps from cell to cell: along the axes, or also diagonally.
//!
//! An agent walks on the lines between the centres of cells, to the neighbour with the lowest time. Ties go to
//! neighbours along the axes, then to the lower row, then to the lower column; diagonals take agents longer than their
//! times say. If an agent is on another line than that to the neighbour, it first walks on to the centre of its cell,
//! and if it is on none, to a line along an axis.

use throng_pictures::Grid;

use super::descent::Times;
use super::travel_times::NEVER;
use crate::metric::Metric;

/// Distance from a line, in cells, up to which an agent is on it: the spacing of positions in single precision, which
/// are rounded by half of it. Agents do not walk on grids on which it is more than a sixteenth.
pub(super) fn on_line(grid: &Grid) -> f64 {
    let ([left, low], cell) = (grid.origin(), f64::from(grid.cell()));
    let far = |at: f64, count: u32| at.abs().max((at + f64::from(count) * cell).abs()) as f32;
    let largest = far(left, grid.columns()).max(far(low, grid.rows()));
    ((f64::from(largest.next_up()) - f64::from(largest)) / cell).min(0.04)
}

/// The point to walk straight to, in cells from the centre of the cell; `None` at goals, in walls, and where no goal
/// can be reached. `at` is the agent's position, in cells from the centre, and `on_line` as above.
pub(super) fn target(times: &Times, metric: Metric, at: [f64; 2], on_line: f64) -> Option<[f64; 2]> {
    let step = step(times, metric)?;
    let ahead = step.map(f64::from);
    // The position relative to the four lines through the centre; along a diagonal, both parts may be rounded.
    let [x, y, falling, rising] = [(at[0], 1.0), (at[1], 1.0), (at[0] + at[1], 2.0), (at[0] - at[1], 2.0)]
        .map(|(far, n)| far.abs() <= n * on_line);
    let (is_ahead, foot) = match step {
        [0, _] => (x, [0.0, at[1]]),
        [_, 0] => (y, [at[0], 0.0]),
        [across, down] => {
            let along = (at[0] * ahead[0]).max(at[1] * ahead[1]);
            (if across == down { rising } else { falling }, ahead.map(|part| part * along))
        }
    };
    let is_on_another = x || y || (metric == Metric::Chebyshev && (falling || rising));
    Some(if is_ahead {
        ahead
    } else if is_on_another {
        [0.0; 2]
    } else {
        foot
    })
}

/// All steps, in the order in which ties are broken: those along the axes, then diagonals.
const STEPS: [[i8; 2]; 8] = [[0, -1], [-1, 0], [1, 0], [0, 1], [-1, -1], [1, -1], [-1, 1], [1, 1]];

/// The step to the lowest neighbour, if its time is lower.
fn step(times: &Times, metric: Metric) -> Option<[i8; 2]> {
    let at = |x: i8, y: i8| times[(4 + x + 3 * y) as usize];
    let mut best = (at(0, 0), None);
    if best.0 == NEVER {
        return None;
    }
    let count = if metric == Metric::Chebyshev { 8 } else { 4 };
    for &[x, y] in &STEPS[..count] {
        // Every open cell beside a cell with a time has one. Along an axis, one of both is the cell itself.
        let is_free = at(x, 0) != NEVER && at(0, y) != NEVER;
        if is_free && at(x, y) < best.0 {
            best = (at(x, y), Some([x, y]));
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN: Times = [2, 1, 2, 3, 3, 3, 4, 4, 4];

    #[test]
    fn the_lowest_neighbour_is_next_and_ties_go_to_axes_the_lower_row_and_the_lower_column() {
        assert_eq!(step(&OPEN, Metric::Manhattan), Some([0, -1]));
        assert_eq!(step(&[9, 1, 9, 1, 5, 1, 9, 1, 9], Metric::Manhattan), Some([0, -1]));
        assert_eq!(step(&[0, 9, 0, 1, 5, 1, 0, 1, 0], Metric::Manhattan), Some([-1, 0]));
        assert_eq!(step(&[1, 9, 1, 9, 5, 1, 1, 9, 1], Metric::Chebyshev), Some([1, 0]));
        assert_eq!(step(&[1, 9, 1, 9, 5, 9, 1, 9, 1], Metric::Chebyshev), Some([-1, -1]));
        // A wall below closes both diagonals there.
        assert_eq!(step(&[1, NEVER, 1, 4, 5, 3, 4, 4, 4], Metric::Chebyshev), Some([1, 0]));
        // Goals, walls, and closed rooms.
        for times in [[0; 9], [NEVER; 9], [7, 7, 7, 7, 0, 7, 7, 7, 7]] {
            assert_eq!(step(&times, Metric::Chebyshev), None);
        }
    }

    #[test]
    fn agents_walk_to_a_line_and_on_to_the_centre_first() {
        let down = |at| target(&OPEN, Metric::Manhattan, at, 0.04);
        assert_eq!(down([0.25, 0.5]), Some([0.0, 0.5]));
        assert_eq!((down([0.0, 0.5]), down([0.03, -0.5])), (Some([0.0, -1.0]), Some([0.0, -1.0])));
        assert_eq!((down([-0.5, 0.0]), down([-0.3, -0.3])), (Some([0.0, 0.0]), Some([0.0, -0.3])));
        let diagonal = |at| target(&[1, 2, 3, 2, 3, 3, 3, 3, 3], Metric::Chebyshev, at, 0.04);
        // Agents that enter from the right or along the other diagonal turn at the centre.
        assert_eq!((diagonal([0.5, 0.0]), diagonal([0.0, 0.0])), (Some([0.0, 0.0]), Some([-1.0, -1.0])));
        assert_eq!((diagonal([-0.25, 0.25]), diagonal([-0.25, -0.25])), (Some([0.0, 0.0]), Some([-1.0, -1.0])));
        assert_eq!(diagonal([0.125, 0.375]), Some([0.125, 0.125]));
        let straight = |at| target(&OPEN, Metric::Chebyshev, at, 0.04);
        assert_eq!((straight([0.25, 0.25]), straight([0.25, 0.375])), (Some([0.0, 0.0]), Some([0.0, 0.375])));
    }

    #[test]
    fn positions_of_agents_are_resolved() {
        let tolerance = |origin: f64, cell: f32| on_line(&Grid::new([0.0, origin], cell, 10, 10).unwrap());
        assert_eq!((tolerance(0.0, 1.0), tolerance(1e3, 0.5)), (2f64.powi(-20), 2f64.powi(-13)));
        // More than half of the spacing at most.
        assert_eq!(tolerance(1_048_000.0, 1.0), 0.04);
    }
}
