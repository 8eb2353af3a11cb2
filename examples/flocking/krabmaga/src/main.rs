//! The flocking example, written for the agent simulator krABMaga so that both can be timed on the same computer.
//!
//! ```text
//! cargo build --release
//! target/release/flocking-krabmaga --birds 1000000 --size 4099 --ticks 20
//! cargo build --release --features parallel --target-dir target/parallel
//! target/parallel/release/flocking-krabmaga --birds 1000000 --size 4099 --ticks 20 --threads 8
//! ```
//!
//! Without the feature `parallel`, krABMaga uses one thread. With it, the schedule starts threads, but each thread
//! locks the whole state during an agent's step, so agents still run one at a time. The fields also become hash maps,
//! which are slower than the grids they replace. The build without the feature is therefore faster.
//!
//! Without arguments, both this program and Throng simulate 300 birds on 71 x 71 patches. After 1000 ticks, the order
//! is 0.97 to 0.99 in both programs for all eight seeds tested.

#![forbid(unsafe_code)]
#![allow(clippy::disallowed_methods, reason = "its results need not be the same on every system")]

mod bird;
mod flock;

use std::process::ExitCode;
use std::time::Instant;

use krabmaga::engine::schedule::Schedule;
use krabmaga::engine::state::State;

use bird::Bird;
use flock::Flock;

struct Arguments {
    birds: u32,
    /// Width and height of the world, in patches.
    size: u32,
    ticks: u32,
    threads: u32,
    seed: u32,
}

impl Arguments {
    fn parse(mut given: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut arguments = Self { birds: 300, size: 71, ticks: 1000, threads: 1, seed: 1 };
        while let Some(key) = given.next() {
            let value = match key.as_str() {
                "--birds" => &mut arguments.birds,
                "--size" => &mut arguments.size,
                "--ticks" => &mut arguments.ticks,
                "--threads" => &mut arguments.threads,
                "--seed" => &mut arguments.seed,
                _ => return Err(format!("unknown argument {key}; give --birds, --size, --ticks, --threads or --seed")),
            };
            let text = given.next().unwrap_or_default();
            let number = text.parse().ok().filter(|&number| number > 0);
            *value = number.ok_or_else(|| format!("{key} \"{text}\": give a whole number from 1 to {}", u32::MAX))?;
        }
        if cfg!(not(feature = "parallel")) && arguments.threads > 1 {
            return Err(format!("--threads {}: build with --features parallel for more than 1", arguments.threads));
        }
        Ok(arguments)
    }
}

fn main() -> ExitCode {
    match Arguments::parse(std::env::args().skip(1)).and_then(|arguments| run(&arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(&Arguments { birds, size, ticks, threads, seed }: &Arguments) -> Result<(), String> {
    let mut flock = Flock::new(birds, size as f32, seed.into())?;
    #[cfg(feature = "parallel")]
    let mut schedule = Schedule::with_threads(threads as usize);
    #[cfg(not(feature = "parallel"))]
    let mut schedule = Schedule::new();
    flock.init(&mut schedule);
    println!("{birds} birds on {size} x {size} patches, {ticks} ticks, threads: {threads}");
    // Agents carry their own state, so the agents in the schedule are the birds after the last tick.
    println!("order at the start: {:.3}", order(&schedule));

    let mut times_ms: Vec<f64> = Vec::new();
    for _ in 0..ticks {
        let start = Instant::now();
        schedule.step(&mut flock);
        times_ms.push(start.elapsed().as_secs_f64() * 1e3);
    }
    // Measured before `order`, which copies the birds.
    let peak = peak_memory();
    println!("order at the end: {:.3}", order(&schedule));
    println!("first tick: {:.3} ms", times_ms.remove(0));
    times_ms.sort_by(f64::total_cmp);
    if let (Some(lowest), Some(highest)) = (times_ms.first(), times_ms.last()) {
        let median = times_ms[times_ms.len() / 2];
        println!("other ticks: median {median:.3} ms, lowest {lowest:.3} ms, highest {highest:.3} ms");
    }
    if let Some(peak) = peak {
        println!("peak memory: {peak}");
    }
    Ok(())
}

/// Returns the length of the mean direction: 1 if all birds head the same way, near 0 if headings are random.
fn order(schedule: &Schedule) -> f64 {
    let agents = schedule.get_all_events();
    let directions = agents.iter().filter_map(|agent| agent.downcast_ref::<Bird>()).map(|bird| bird.direction);
    let (x, y) =
        directions.fold((0.0, 0.0), |(x, y), direction| (x + f64::from(direction.x), y + f64::from(direction.y)));
    x.hypot(y) / agents.len() as f64
}

/// Returns the peak memory reported by Linux; `None` on other systems.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    Some(status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().to_owned())
}
