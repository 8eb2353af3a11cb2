//! Ways to goals.

use throng_core::Finding;
use throng_device::AnyDevice;

use super::differing;
use super::executor::Executor;
use crate::error::FieldError;
use crate::gpu::GpuError;
use crate::grid::Grid;
use crate::routing::{Crowd, FlowField, Sense, Steering, TravelTimes, maps};

pub(super) fn times_around_a_point(on: Executor<'_>) -> Result<Finding, GpuError> {
    Ok(Finding::at_most(0.02, mean_error(on, 512)?))
}

pub(super) fn times_are_of_first_order(on: Executor<'_>) -> Result<Finding, GpuError> {
    Ok(Finding::at_most(0.5, mean_error(on, 512)? / mean_error(on, 128)?))
}

/// The error of travel times to the middle of a square, over their sum.
fn mean_error(on: Executor<'_>, cells: u32) -> Result<f64, GpuError> {
    let grid = Grid::new([0.0, 0.0], 1.0 / cells as f32, cells, cells)?;
    let times = on.travel_times(&grid, &vec![1.0; grid.cells()], &[(cells / 2, cells / 2)])?;
    let (mut error, mut sum) = (0.0, 0.0);
    let away = |at: u32| (f64::from(at) - f64::from(cells / 2)) / f64::from(cells);
    for row in 0..cells {
        for column in 0..cells {
            let distance = libm::hypot(away(column), away(row));
            error += (f64::from(times.at(column, row).unwrap_or(f32::INFINITY)) - distance).abs();
            sum += distance;
        }
    }
    Ok(error / sum)
}

pub(super) fn times_through_a_city(device: &AnyDevice) -> Result<Finding, GpuError> {
    let map = maps::city(200)?;
    let grid = *map.ground.grid();
    let goals: Vec<(u32, u32)> = map.ground.goals().cells().collect();
    let cost = |cell: usize| if map.ground.open().flags()[cell] { 1.0 + (cell % 7) as f32 } else { f32::INFINITY };
    let costs: Vec<f32> = (0..grid.cells()).map(cost).collect();
    let (expected, found) = (
        TravelTimes::to_goals(&grid, &costs, &goals)?.field(),
        Executor::Device(device).travel_times(&grid, &costs, &goals)?.field(),
    );
    Ok(Finding::no_difference("cells", differing(&expected, &found)))
}

pub(super) fn slopes_end_in_a_trap() -> Result<Finding, GpuError> {
    let map = maps::u_trap(64)?;
    let field = map.attraction()?;
    Ok(Finding::close(0.0, arrived(&map, &Steering::Slope(Sense::climbing(&field)))?, 0.0))
}

pub(super) fn flow_fields_lead_out_of_it() -> Result<Finding, GpuError> {
    let map = maps::u_trap(64)?;
    let flow = FlowField::new(map.ground.ways());
    Ok(Finding::close(100.0, arrived(&map, &Steering::Follow(&flow))?, 0.0))
}

/// Percent of the agents that come to the goal, of 20 crowds of 50.
fn arrived(map: &maps::TestMap, steering: &Steering<'_>) -> Result<f64, FieldError> {
    let mut sum = 0.0;
    for seed in 0..20 {
        let mut crowd = Crowd::new(&map.ground, &map.scatter(50, seed), &[1.5; 50])?;
        crowd.run(steering, 0.5, 1200)?;
        sum += crowd.measures(20.0)?.arrived;
    }
    Ok(sum * 100.0 / 20.0)
}
