//! Cases about travel times, flow fields and paths to goals.

use throng_core::{Finding, Philox};
use throng_device::Error;
use throng_fields_core::Metric;
use throng_fields_core::routing::{FlowField, Order, Scheme, Sense, Steering, TravelTimes, maps};
use throng_pictures::Grid;

use super::differing;
use super::executor::CaseExecutor;

pub(super) fn times_around_a_point(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    Ok(Finding::close(ERRORS[1], mean_error(on, Order::First, 512)?, 2e-4))
}

pub(super) fn times_are_of_first_order(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    let errors = (mean_error(on, Order::First, 512)?, mean_error(on, Order::First, 128)?);
    Ok(Finding::close(ERRORS[1] / ERRORS[0], errors.0 / errors.1, 5e-3))
}

pub(super) fn times_of_second_order(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    Ok(Finding::close(0.0, mean_error(on, Order::Second, 512)?, 1e-4))
}

/// Relative errors of the first-order upwind scheme with 128 and with 512 cells, computed by a double-precision fast
/// marching program written only for this purpose. Around any point, they fall as `h ln(1 / h)`.
const ERRORS: [f64; 2] = [0.016_206_3, 0.005_548_0];

/// The sum of the errors of travel times to the middle of a square, over the sum of the distances.
fn mean_error(on: &dyn CaseExecutor, order: Order, cells: u32) -> Result<f64, Error> {
    let grid = Grid::new([0.0, 0.0], 1.0 / cells as f32, cells, cells)?;
    let times = on.travel_times(order.into(), &grid, &vec![1.0; grid.cells()], &[(cells / 2, cells / 2)])?;
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

pub(super) fn times_where_speed_grows(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    // The speed is 0.5 at the left, 1 in the middle and 1.5 at the right of a square with a side length of 1.
    let cells = 256;
    let grid = Grid::new([0.0, 0.0], 1.0 / cells as f32, cells, cells)?;
    let middle = cells / 2;
    let away = |at: u32| (f64::from(at) - f64::from(middle)) / f64::from(cells);
    let costs: Vec<f32> = (0..grid.cells() as u32).map(|cell| (1.0 / (1.0 + away(cell % cells))) as f32).collect();
    let times = on.travel_times(Order::Second.into(), &grid, &costs, &[(middle, middle)])?;
    let (mut error, mut sum) = (0.0, 0.0);
    for row in 0..cells {
        for column in 0..cells {
            let (x, y) = (away(column), away(row));
            let exact = libm::acosh(1.0 + (x * x + y * y) / (2.0 * (1.0 + x)));
            error += (f64::from(times.at(column, row).unwrap_or(f32::NAN)) - exact).abs();
            sum += exact;
        }
    }
    Ok(Finding::close(0.0, error / sum, 5e-4))
}

pub(super) fn times_are_distances_of_metrics(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    let grid = Grid::new([0.0, 0.0], 0.5, 150, 100)?;
    let (goals, mut differ) = ([(31, 40), (100, 70)], 0);
    for scheme in [Scheme::Manhattan, Scheme::Chebyshev] {
        // Half a unit of time per unit of length.
        let times = on.travel_times(scheme, &grid, &vec![0.5; grid.cells()], &goals)?;
        for (column, row) in (0..100u32).flat_map(|row| (0..150u32).map(move |column| (column, row))) {
            let steps = goals.map(|(x, y): (u32, u32)| match (column.abs_diff(x), row.abs_diff(y)) {
                (across, down) if scheme == Scheme::Manhattan => across + down,
                (across, down) => across.max(down),
            });
            differ += usize::from(times.at(column, row) != Some(0.25 * steps[0].min(steps[1]) as f32));
        }
    }
    Ok(Finding::no_difference("of 30,000 times", differ))
}

pub(super) fn paths_have_lengths_of_metrics(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    let grid = Grid::new([0.0, 0.0], 1.0, 128, 128)?;
    let (draws, goal) = (Philox::new(1), (50, 70));
    let cell = |start: u32, axis: u32| f64::from(draws.below(128, start, axis, 0, 0));
    let starts: Vec<[f64; 2]> = (0..500).map(|start| [cell(start, 0) + 0.5, cell(start, 1) + 0.5]).collect();
    let (mut expected, mut found) = (Vec::new(), Vec::new());
    for scheme in [Scheme::Manhattan, Scheme::Chebyshev] {
        let flow = FlowField::new(&TravelTimes::by_scheme(scheme, &grid, &vec![1.0; grid.cells()], &[goal])?);
        found.extend(on.paths(&flow, &starts));
        expected.extend(starts.iter().map(|[x, y]| {
            let (across, down) = ((x - 50.5).abs(), (y - 70.5).abs());
            match scheme.metric() {
                Metric::Manhattan => across + down,
                // As many diagonal steps as possible.
                _ => across.max(down) + across.min(down) * (std::f64::consts::SQRT_2 - 1.0),
            }
        }));
    }
    let differs = found.iter().zip(&expected).filter(|(found, expected)| (*found - *expected).abs() > 1e-9);
    Ok(Finding::no_difference("of 1,000 lengths", differs.count()))
}

pub(super) fn paths_are_straight(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    let ratios = over_open_ground(on)?;
    Ok(Finding::close(1.0, ratios.iter().sum::<f64>() / ratios.len() as f64, 5e-4))
}

pub(super) fn no_path_is_crooked(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    Ok(Finding::close(1.0, farthest_from_1(&over_open_ground(on)?), 5e-3))
}

/// The ratio that differs most from 1.
fn farthest_from_1(ratios: &[f64]) -> f64 {
    ratios
        .iter()
        .copied()
        .fold(1.0, |worst, ratio| if (ratio - 1.0).abs() > (worst - 1.0).abs() { ratio } else { worst })
}

/// Ratios of path lengths to straight distances on 512 x 512 open cells, for starts at least 20 cells from the goal.
fn over_open_ground(on: &dyn CaseExecutor) -> Result<Vec<f64>, Error> {
    let grid = Grid::new([0.0, 0.0], 1.0, 512, 512)?;
    let draws = Philox::new(1);
    let mut ratios = Vec::new();
    for goal in [(256, 256), (3, 5), (500, 200)] {
        let flow = FlowField::new(&TravelTimes::to_goals(&grid, &vec![1.0; grid.cells()], &[goal])?);
        let [x, y] = grid.point(goal.0, goal.1);
        let starts = (0..2000).map(|start| [0, 1].map(|axis| draws.unit(start, axis, 0, 0) * 512.0));
        let distance = |at: &[f64; 2]| libm::hypot(at[0] - x, at[1] - y);
        let starts: Vec<[f64; 2]> = starts.filter(|at| distance(at) >= 20.0).collect();
        ratios.extend(on.paths(&flow, &starts).iter().zip(&starts).map(|(path, start)| path / distance(start)));
    }
    Ok(ratios)
}

pub(super) fn paths_touch_a_corner(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    // A wall of 20 x 150 cells rises from the lower edge. The goal is to its right, and the starts are to its left,
    // where the shortest paths touch both of its corners.
    let grid = Grid::new([0.0, 0.0], 1.0, 256, 256)?;
    let open = |column, row| !(128..148).contains(&column) || row >= 150;
    let costs: Vec<f32> =
        (0..256 * 256).map(|cell| if open(cell % 256, cell / 256) { 1.0 } else { f32::INFINITY }).collect();
    let flow = FlowField::new(&TravelTimes::to_goals(&grid, &costs, &[(220, 40)])?);
    let draws = Philox::new(1);
    let start = |start| [draws.unit(start, 0, 0, 0) * 100.0, draws.unit(start, 1, 0, 0) * 150.0];
    let starts: Vec<[f64; 2]> = (0..1000).map(start).collect();
    let from_corner = 20.0 + libm::hypot(220.5 - 148.0, 150.0 - 40.5);
    let shortest = starts.iter().map(|[x, y]| libm::hypot(128.0 - x, 150.0 - y) + from_corner);
    let ratios: Vec<f64> =
        on.paths(&flow, &starts).iter().zip(shortest).map(|(path, shortest)| path / shortest).collect();
    Ok(Finding::close(1.0, farthest_from_1(&ratios), 1e-2))
}

pub(super) fn times_through_a_city(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    let map = maps::city(200)?;
    let grid = *map.ground.grid();
    let goals: Vec<(u32, u32)> = map.ground.goals().cells().collect();
    let cost = |cell: usize| if map.ground.open().flags()[cell] { 1.0 + (cell % 7) as f32 } else { f32::INFINITY };
    let costs: Vec<f32> = (0..grid.cells()).map(cost).collect();
    let mut differences = 0;
    for scheme in [Order::First.into(), Order::Second.into(), Scheme::Manhattan, Scheme::Chebyshev] {
        let expected = TravelTimes::by_scheme(scheme, &grid, &costs, &goals)?.field();
        differences += differing(&expected, &on.travel_times(scheme, &grid, &costs, &goals)?);
    }
    Ok(Finding::no_difference("cells", differences))
}

pub(super) fn slopes_end_in_a_trap(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    let map = maps::u_trap(SIDE)?;
    let field = map.attraction()?;
    let steering = Steering::Slope(Sense::climbing(&field));
    // The back of the U is column 40; the goal is behind it, around the middle of row 32.
    Ok(Finding::close(
        100.0,
        percent_ending_at(on, &map, &steering, |x, y| (39.0..40.0).contains(&x) && (y - 32.5).abs() < 1.0)?,
        0.0,
    ))
}

pub(super) fn flow_fields_lead_out_of_it(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    let map = maps::u_trap(SIDE)?;
    let flow = FlowField::new(map.ground.distances());
    let steering = Steering::Follow(&flow);
    // The goal is a block of 3 x 3 cells behind the U.
    let at_the_goal = |x, y| (60.0..63.0).contains(&x) && (31.0..34.0).contains(&y);
    Ok(Finding::close(100.0, percent_ending_at(on, &map, &steering, at_the_goal)?, 0.0))
}

/// Side length of the map with a U, in cells.
const SIDE: u32 = 64;

/// Percentage of the agents, in 20 crowds of 50, that end at positions for which `is_at` is true.
fn percent_ending_at(
    on: &dyn CaseExecutor,
    map: &maps::TestMap,
    steering: &Steering<'_>,
    is_at: impl Fn(f32, f32) -> bool,
) -> Result<f64, Error> {
    let mut count = 0;
    for seed in 0..20 {
        let positions = on.walked(map, steering, &map.scatter(50, seed))?;
        count += positions.iter().filter(|&&[x, y]| is_at(x, y)).count();
    }
    Ok(count as f64 * 100.0 / (20.0 * 50.0))
}
