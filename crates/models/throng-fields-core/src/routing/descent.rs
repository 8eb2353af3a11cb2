//! The path down the travel times from a position in a cell, at any angle.
//!
//! Times are known at the centres of cells. Between the centres of a neighbour and of the diagonal cell next to it they
//! are interpolated linearly. An agent walks to the point of these eight edges that minimises the sum of its own path
//! there and the time from there, as in Field D* (Ferguson and Stentz, 2006), but from any position in its cell.
//!
//! An agent only enters cells with a lower time than its own cell, and within a cell the sum decreases with every step,
//! so an agent reaches a goal from everywhere. It passes a corner only if the cell at the corner is open.

use super::travel_times::NEVER;

/// Times of a cell and its neighbours, row by row; [`NEVER`] for walls and outside the grid.
pub(super) type Times = [u32; 9];

/// The index of the cell itself in [`Times`], and for each of its four neighbours: index offset, index offset from
/// there to the cells next to it, and direction.
const HERE: usize = 4;
const NEIGHBOURS: [(isize, isize, [f32; 2]); 4] =
    [(1, 3, [1.0, 0.0]), (3, 1, [0.0, 1.0]), (-1, 3, [-1.0, 0.0]), (-3, 1, [0.0, -1.0])];

/// Maximum distance from the centre line of its cells, for an agent that must not enter the cells next to it.
const WITHIN: f32 = 0.45;
/// Distance, in cells, that an agent walks along a wall before it chooses a direction again: just beyond the border of
/// its cell.
const BEYOND: f32 = 0.5625;

/// The point to walk straight to, in cells from the centre of the cell; `None` at goals, in walls, and where no goal
/// can be reached. `step` is the travel time of the cell and `at` the agent's position, in cells from the centre.
pub(super) fn target(times: &Times, step: f32, at: [f32; 2]) -> Option<[f32; 2]> {
    let here = times[HERE];
    if here == NEVER {
        return None;
    }
    let mut best = (f32::INFINITY, None);
    for (ahead, side, [x, y]) in NEIGHBOURS {
        let time = |cell: isize| times[HERE.wrapping_add_signed(cell)];
        let next = time(ahead);
        if next >= here {
            continue;
        }
        let (forward, lateral) = (x * at[0] + y * at[1], y.abs() * at[0] + x.abs() * at[1]);
        let gain = (here - next) as f32;
        for sign in [1.0, -1.0] {
            let side = if sign > 0.0 { side } else { -side };
            let edge = Edge::new(here, next, [side, -side].map(|side| [time(side), time(ahead + side)]));
            let place = Place { left: 1.0 - forward, lateral: sign * lateral };
            // Skip the edge if even its lower bound is no better than the best so far.
            if step * place.left + edge.slope.min(0.0) - gain >= best.0 {
                continue;
            }
            let (value, along) = edge.least(place, step);
            if value - gain < best.0 {
                let mut to = [1.0, sign * along];
                if edge.walled {
                    let part = (BEYOND - forward) / place.left;
                    to = [BEYOND, lateral + part * (to[1] - lateral)];
                }
                best = (value - gain, Some([to[0] * x + to[1] * y.abs(), to[0] * y + to[1] * x.abs()]));
            }
        }
    }
    best.1
}

/// An agent's position relative to an edge: its distance from the edge, and from the centre line, towards the edge's
/// diagonal end.
#[derive(Clone, Copy)]
struct Place {
    left: f32,
    lateral: f32,
}

/// Half of the line between the centres of the two diagonal neighbours next to a neighbour.
struct Edge {
    /// The increase in time from the neighbour to the diagonal cell.
    slope: f32,
    /// Whether there is a wall beside the path, so that the agent stays in its row of cells.
    walled: bool,
    /// Whether the diagonal cell has a lower time than the agent's; `may_pass_beside`: the same for the cell next to
    /// the agent's.
    may_end_there: bool,
    may_pass_beside: bool,
}

impl Edge {
    /// `beside` has the times of the cell next to the agent's and of the diagonal cell, first on the side of the edge,
    /// then on the other side.
    fn new(here: u32, next: u32, beside: [[u32; 2]; 2]) -> Self {
        let rise = |diagonal: u32| if diagonal > next { (diagonal - next) as f32 } else { -((next - diagonal) as f32) };
        let [[near, diagonal], other] = beside;
        let walled = near == NEVER || diagonal == NEVER;
        let slope = match other {
            _ if !walled => rise(diagonal),
            // Next to a wall, times are extrapolated from the other side if they rise towards the wall.
            [near, diagonal] if near != NEVER && diagonal != NEVER => (-rise(diagonal)).max(0.0),
            _ => 0.0,
        };
        Self { slope, walled, may_end_there: !walled && diagonal < here, may_pass_beside: near < here }
    }

    /// Minimises the sum of the path to a point of the edge and the time from there, relative to the time of the
    /// neighbour. Returns the sum and the point, from 0 at the centre of the neighbour to 1 at the diagonal end.
    fn least(&self, place: Place, step: f32) -> (f32, f32) {
        let Place { left, lateral } = place;
        let most = if self.may_end_there && self.may_pass_beside {
            1.0
        } else if self.may_end_there {
            // Avoids the cell next to the agent's: the line must leave the cell at the front.
            let front = (left - 0.5).max(1.0 / 1024.0);
            (lateral + (lateral.max(WITHIN) - lateral) * (left / front)).min(1.0)
        } else {
            WITHIN
        };
        // The derivative of step * sqrt(left^2 + (along - lateral)^2) + slope * along is 0.
        let sine = self.slope / step;
        let along = if sine <= -1.0 {
            most
        } else if sine >= 1.0 {
            0.0
        } else {
            (lateral - left * sine / (1.0 - sine * sine).sqrt()).min(most).max(0.0)
        };
        let across = along - lateral;
        (step * (left * left + across * across).sqrt() + self.slope * along, along)
    }
}
