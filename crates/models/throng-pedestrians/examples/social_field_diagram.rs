//! Prints the fundamental diagram of the social field model, with and without remedies for gridlock:
//! `cargo run --release -p throng-pedestrians --example social_field_diagram`.
//!
//! Each flow and density is simulated with ten seeds on 64 x 64 space units, periodic, for 1000 ticks, of which the
//! second half is measured. The flow is the number of net moves along the heading (at most 45° off it, minus those at
//! least 135° off) per space unit and tick. A seed counts as jammed if it has no net moves in the last 100 ticks. The
//! output is Markdown tables.

use rayon::prelude::*;
use throng_device::neighbours::Boundary;
use throng_device::{DeviceChoice, Error};
use throng_pedestrians::rules::grid::Grid;
use throng_pedestrians::{FieldParameters, FieldTables, Flow, SocialField, Summing, World, net_moves};

const SIDE: u32 = 64;
const TICKS: u32 = 1000;
const SEEDS: u64 = 10;
const DENSITIES: [f64; 10] = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
type AnyError = Box<dyn std::error::Error>;

fn main() -> Result<(), AnyError> {
    let defaults = FieldParameters::default();
    let exchanges = FieldParameters { exchange_ticks: 2, ..defaults };
    let variants = [
        ("published rules", defaults),
        ("side_weight = 0.1", FieldParameters { side_weight: 0.1, ..defaults }),
        ("exchange_ticks = 2", exchanges),
        ("both", FieldParameters { side_weight: 0.1, ..exchanges }),
    ];
    for flow in Flow::ALL {
        println!("\n| {} | {} |", flow.name(), DENSITIES.map(|density| density.to_string()).join(" | "));
        println!("|---|{}", "---:|".repeat(DENSITIES.len()));
        for (name, parameters) in &variants {
            let tables = FieldTables::new(parameters)?;
            let cells: Vec<String> =
                DENSITIES.iter().map(|&density| cell(flow, density, &tables)).collect::<Result<_, _>>()?;
            println!("| {name} | {} |", cells.join(" | "));
        }
    }
    Ok(())
}

/// Formats the mean flow over seeds, its extremes, and the number of jammed seeds.
fn cell(flow: Flow, density: f64, tables: &FieldTables) -> Result<String, AnyError> {
    let runs: Vec<(f64, bool)> = (1..=SEEDS)
        .into_par_iter()
        .map(|seed| run(flow, density, tables, seed))
        .collect::<Result<_, _>>()
        .map_err(AnyError::from)?;
    let mean = runs.iter().map(|(flow, _)| flow).sum::<f64>() / runs.len() as f64;
    let lowest = runs.iter().map(|(flow, _)| *flow).fold(f64::INFINITY, f64::min);
    let highest = runs.iter().map(|(flow, _)| *flow).fold(0.0, f64::max);
    let jammed = runs.iter().filter(|(_, jams)| *jams).count();
    let jams = if jammed == 0 { String::new() } else { format!("; {jammed} jam") };
    Ok(format!("{mean:.3} ({lowest:.3}-{highest:.3}{jams})"))
}

fn run(flow: Flow, density: f64, tables: &FieldTables, seed: u64) -> Result<(f64, bool), Error> {
    let grid = Grid { width: SIDE, height: SIDE, boundary: Boundary::Periodic };
    let world = World::without_walls(grid)?;
    let field = SocialField::builder(world).tables(tables.clone()).at_random(density, flow).seed(seed);
    let mut field = field.summing(Summing::Windows).on(DeviceChoice::Cpu).build()?;
    for _ in 0..TICKS / 2 {
        field.step()?;
    }
    let (mut net, mut last) = (0i64, 0i64);
    let mut before = field.pedestrians()?;
    for tick in TICKS / 2..TICKS {
        field.step()?;
        let after = field.pedestrians()?;
        let forward = net_moves(&grid, &before, &after);
        net += forward;
        last += if tick >= TICKS - 100 { forward } else { 0 };
        before = after;
    }
    let measured = f64::from(TICKS / 2) * f64::from(SIDE * SIDE);
    Ok((net as f64 / measured, last == 0))
}
