//! Creation of fields on the CPU beside a copy by rows: discs at the corners of cells, and anywhere.
//!
//! `cargo run --release -p throng-papers --example copies [threads]` prints the medians of nine repeats, milliseconds,
//! for 2,048 x 2,048 cells and 2,048 discs.

use std::time::Instant;

use throng_core::{Philox, thread_pool};
use throng_fields::creation::by_tiles;
use throng_papers::elmir::{Circles, WORLD};

const CELLS: u32 = 2048;
const REPEATS: usize = 9;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let threads = std::env::args().nth(1).map_or(Ok(1), |threads| threads.parse())?;
    let pool = thread_pool(threads)?;
    println!("threads: {threads}\nradius  positions      copy by rows  Throng  ratio");
    for radius in [15.0, 8.0, 4.0] {
        for is_on_corners in [true, false] {
            let circles = circles(radius, is_on_corners)?;
            let entities = circles.entities()?;
            let (ours, copy) = (by_tiles(circles.grid(), &entities)?, circles.copy_by_rows());
            let differences = ours.values().iter().zip(copy.values()).map(|(a, b)| (a - b).abs());
            let difference = differences.fold(0.0, f32::max);
            assert!(!is_on_corners || difference < 1e-3, "the fields differ by {difference}");
            let copy = median(|| drop(pool.install(|| circles.copy_by_rows())));
            let ours = median(|| drop(pool.install(|| by_tiles(circles.grid(), &entities))));
            let positions = if is_on_corners { "cell corners" } else { "anywhere" };
            println!("{radius:>6}  {positions:<12}  {copy:>13.2}  {ours:>6.2}  {:>5.2}", ours / copy);
        }
    }
    Ok(())
}

/// 2,048 circles at random positions.
fn circles(radius: f32, is_on_corners: bool) -> Result<Circles, Box<dyn std::error::Error>> {
    let (draws, cell) = (Philox::new(1), WORLD / CELLS as f32);
    let coordinate = |number: u32| {
        let anywhere = draws.unit(number, 0, 0, 0) as f32 * WORLD;
        if is_on_corners { (anywhere / cell).floor() * cell } else { anywhere }
    };
    let centres = (0..2048).map(|i| [coordinate(2 * i), coordinate(2 * i + 1)]).collect();
    Ok(Circles::new(CELLS, radius, centres)?)
}

/// Returns the median time in milliseconds.
fn median(compute: impl Fn()) -> f64 {
    let mut times: Vec<f64> = (0..REPEATS)
        .map(|_| {
            let since = Instant::now();
            compute();
            since.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[REPEATS / 2]
}
