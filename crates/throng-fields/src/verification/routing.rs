//! Paths to goals.

use throng_core::Finding;

use super::differing;
use super::executor::Executor;
use crate::gpu::GpuError;
use crate::grid::Grid;
use crate::routing::{FlowField, Sense, Steering, TravelTimes, maps};

pub(super) fn times_around_a_point(on: &dyn Executor) -> Result<Finding, GpuError> {
    Ok(Finding::close(ERRORS[1], mean_error(on, 512)?, 2e-4))
}

pub(super) fn times_are_of_first_order(on: &dyn Executor) -> Result<Finding, GpuError> {
    Ok(Finding::close(ERRORS[1] / ERRORS[0], mean_error(on, 512)? / mean_error(on, 128)?, 5e-3))
}

/// The errors of the upwind scheme of first order with 128 and with 512 cells: of a fast marching program in double
/// precision that was written only for this purpose. They fall as `h ln(1 / h)`, as around every point.
const ERRORS: [f64; 2] = [0.016_206_3, 0.005_548_0];

/// The error of travel times to the middle of a square, over their sum.
fn mean_error(on: &dyn Executor, cells: u32) -> Result<f64, GpuError> {
    let grid = Grid::new([0.0, 0.0], 1.0 / cells as f32, cells, cells)?;
    let times = on.travel_times(&grid, &vec![1.0; grid.cells()], &[(cells / 2, cells / 2)])?;
    let (mut error, mut sum) = (0.0, 0.0);
    let away = |at: u32| (f64::from(at) - f64::from(cells / 2)) / f64::from(cells);
    for row in 0..cells {
        for column in 0..cells {
            let distance = libm::hypot(away(column), away(row));
            error += (f64::from(times.at(column, row).unwrap_or(f32::NAN)) - distance).abs();
            sum += distance;
        }
    }
    Ok(error / sum)
}

pub(super) fn times_through_a_city(on: &dyn Executor) -> Result<Finding, GpuError> {
    let map = maps::city(200)?;
    let grid = *map.ground.grid();
    let goals: Vec<(u32, u32)> = map.ground.goals().cells().collect();
    let cost = |cell: usize| if map.ground.open().flags()[cell] { 1.0 + (cell % 7) as f32 } else { f32::INFINITY };
    let costs: Vec<f32> = (0..grid.cells()).map(cost).collect();
    let (expected, found) =
        (TravelTimes::to_goals(&grid, &costs, &goals)?.field(), on.travel_times(&grid, &costs, &goals)?);
    Ok(Finding::no_difference("cells", differing(&expected, &found)))
}

pub(super) fn slopes_end_in_a_trap(on: &dyn Executor) -> Result<Finding, GpuError> {
    let map = maps::u_trap(SIDE)?;
    let field = map.attraction()?;
    let steering = Steering::Slope(Sense::climbing(&field));
    // The back of the U is column 40, and the goal is behind it, around the middle of row 32.
    Ok(Finding::close(
        100.0,
        ended(on, &map, &steering, |x, y| (39.0..40.0).contains(&x) && (y - 32.5).abs() < 1.0)?,
        0.0,
    ))
}

pub(super) fn flow_fields_lead_out_of_it(on: &dyn Executor) -> Result<Finding, GpuError> {
    let map = maps::u_trap(SIDE)?;
    let flow = FlowField::new(map.ground.ways());
    let steering = Steering::Follow(&flow);
    // Nine cells behind the U are the goal.
    let at_the_goal = |x, y| (60.0..63.0).contains(&x) && (31.0..34.0).contains(&y);
    Ok(Finding::close(100.0, ended(on, &map, &steering, at_the_goal)?, 0.0))
}

/// Cells along a side of the map with a U.
const SIDE: u32 = 64;

/// Percent of the agents that end somewhere, of 20 crowds of 50.
fn ended(
    on: &dyn Executor,
    map: &maps::TestMap,
    steering: &Steering<'_>,
    there: impl Fn(f32, f32) -> bool,
) -> Result<f64, GpuError> {
    let mut count = 0;
    for seed in 0..20 {
        let places = on.walked(map, steering, &map.scatter(50, seed))?;
        count += places.iter().filter(|&&[x, y]| there(x, y)).count();
    }
    Ok(count as f64 * 100.0 / (20.0 * 50.0))
}
