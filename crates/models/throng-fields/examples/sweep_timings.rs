//! Measures the time of influence sweeps, diffusion steps and lines of sight on this machine, on one thread and on all.
//!
//! `cargo run --release -p throng-fields --no-default-features --example sweep_timings`

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use throng_core::Philox;
use throng_fields::influence::{Diffusion, DiffusionMap, InfluenceMap, Propagation};
use throng_fields::sight::{Sight, SightMap, Viewer};
use throng_fields::{Grid, InputError, Mask};

/// Side lengths, in cells, of the influence map and of the others.
const SIDES: [u32; 2] = [2048, 1024];
/// Minimum number of repeats of a measurement. Repeats continue for at least half a second.
const REPEATS: usize = 3;
/// Ranges of viewers, in cells.
const RANGES: [f32; 2] = [30.0, 200.0];
/// `k t / h^2` of a single explicit step, and of a duration that would take a thousand such steps.
const EXCHANGES: [f32; 2] = [0.16, 166.0];

fn main() -> Result<(), Box<dyn Error>> {
    let all = std::thread::available_parallelism()?.get();
    for threads in if all > 1 { vec![1, all] } else { vec![1] } {
        println!("{threads} threads");
        rayon::ThreadPoolBuilder::new().num_threads(threads).build()?.install(measured)?;
    }
    Ok(())
}

fn measured() -> Result<(), InputError> {
    for (ground, share) in [("open", 0.0), ("20 % walls", 0.2)] {
        for momentum in [0.0, 0.3] {
            let grid = Grid::new([0.0, 0.0], 1.0, SIDES[0], SIDES[0])?;
            let mut map = InfluenceMap::new(grid, Propagation { decay: 0.02, momentum }, Some(walls(&grid, share)))?;
            for (column, row) in scattered(&grid, share) {
                map.set_source(column, row, 1.0 + column as f32)?;
            }
            map.sweep(20);
            let time = milliseconds(|| Ok(map.sweep(1)))?;
            println!("  influence, {0} x {0}, {ground}, momentum {momentum}: {time} ms a sweep", SIDES[0]);
        }
    }
    for (ground, share) in [("open", 0.0), ("20 % walls", 0.2)] {
        for exchange in EXCHANGES {
            let grid = Grid::new([0.0, 0.0], 1.0, SIDES[1], SIDES[1])?;
            let diffusion = Diffusion { diffusivity: exchange, decay: 0.01 };
            let mut map = DiffusionMap::new(grid, diffusion, Some(walls(&grid, share)))?;
            for (column, row) in scattered(&grid, share) {
                map.add(column, row, 1.0 + column as f32)?;
            }
            map.advance(1.0)?;
            let time = milliseconds(|| map.advance(1.0))?;
            println!("  diffusion, {0} x {0}, {ground}, k t / h^2 = {exchange}: {time} ms a step", SIDES[1]);
        }
    }
    sight()
}

/// A hundred viewers that all move to the next cell and back.
fn sight() -> Result<(), InputError> {
    for (ground, share) in [("open", 0.0), ("2 % walls", 0.02), ("20 % walls", 0.2)] {
        for range in RANGES {
            let grid = Grid::new([0.0, 0.0], 1.0, SIDES[1], SIDES[1])?;
            let mut map = SightMap::new(grid, Sight::default(), Some(walls(&grid, share)))?;
            let cells = scattered(&grid, share);
            let viewers = |by: u32| {
                let at = |&(column, row): &(u32, u32)| Viewer::new(grid.point(column + by, row), range);
                cells.iter().map(at).collect::<Vec<_>>()
            };
            let (mut now, mut next) = (viewers(0), viewers(1));
            let time = milliseconds(|| {
                std::mem::swap(&mut now, &mut next);
                map.follow(&now)
            })?;
            println!("  sight, {0} x {0}, {ground}, range {range} cells: {time} ms a step of 100 viewers", SIDES[1]);
        }
    }
    Ok(())
}

/// Open cells; the fraction `share` of all cells are walls, at random positions.
fn walls(grid: &Grid, share: f64) -> Mask {
    let draws = Philox::new(1);
    Mask::new(grid, |column, row| draws.unit(grid.columns() * row + column, 0, 0, 0) >= share)
}

/// A hundred open cells at random positions.
fn scattered(grid: &Grid, share: f64) -> Vec<(u32, u32)> {
    let open = walls(grid, share);
    let cells = (0..).map(|i: u32| (i * 367 % grid.columns(), i * 593 % grid.rows()));
    cells.filter(|&(column, row)| open.allows(column, row)).take(100).collect()
}

/// The median and the minimum time, in milliseconds.
fn milliseconds<T>(mut run: impl FnMut() -> Result<T, InputError>) -> Result<String, InputError> {
    let (mut times, since) = (Vec::new(), Instant::now());
    while times.len() < REPEATS || since.elapsed().as_secs_f64() < 0.5 {
        let start = Instant::now();
        black_box(run()?);
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    Ok(format!("{:.2} (fastest {:.2})", times[times.len() / 2], times[0]))
}
