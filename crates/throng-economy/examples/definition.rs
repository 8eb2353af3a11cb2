//! A society by the definition of the model, day by day, on one thread:
//! `cargo run --release -p throng-economy --example definition -- agents=24 resources=24 days=200 seeds=8 trade=yes devices=tools`.

use std::time::Instant;

use throng_economy::{Devices, Kind, Parameters, Society};

fn median(of_resources: Vec<Option<f64>>) -> f64 {
    let mut known: Vec<f64> = of_resources.into_iter().flatten().collect();
    known.sort_by(f64::total_cmp);
    known.get(known.len() / 2).copied().unwrap_or(f64::NAN)
}

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
    println!("All but the last three columns per agent; devices are made: {:?}", Kind::BY_PRODUCTION.map(Kind::name));
    println!("seed  day  extracted  traded    held  utility  devices                            Gini  complexity  HHI");
    let agents = f64::from(parameters.agents);
    for seed in 1..=seeds {
        let began = Instant::now();
        let mut society = Society::new(&parameters, seed);
        for day in 1..=days {
            society.day();
            let today = &society.today;
            if [1, 10, 20, 30, 50, 75, 100, 119, 150].contains(&day) || day % 100 == 0 || day == days {
                let made = Kind::BY_PRODUCTION.map(|kind| format!("{:.2}", today.made(kind) as f64 / agents)).join(" ");
                println!(
                    "{seed:>4} {day:>4} {:>10.1} {:>7.1} {:>7.1} {:>8.0}  {made:<32} {:>7.4} {:>10.2} {:>6.3}",
                    today.units_extracted() as f64 / agents,
                    today.units_traded() as f64 / agents,
                    today.units_held as f64 / agents,
                    today.utility.iter().sum::<f64>() / agents,
                    society.gini(),
                    society.complexity(),
                    median(today.concentration()),
                );
            }
        }
        println!("     {:.3} s", began.elapsed().as_secs_f64());
    }
    Ok(())
}
