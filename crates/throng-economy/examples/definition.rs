//! A society by the definition of the model, day by day, on one thread:
//! `cargo run --release -p throng-economy --example definition -- agents=24 resources=24 days=200 seeds=8 trade=yes tools=yes`.

use std::time::Instant;

use throng_economy::Parameters;
use throng_economy::reference::{Society, gini};

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
            Some(("tools", value)) => parameters.tools = value == "yes",
            _ => {
                return Err(
                    format!("\"{argument}\": give agents=, resources=, days=, seeds=, trade=yes or tools=yes").into()
                );
            }
        }
    }
    println!(
        "seed  day  extracted  traded    held  utility    Gini  tools built  traded   (per agent)  complexity  concentration (median)"
    );
    let agents = f64::from(parameters.agents);
    for seed in 1..=seeds {
        let began = Instant::now();
        let mut society = Society::new(&parameters, seed);
        for day in 1..=days {
            society.day();
            let today = &society.today;
            if [1, 10, 20, 50, 75, 100, 150].contains(&day) || day % 100 == 0 || day == days {
                println!(
                    "{seed:>4} {day:>4} {:>10.1} {:>7.1} {:>7.1} {:>8.0} {:>7.4} {:>12.2} {:>7.2} {:>24.2} {:>14.3}",
                    today.units_extracted as f64 / agents,
                    today.units_traded as f64 / agents,
                    today.units_held as f64 / agents,
                    today.utility.iter().sum::<f64>() / agents,
                    gini(&today.utility),
                    today.tools_built as f64 / agents,
                    today.tools_traded as f64 / agents,
                    today.complexity(parameters.resources_in_tool),
                    median(today.concentration()),
                );
            }
        }
        println!("     {:.3} s", began.elapsed().as_secs_f64());
    }
    Ok(())
}
