//! Measures how long societies take on one thread, with the same settings as `throng run` and `throng sweep`:
//! `cargo run --release -p throng-economy --example definition -- agents=24 resources=24 days=200 seeds=8 trade=yes devices=tools`.

use std::time::Instant;

use throng_economy::{Devices, Parameters, Society};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut parameters = Parameters::default();
    let (mut days, mut seeds) = (200, 1);
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            Some(("agents", value)) => parameters.agents = value.parse()?,
            Some(("resources", value)) => parameters.resources = value.parse()?,
            Some(("days", value)) => days = value.parse()?,
            Some(("seeds", value)) => seeds = value.parse()?,
            Some(("trade", value)) => parameters.trade = value == "yes",
            Some(("devices", "none")) => parameters.devices = Devices::None,
            Some(("devices", "tools")) => parameters.devices = Devices::Tools,
            Some(("devices", "extracting")) => parameters.devices = Devices::Extracting,
            Some(("devices", "all")) => parameters.devices = Devices::All,
            _ => {
                return Err(
                    format!("\"{argument}\": give agents=, resources=, days=, seeds=, trade=yes or devices=none|tools|extracting|all").into()
                );
            }
        }
    }
    for seed in 1..=seeds {
        let began = Instant::now();
        let mut society = Society::new(&parameters, seed).unwrap();
        (0..days).for_each(|_| society.day());
        let utility = society.today.utility.iter().sum::<f64>() / f64::from(parameters.agents);
        println!("seed {seed}: {:.3} s; utility {utility:.0} after {days} days", began.elapsed().as_secs_f64());
    }
    Ok(())
}
