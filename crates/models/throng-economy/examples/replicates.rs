//! Measures how fast a device simulates many societies with barter at once:
//! `cargo run --release -p throng-economy --example replicates -- device=cuda:0 agents=24 resources=24 days=500 societies=10,100,1000,10000`.

use std::sync::Arc;
use std::time::Instant;

use throng_device::{DeviceId, open};
use throng_economy::gpu::{Replicate, SocietiesOnDevice, simulate};
use throng_economy::{Devices, Parameters, Society};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut parameters = Parameters::default();
    let (mut days, mut counts, mut id) = (500, vec![10, 100, 1000], "cuda:0".to_owned());
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            Some(("agents", value)) => parameters.agents = value.parse()?,
            Some(("resources", value)) => parameters.resources = value.parse()?,
            Some(("days", value)) => days = value.parse()?,
            Some(("societies", value)) => {
                counts = value.split(',').map(str::parse).collect::<Result<_, _>>()?;
            }
            Some(("trade", value)) => parameters.trade = value == "yes",
            Some(("devices", "tools")) => parameters.devices = Devices::Tools,
            Some(("devices", "extracting")) => parameters.devices = Devices::Extracting,
            Some(("devices", "all")) => parameters.devices = Devices::All,
            Some(("device", value)) => value.clone_into(&mut id),
            _ => {
                return Err(format!(
                    "\"{argument}\": give device=, agents=, resources=, days=, societies=, trade= or \
                         devices=tools|extracting|all"
                )
                .into());
            }
        }
    }
    let device = Arc::new(open(DeviceId::parse(&id).ok_or("device= is cuda:N or vulkan:N")?)?);
    println!("{}", device.label());
    for count in [1].into_iter().chain(counts) {
        let replicates: Vec<Replicate> = (1..=count).map(|seed| Replicate { set: 0, seed }).collect();
        let began = Instant::now();
        let sets = std::slice::from_ref(&parameters);
        let mut societies = SocietiesOnDevice::new(&device, sets, &replicates, false)?;
        let series = simulate(&device, &mut societies, days, &mut |_| ())?;
        let seconds = began.elapsed().as_secs_f64();
        let last = series.of(0, days);
        println!(
            "{count:>6} societies of {} bytes, {days} days: {seconds:>8.3} s, {:.1} societies a second; society 1: \
                 utility {:.3}, {:.3} units extracted",
            societies.bytes_per_society(),
            count as f64 / seconds,
            last[0],
            last[2]
        );
    }
    for (label, phase) in device.ledger().phases {
        println!("  {label:<12} {phase:?}");
    }
    let began = Instant::now();
    let mut society = Society::new(&parameters, 1).unwrap();
    (0..days).for_each(|_| society.day());
    let utility = society.today.utility.iter().sum::<f64>() / f64::from(parameters.agents);
    println!("one society on one CPU thread: {:.3} s; utility {utility:.3}", began.elapsed().as_secs_f64());
    Ok(())
}
