//! Shows that creation by tiles takes constant time per covered cell, regardless of the number of cells and entities.
//!
//! `cargo run --release --workspace --example creation_scaling`. Discs with a radius of 8 cells at random positions;
//! the best of a few runs. The largest field has 1 GiB, and the program needs less than 4 GiB.

use std::hint::black_box;
use std::time::Instant;

use throng_core::Philox;
use throng_fields::{Entity, Grid, InputError, Profile, creation};

/// Reach of a disc, in cells.
const REACH: f32 = 8.0;

fn main() -> Result<(), InputError> {
    println!("{} threads, linear discs of {REACH} cells", rayon::current_num_threads());
    println!("  cells   entities   covered M       ms   ns per covered cell   ns per 1000 cells x entities");
    for side in [1024u32, 2048, 4096, 8192, 16_384] {
        for count in [1000u32, 10_000, 100_000, 1_000_000] {
            let grid = Grid::new([0.0, 0.0], 1.0, side, side)?;
            let entities = scattered(side, count)?;
            let seconds = best(&grid, &entities)?;
            let covered = f64::from(count) * f64::from(std::f32::consts::PI * REACH * REACH);
            let pairs = grid.cells() as f64 * f64::from(count);
            println!(
                "{side:6}²  {count:9}  {:10.2}  {:7.2}   {:19.2}   {:28.6}",
                covered * 1e-6,
                seconds * 1e3,
                seconds * 1e9 / covered,
                seconds * 1e12 / pairs
            );
        }
    }
    Ok(())
}

/// Discs at random positions on a grid with this side length.
fn scattered(side: u32, count: u32) -> Result<Vec<Entity>, InputError> {
    let (draws, profile) = (Philox::new(1), Profile::linear(REACH)?);
    let at = |i: u32, axis: u32| (draws.unit(i, 0, axis, 0) * f64::from(side)) as f32;
    Ok((0..count).map(|i| Entity::new([at(i, 0), at(i, 1)], profile.clone())).collect())
}

/// The best of at least three runs, in seconds; short runs are repeated more often.
fn best(grid: &Grid, entities: &[Entity]) -> Result<f64, InputError> {
    let (mut best, since) = (f64::INFINITY, Instant::now());
    for run in 0..30 {
        let start = Instant::now();
        drop(black_box(creation::by_tiles(grid, entities)?));
        best = best.min(start.elapsed().as_secs_f64());
        if run >= 2 && since.elapsed().as_secs_f64() > 0.5 {
            break;
        }
    }
    Ok(best)
}
