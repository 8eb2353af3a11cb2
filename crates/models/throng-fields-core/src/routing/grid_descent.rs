//! The path down the travel times of steps from cell to cell: along the axes, or also diagonally.
//!
//! An agent walks on the lines between the centres of cells, from a centre to the neighbour with the lowest time. Ties
//! go to neighbours along the axes, then to the lower row, then to the lower column; diagonals take agents longer than
//! their times say. An agent that has begun a step completes it, even if another neighbour has become the lowest,
//! unless the step lowers the time by less than half as much: agents that turned back whenever costs change would not
//! get away from a centre. Otherwise an agent on another line than that to the lowest neighbour first walks to the
//! centre of its cell. If an agent is on no line, it first walks along an axis to a line: to the one that is nearest
//! along an axis, as if it had begun a step there, else to that to the lowest neighbour.

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
    let lowest = lowest(times, metric)?;
    let step = begun(metric, at, on_line).filter(|step| is_nearly(times, *step, lowest)).unwrap_or(lowest);
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

/// The time of a neighbour; [`NEVER`] if a step to it is not possible.
fn time(times: &Times, [x, y]: [i8; 2]) -> u32 {
    let at = |x: i8, y: i8| times[(4 + x + 3 * y) as usize];
    // Every open cell beside a cell with a time has one. Along an axis, one of both is the cell itself.
    if at(x, 0) != NEVER && at(0, y) != NEVER { at(x, y) } else { NEVER }
}

/// The step along the line that is nearest along an axis, on the side of the agent; `None` at the centre.
fn begun(metric: Metric, at: [f64; 2], on_line: f64) -> Option<[i8; 2]> {
    let far = at.map(f64::abs);
    if far.iter().all(|far| *far <= on_line) {
        return None;
    }
    let is_diagonal = metric == Metric::Chebyshev && 2.0 * far[0].min(far[1]) > far[0].max(far[1]);
    let is_across = far[0] > far[1];
    let side = |at: f64, is_along: bool| {
        if !is_along {
            0
        } else if at > 0.0 {
            1
        } else {
            -1
        }
    };
    Some([side(at[0], is_diagonal || is_across), side(at[1], is_diagonal || !is_across)])
}

/// Whether a step lowers the time by at least half as much as the step to the lowest neighbour.
fn is_nearly(times: &Times, step: [i8; 2], lowest: [i8; 2]) -> bool {
    let [own, to, least] = [times[4], time(times, step), time(times, lowest)].map(u64::from);
    2 * to <= own + least
}

/// The step to the lowest neighbour, if its time is lower.
fn lowest(times: &Times, metric: Metric) -> Option<[i8; 2]> {
    let count = if metric == Metric::Chebyshev { 8 } else { 4 };
    let mut best = (times[4], None);
    if best.0 == NEVER {
        return None;
    }
    for &step in &STEPS[..count] {
        let time = time(times, step);
        if time < best.0 {
            best = (time, Some(step));
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use throng_core::Philox;
    use throng_pictures::Mask;

    use super::super::{Body, Crowd, FlowField, Ground, Scheme, Steering, TravelTimes};
    use super::*;

    const OPEN: Times = [2, 1, 2, 3, 3, 3, 4, 4, 4];

    #[test]
    fn the_lowest_neighbour_is_next_and_ties_go_to_axes_the_lower_row_and_the_lower_column() {
        assert_eq!(lowest(&OPEN, Metric::Manhattan), Some([0, -1]));
        assert_eq!(lowest(&[9, 1, 9, 1, 5, 1, 9, 1, 9], Metric::Manhattan), Some([0, -1]));
        assert_eq!(lowest(&[0, 9, 0, 1, 5, 1, 0, 1, 0], Metric::Manhattan), Some([-1, 0]));
        assert_eq!(lowest(&[1, 9, 1, 9, 5, 1, 1, 9, 1], Metric::Chebyshev), Some([1, 0]));
        assert_eq!(lowest(&[1, 9, 1, 9, 5, 9, 1, 9, 1], Metric::Chebyshev), Some([-1, -1]));
        // A wall below closes both diagonals there.
        assert_eq!(lowest(&[1, NEVER, 1, 4, 5, 3, 4, 4, 4], Metric::Chebyshev), Some([1, 0]));
        // Goals, walls among walls and among open cells, and closed rooms.
        for times in [[0; 9], [NEVER; 9], [7, 6, 5, 7, NEVER, 6, 7, 6, 6], [7, 7, 7, 7, 0, 7, 7, 7, 7]] {
            assert_eq!(lowest(&times, Metric::Chebyshev), None);
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
    fn a_step_that_has_begun_is_completed_if_it_lowers_the_time_by_half_as_much() {
        // Below is lowest, by 4, and the right is lower by 2.
        let times = [9, 1, 9, 9, 5, 3, 9, 9, 3];
        let steps = |metric| move |at| target(&times, metric, at, 0.04);
        let along_axes = steps(Metric::Manhattan);
        assert_eq!((along_axes([0.3, 0.0]), along_axes([-0.3, 0.0])), (Some([1.0, 0.0]), Some([0.0, 0.0])));
        // Beside the line, the agent returns to it.
        assert_eq!((along_axes([0.3, 0.2]), along_axes([0.2, 0.3])), (Some([0.3, 0.0]), Some([0.0, 0.3])));
        // At the centre, it goes to the lowest.
        assert_eq!((along_axes([0.0, 0.0]), along_axes([0.03, 0.01])), (Some([0.0, -1.0]), Some([0.0, -1.0])));
        let diagonally = steps(Metric::Chebyshev);
        assert_eq!((diagonally([0.25, 0.25]), diagonally([-0.25, 0.25])), (Some([1.0, 1.0]), Some([0.0, 0.0])));
        assert_eq!((diagonally([0.3, 0.2]), diagonally([0.3, 0.1])), (Some([0.3, 0.3]), Some([0.3, 0.0])));
        // A wall above closes the diagonal, and another time is too long.
        for (above, diagonal) in [(NEVER, 3), (9, 4)] {
            let times = [9, 1, 9, 9, 5, 3, 9, above, diagonal];
            assert_eq!(target(&times, Metric::Chebyshev, [0.25, 0.25], 0.04), Some([0.0, 0.0]));
        }
    }

    #[test]
    fn slow_agents_arrive_although_the_best_neighbour_changes_with_every_step() {
        let grid = Grid::new([0.0, 0.0], 1.0, 16, 12).unwrap();
        let goal = (14, 10);
        let goals = Mask::new(&grid, |column, row| (column, row) == goal);
        let ground = Ground::new(&grid, Mask::new(&grid, |_, _| true), goals).unwrap();
        let draws = Philox::new(9);
        let starts: Vec<[f32; 2]> =
            (0..60).map(|i| [0, 1].map(|axis| 6.0 * draws.unit(i, axis, 0, 0) as f32)).collect();
        for scheme in [Scheme::Manhattan, Scheme::Chebyshev] {
            // Costs of 1 to 1.3, of which each step has others.
            let flows: Vec<FlowField> = (0..4)
                .map(|time| {
                    let cost = |cell| 1.0 + 0.3 * draws.unit(cell, time, 1, 0) as f32;
                    let costs: Vec<f32> = (0..grid.cells() as u32).map(cost).collect();
                    FlowField::new(&TravelTimes::by_scheme(scheme, &grid, &costs, &[goal]).unwrap())
                })
                .collect();
            for body in [Body::default(), Body::new(0.1).unwrap()] {
                let mut crowd = Crowd::new(&ground, &starts, &[0.1; 60]).unwrap().with_body(body).leaving_at_goals();
                for step in 0..600 {
                    crowd.step(&Steering::Follow(&flows[step % flows.len()]), 1.0).unwrap();
                }
                let arrived = crowd.arrivals().flatten().count();
                assert_eq!(arrived, 60, "{scheme:?} {body:?}");
            }
        }
    }

    #[test]
    fn positions_of_agents_are_resolved() {
        let tolerance = |origin: f64, cell: f32| on_line(&Grid::new([0.0, origin], cell, 10, 10).unwrap());
        assert_eq!((tolerance(0.0, 1.0), tolerance(1e3, 0.5)), (2f64.powi(-20), 2f64.powi(-13)));
        // More than half of the spacing at most.
        assert_eq!(tolerance(1_048_000.0, 1.0), 0.04);
    }
}
