//! Measures the computation time of travel times over several kinds of maps, and the lengths of paths that follow them.
//!
//! `cargo run --release -p throng-fields --no-default-features --example travel_timings [-- SIDE]`, or with a device,
//! `cargo run --release -p throng-fields --example travel_timings -- 2048 cuda:0`. Prints medians of `RUNS` runs, in
//! milliseconds. On the CPU, travel times are computed on one thread. On a device, the first two times are for the
//! first and second order with all data on the device; the third is for the second order, including the copies of the
//! costs and the times.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use throng_core::Philox;
use throng_fields::routing::{Crowd, FlowField, Order, Steering, TravelTimes, maps};
use throng_fields::{Grid, InputError};

const RUNS: usize = 5;
const PATHS: u32 = 20_000;
const AGENTS: u32 = 1_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let side: u32 = arguments.next().map_or(Ok(2048), |side| side.parse())?;
    let device = arguments.next();
    let grid = Grid::new([0.0, 0.0], 1.0, side, side)?;
    println!("{side} x {side} cells, medians of {RUNS} runs, ms");
    println!("{:<16}{:>12}{:>12}  {}", "map", "1st order", "2nd order", device.as_deref().unwrap_or(""));
    for (name, goal, costs) in all_costs(&grid)? {
        let cpu = |order| median(|| TravelTimes::by_scheme(order, &grid, &costs, &[goal]).map(drop));
        let measured = device.as_deref().map_or(Ok(String::new()), |device| on_device(device, &grid, &costs, goal))?;
        println!("{name:<16}{:>12.0}{:>12.0}  {measured}", cpu(Order::First)?, cpu(Order::Second)?);
    }
    paths()?;
    crowd()
}

/// The name, a goal, and the costs of all cells from 1 to 10 for each map.
#[allow(clippy::type_complexity, reason = "a list of closures")]
fn all_costs(grid: &Grid) -> Result<Vec<(&'static str, (u32, u32), Vec<f32>)>, InputError> {
    let side = grid.columns();
    let draws = Philox::new(1);
    let smooth = |cell: u32| {
        let along = |at: u32| f64::from(at) / f64::from(side);
        (5.5 + 4.5 * libm::sin(20.0 * along(cell % side)) * libm::cos(17.0 * along(cell / side))) as f32
    };
    let random = |cell: u32| 1.0 + 9.0 * draws.unit(cell, 0, 0, 0) as f32;
    let middle = (side / 2, side / 2);
    // Makes every fifth cell a wall.
    let walls = |cell: u32, cost: f32| {
        let wall = draws.below(5, cell, 1, 0, 0) == 0 && (cell % side, cell / side) != middle;
        if wall { f32::INFINITY } else { cost }
    };
    let maze = maps::maze(side, 1)?;
    let maze = |cell: u32| if maze.ground.open().allows(cell % side, cell / side) { 1.0 } else { f32::INFINITY };
    let maps: [(&str, (u32, u32), &dyn Fn(u32) -> f32); 7] = [
        ("uniform", middle, &|_| 1.0),
        ("smooth", middle, &smooth),
        ("random", middle, &random),
        ("walls", middle, &|cell| walls(cell, 1.0)),
        ("smooth, walls", middle, &|cell| walls(cell, smooth(cell))),
        ("random, walls", middle, &|cell| walls(cell, random(cell))),
        ("maze", (1, 1), &maze),
    ];
    let cells = 0..grid.cells() as u32;
    Ok(maps.map(|(name, goal, cost)| (name, goal, cells.clone().map(cost).collect())).into())
}

/// The median time of several runs, in milliseconds.
fn median<E>(mut run: impl FnMut() -> Result<(), E>) -> Result<f64, E> {
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let start = Instant::now();
        black_box(run()?);
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[RUNS / 2])
}

#[cfg(feature = "gpu")]
fn on_device(name: &str, grid: &Grid, costs: &[f32], goal: (u32, u32)) -> Result<String, Box<dyn Error>> {
    use throng_device::{DeviceId, Error, open};
    use throng_fields::gpu::{self, DeviceTravelTimes};

    let id = DeviceId::parse(name).ok_or_else(|| format!("{name}: expected a device such as cuda:0"))?;
    let device = open(id)?;
    let time = |order| -> Result<f64, Error> {
        {
            let times = DeviceTravelTimes::new(&device, order, grid, costs, &[goal])?;
            // The first call compiles the kernels.
            times.compute(&device)?;
            median(|| times.compute(&device))
        }
    };
    let copied = || gpu::travel_times(&device, grid, costs, &[goal]).map(drop);
    Ok(format!("{:.2}, {:.2}; with copies {:.1}", time(Order::First)?, time(Order::Second)?, median(copied)?))
}

#[cfg(not(feature = "gpu"))]
fn on_device(name: &str, _: &Grid, _: &[f32], _: (u32, u32)) -> Result<String, Box<dyn Error>> {
    Err(format!("{name}: this build has no kernels").into())
}

/// Prints by how much paths over open ground exceed straight lines, from positions at least 20 cells away.
fn paths() -> Result<(), InputError> {
    let side = 512;
    let grid = Grid::new([0.0, 0.0], 1.0, side, side)?;
    let draws = Philox::new(2);
    println!("\npaths over {side} x {side} cells, % longer than straight lines");
    println!("{:<16}{:>12}{:>12}{:>12}", "goal", "order", "mean", "longest");
    for goal in [(256, 256), (3, 5), (500, 200)] {
        for order in [Order::First, Order::Second] {
            let flow = FlowField::new(&TravelTimes::by_scheme(order, &grid, &vec![1.0; grid.cells()], &[goal])?);
            let (mut sum, mut longest, mut count) = (0.0f64, 0.0f64, 0.0);
            for path in 0..PATHS {
                let start = [0, 1].map(|axis| draws.unit(path, axis, 0, 0) * f64::from(side));
                let to_goal = |at: [f64; 2]| distance(at, grid.point(goal.0, goal.1));
                if to_goal(start) >= 20.0 {
                    let (mut at, mut walked) = (start, 0.0);
                    while let Some(next) = flow.next(at) {
                        walked += distance(at, next);
                        at = next;
                    }
                    let longer = (walked + to_goal(at)) / to_goal(start) - 1.0;
                    (sum, longest, count) = (sum + longer, longest.max(longer), count + 1.0);
                }
            }
            let percent = [sum / count, longest].map(|longer| format!("{:.3}", 100.0 * longer));
            println!("{:<16}{:>12}{:>12}{:>12}", format!("{goal:?}"), format!("{order:?}"), percent[0], percent[1]);
        }
    }
    Ok(())
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    libm::hypot(a[0] - b[0], a[1] - b[1])
}

/// Measures the time per step of many agents that follow a flow field.
fn crowd() -> Result<(), Box<dyn Error>> {
    let map = maps::city(512)?;
    let flow = FlowField::new(map.ground.distances());
    let mut crowd = Crowd::new(&map.ground, &map.scatter(AGENTS, 1), &vec![1.0; AGENTS as usize])?;
    let time = median(|| crowd.step(&Steering::Follow(&flow), 0.5))?;
    println!("\n{AGENTS} agents walk half a cell: {time:.0} ms on {} threads", rayon::current_num_threads());
    Ok(())
}
