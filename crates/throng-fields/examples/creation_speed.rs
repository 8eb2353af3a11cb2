//! Compares creation by tiles with the memory copy of Elmir's thesis, on the grid of its benchmark.
//!
//! `cargo run --release --workspace --example creation_speed`, with `-- all` behind for all 240 cases. Both programs take
//! turns, so that other work on the machine slows both down; what is compared are medians.

use std::hint::black_box;
use std::time::Instant;

use throng_fields::FieldError;
use throng_fields::baselines::elmir::{Case, Options};
use throng_fields::creation;

/// The least and the most turns of a case, and when it is enough.
const TURNS: std::ops::RangeInclusive<usize> = 7..=401;
const ENOUGH_S: f64 = 0.25;

fn main() -> Result<(), FieldError> {
    let mut options = Options::default();
    if std::env::args().nth(1).as_deref() != Some("all") {
        options.resolutions = vec![256, 512, 1024, 2048];
        options.counts = vec![64, 256, 2048];
    }
    println!("{} threads; memory copy / by tiles, medians", rayon::current_num_threads());
    println!("radius  cells  circles     copy ms    tiles ms   ratio   ns per covered cell");
    let mut least: Option<(f64, Case)> = None;
    for case in options.cases() {
        let (copy, tiles) = medians(case, &options)?;
        let ratio = copy / tiles;
        let Case { radius, resolution, count } = case;
        let per_cell = tiles * 1e9 / case.covered();
        println!(
            "{radius:6} {resolution:5}²  {count:7}  {:10.4}  {:10.4}  {ratio:6.2}   {per_cell:8.3}",
            copy * 1e3,
            tiles * 1e3
        );
        if least.is_none_or(|(before, _)| ratio < before) {
            least = Some((ratio, case));
        }
    }
    if let Some((ratio, Case { radius, resolution, count })) = least {
        println!("least ratio: {ratio:.2}, radius {radius}, {resolution} x {resolution} cells, {count} circles");
    }
    Ok(())
}

/// Of the memory copy and of tiles, seconds.
fn medians(case: Case, options: &Options) -> Result<(f64, f64), FieldError> {
    let circles = case.circles(options.seed)?;
    let entities = circles.entities()?;
    let (mut copy, mut tiles) = (Vec::new(), Vec::new());
    let since = Instant::now();
    while copy.len() < *TURNS.start() || (copy.len() < *TURNS.end() && since.elapsed().as_secs_f64() < ENOUGH_S) {
        let start = Instant::now();
        drop(black_box(circles.memory_copy()));
        copy.push(start.elapsed().as_secs_f64());
        let start = Instant::now();
        drop(black_box(creation::by_tiles(circles.grid(), &entities)?));
        tiles.push(start.elapsed().as_secs_f64());
    }
    Ok((median(copy), median(tiles)))
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_unstable_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}
