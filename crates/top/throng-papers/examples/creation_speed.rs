//! Compares creation by tiles with the memory copy of Elmir's thesis, on the grid of its benchmark, and with the same copy
//! written row by row on as many threads as the tiles.
//!
//! `cargo run --release --workspace --example creation_speed`, with `-- all` behind for all 240 cases; `RAYON_NUM_THREADS=1`
//! in front compares one thread with one. The programs take turns, so that other work on the machine slows all of them
//! down. Medians are compared, and for machines that are never idle the shortest times.

use std::hint::black_box;
use std::time::Instant;

use throng_fields::ValueError;
use throng_fields::creation;
use throng_papers::elmir::{Case, Options};

/// The least and the most turns of a case, and when it is enough.
const TURNS: std::ops::RangeInclusive<usize> = 7..=401;
const ENOUGH_S: f64 = 0.25;

fn main() -> Result<(), ValueError> {
    let mut options = Options::default();
    if std::env::args().nth(1).as_deref() != Some("all") {
        options.resolutions = vec![256, 512, 1024, 2048];
        options.counts = vec![64, 256, 2048];
    }
    let threads = rayon::current_num_threads();
    println!(
        "threads: memory copy 1, copy by rows {threads}, tiles {threads}; ratios of medians, of shortest times in brackets"
    );
    println!(
        "radius  cells  circles     copy ms     rows ms    tiles ms   copy / tiles    rows / tiles   ns per covered cell"
    );
    let mut least: [Option<(f64, Case)>; 2] = [None, None];
    for case in options.cases() {
        let [copy, rows, tiles] = times(case, &options)?;
        let Case { radius, resolution, count } = case;
        print!("{radius:6} {resolution:5}²  {count:7}");
        for (median, _) in [copy, rows, tiles] {
            print!("  {:10.4}", median * 1e3);
        }
        for ((median, shortest), least) in [copy, rows].into_iter().zip(&mut least) {
            let ratio = median / tiles.0;
            print!("  {ratio:6.2} ({:5.2})", shortest / tiles.1);
            if least.is_none_or(|(before, _)| ratio < before) {
                *least = Some((ratio, case));
            }
        }
        println!("   {:8.3}", tiles.0 * 1e9 / case.covered());
    }
    for (name, least) in ["copy", "rows"].into_iter().zip(least) {
        if let Some((ratio, Case { radius, resolution, count })) = least {
            println!(
                "least {name} / tiles: {ratio:.2}, radius {radius}, {resolution} x {resolution} cells, {count} circles"
            );
        }
    }
    Ok(())
}

/// Of the memory copy, of the copy by rows and of tiles: median and shortest, seconds.
fn times(case: Case, options: &Options) -> Result<[(f64, f64); 3], ValueError> {
    let circles = case.circles(options.seed)?;
    let entities = circles.entities()?;
    let mut all: [Vec<f64>; 3] = Default::default();
    let since = Instant::now();
    while all[0].len() < *TURNS.start() || (all[0].len() < *TURNS.end() && since.elapsed().as_secs_f64() < ENOUGH_S) {
        let start = Instant::now();
        drop(black_box(circles.memory_copy()));
        all[0].push(start.elapsed().as_secs_f64());
        let start = Instant::now();
        drop(black_box(circles.copy_by_rows()));
        all[1].push(start.elapsed().as_secs_f64());
        let start = Instant::now();
        drop(black_box(creation::by_tiles(circles.grid(), &entities)?));
        all[2].push(start.elapsed().as_secs_f64());
    }
    Ok(all.map(middle_and_least))
}

fn middle_and_least(mut seconds: Vec<f64>) -> (f64, f64) {
    seconds.sort_unstable_by(f64::total_cmp);
    (seconds[seconds.len() / 2], seconds[0])
}
