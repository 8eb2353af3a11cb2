//! Cases about crowds of agents with bodies.

use throng_core::Finding;
use throng_device::Error;
use throng_fields_core::routing::Ground;
use throng_pictures::{Grid, Mask};

use super::executor::CaseExecutor;

/// Number of agents in a crowd.
const AGENTS: usize = 50;

pub(super) fn teams_pass_each_other(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    // Two rooms connected by a door of eight cells, with a goal at the far end of each.
    let grid = Grid::new([0.0, 0.0], 0.5, 80, 40)?;
    let open = Mask::new(&grid, |column, row| column != 40 || (16..24).contains(&row));
    let goal = |first: u32| Mask::new(&grid, |column, _| (first..first + 4).contains(&column));
    let grounds = [Ground::new(&grid, open.clone(), goal(76))?, Ground::new(&grid, open, goal(0))?];
    let starts = [3.0, 37.0].map(|x: f32| (0..AGENTS).map(|i| [x, 2.6 + 0.3 * i as f32]).collect::<Vec<_>>());
    let found = on.two_crowds(&grounds, &starts, 0.2, 240)?;
    let arrived = |crowd: usize, x: f32| if crowd == 0 { (36.0..40.0).contains(&x) } else { (0.0..4.0).contains(&x) };
    let of_crowd = |(crowd, ends): (usize, &Vec<[f32; 2]>)| ends.iter().filter(|at| arrived(crowd, at[0])).count();
    let count: usize = found.iter().enumerate().map(of_crowd).sum();
    Ok(Finding::close(100.0, count as f64 * 100.0 / (2.0 * AGENTS as f64), 0.0))
}

pub(super) fn bodies_are_pushed_apart(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    // All start at one point, far from any wall, and at their goal.
    let grid = Grid::new([0.0, 0.0], 1.0, 40, 40)?;
    let all = Mask::new(&grid, |_, _| true);
    let grounds = [Ground::new(&grid, all.clone(), all.clone())?, Ground::new(&grid, all.clone(), all)?];
    let starts = [vec![[20.25, 20.25]; AGENTS], vec![[20.25, 20.25]; AGENTS]];
    let found = on.two_crowds(&grounds, &starts, RADIUS, 60)?.concat();
    let distance = |a: [f32; 2], b: [f32; 2]| libm::hypot(f64::from(a[0] - b[0]), f64::from(a[1] - b[1]));
    let mut nearest = f64::INFINITY;
    for (i, &a) in found.iter().enumerate() {
        nearest = found[i + 1..].iter().fold(nearest, |nearest, &b| nearest.min(distance(a, b)));
    }
    Ok(Finding::close(2.0 * f64::from(RADIUS), nearest, 0.02))
}

/// Radius of agents' bodies.
const RADIUS: f32 = 0.5;
