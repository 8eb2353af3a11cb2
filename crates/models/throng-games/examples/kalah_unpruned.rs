//! Measures unpruned minimax of Kalah from the start, 6 pits with 4 stones:
//! `cargo run --release -p throng-games --example kalah_unpruned -- cpu,cuda:0 12,13 --phases`.
//!
//! Times are medians of five searches after one warm-up, from the board to the value, including all transfers. With
//! `--phases` a device also prints the time of each kernel, from a separate search because timing adds overhead.

use std::time::Instant;

use throng_device::{Device, DeviceId, open};
use throng_games::kalah::unpruned::{self, UnprunedResult};
use throng_games::kalah::{Game, Side};

const TIMES: usize = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |at: usize, default: &str| arguments.get(at).cloned().unwrap_or_else(|| default.to_owned());
    let (devices, depths) = (argument(0, "cpu"), argument(1, "10,11,12"));
    let depths = depths.split(',').map(str::parse).collect::<Result<Vec<u32>, _>>()?;
    let phases = arguments.iter().any(|argument| argument == "--phases");
    throng_core::start_all_threads()?;
    for name in devices.split(',') {
        if name == "cpu" {
            println!("cpu, {} threads", std::thread::available_parallelism()?);
            for &depth in &depths {
                measure(depth, |board, depth| Ok(unpruned::search_on_cpu(board, depth)))?;
            }
        } else {
            let id = DeviceId::parse(name)
                .ok_or_else(|| format!("\"{name}\" names no device; give cpu, cuda:N or vulkan:N"))?;
            let mut device = open(id)?;
            println!("{}", device.info().label());
            on_device(&mut device, &depths, phases)?;
        }
    }
    Ok(())
}

fn measure(
    depth: u32,
    search: impl Fn(&throng_games::kalah::Board, u32) -> Result<UnprunedResult, Box<dyn std::error::Error>>,
) -> Result<(), Box<dyn std::error::Error>> {
    let start = Game::new(6, 4)?.start(Side::Top);
    let found = search(&start, depth)?;
    let mut seconds = Vec::new();
    for _ in 0..TIMES {
        let since = Instant::now();
        assert_eq!(search(&start, depth)?, found, "every search returns the same result");
        seconds.push(since.elapsed().as_secs_f64());
    }
    seconds.sort_by(f64::total_cmp);
    let median = seconds[TIMES / 2];
    println!(
        "depth {depth:>2}  value {:>3}  cell {:?}  {:>14} nodes  {:>10.3} ms ({:.3} to {:.3})  {:>9.1} Mnodes/s",
        found.value,
        found.pit.map(|pit| pit + 7),
        found.nodes,
        median * 1e3,
        seconds[0] * 1e3,
        seconds[TIMES - 1] * 1e3,
        found.nodes as f64 / median * 1e-6
    );
    Ok(())
}

#[cfg(feature = "gpu")]
fn on_device(device: &mut Device, depths: &[u32], phases: bool) -> Result<(), Box<dyn std::error::Error>> {
    for &depth in depths {
        { measure(depth, |board, depth| Ok(unpruned::search_on_device(device, board, depth)?)) }?;
    }
    if phases && let Some(&depth) = depths.last() {
        {
            device.time_launches(1)?;
            unpruned::search_on_device(device, &Game::new(6, 4)?.start(Side::Top), depth)?;
            println!("kernels of a search to depth {depth}:");
            for (label, phase) in device.ledger().phases.iter().filter(|(_, phase)| phase.timed > 0) {
                println!(
                    "    {label:<28} {:>4} launches, {:>9.1} us",
                    phase.timed,
                    phase.timed_for.as_secs_f64() * 1e6
                );
            }
            Ok::<(), Box<dyn std::error::Error>>(())
        }?;
    }
    Ok(())
}

#[cfg(not(feature = "gpu"))]
fn on_device(_: &mut Device, _: &[u32], _: bool) -> Result<(), Box<dyn std::error::Error>> {
    unreachable!("there are no devices in this build")
}
