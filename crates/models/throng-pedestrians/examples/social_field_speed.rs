//! Measures the social field model: `cargo run --release -p throng-pedestrians --example social_field_speed -- cpu 1000 0.5 7`.
//!
//! Arguments: `cpu` or a device such as `cuda:0`; side length of the periodic world in space units; density; one or
//! more field sizes in columns. Pedestrians start at random positions and walk in eight directions with a walk period
//! of 1; 100 ticks are measured after 20 warm-up ticks. With `--phases` a device also prints the time of each kernel.
//! `--windows`, `--sides`, `--units` or `--transforms` selects how fields are summed up, instead of the fastest way.
//! With `--traces` pedestrians leave traces, which requires `--units`.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use throng_device::neighbours::Boundary;
use throng_device::{Device, DeviceChoice, Executor};
use throng_pedestrians::rules::grid::Grid;
use throng_pedestrians::{FieldParameters, FieldTables, Flow, Pedestrians, SocialField, Start, Summing, World};

const WARM_UP: u32 = 20;
const TICKS: u32 = 100;
const SEED: u64 = 1;
type AnyError = Box<dyn std::error::Error>;

fn main() -> Result<(), AnyError> {
    let has = |flag: &str| std::env::args().any(|argument| argument == flag);
    let shows_phases = has("--phases");
    let ways = [
        ("--windows", Summing::Windows),
        ("--sides", Summing::Sides),
        ("--units", Summing::Units),
        ("--transforms", Summing::Transforms),
    ];
    let given = ways.into_iter().find(|&(flag, _)| has(flag)).map(|(_, summing)| summing);
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let choice: DeviceChoice = arguments.next().unwrap_or_else(|| "cpu".to_owned()).parse()?;
    let side: u32 = arguments.next().map_or(Ok(1000), |side| side.parse())?;
    let density: f64 = arguments.next().map_or(Ok(0.5), |density| density.parse())?;
    let mut sizes: Vec<u32> = arguments.map(|size| size.parse()).collect::<Result<_, _>>()?;
    if sizes.is_empty() {
        sizes.push(7);
    }
    let world = World::without_walls(Grid { width: side, height: side, boundary: Boundary::Periodic })?;
    let start = Start { density, flow: Flow::Eight, periods: &[1], seed: SEED };
    let pedestrians = start.pedestrians(&world)?;
    let threads = rayon::current_num_threads();
    println!("{choice}, {threads} CPU threads, {side} x {side}, {} pedestrians, {TICKS} ticks", pedestrians.len());
    println!("field  summing                          ms/tick  ns/pedestrian  hash after the last tick");
    for size in sizes {
        let trace_decay = if has("--traces") { 3 } else { 0 };
        let tables = FieldTables::new(&FieldParameters { size, trace_decay, ..FieldParameters::default() })?;
        let summing = given.unwrap_or_else(|| Summing::fastest(&tables));
        let run = Run { world: &world, tables: &tables, pedestrians: &pedestrians, summing };
        let Measured { time, hash, phases } = run.measure(choice, shows_phases)?;
        let ms = time.as_secs_f64() * 1e3 / f64::from(TICKS);
        let ns = ms * 1e6 / pedestrians.len() as f64;
        println!("{size:>5}  {:<30} {ms:>9.3} {ns:>14.2}  {hash:016x}", summing.name());
        print!("{phases}");
    }
    Ok(())
}

struct Run<'r> {
    world: &'r World,
    tables: &'r FieldTables,
    pedestrians: &'r Pedestrians,
    summing: Summing,
}

struct Measured {
    time: Duration,
    hash: u64,
    phases: String,
}

impl Run<'_> {
    fn measure(&self, choice: DeviceChoice, shows_phases: bool) -> Result<Measured, AnyError> {
        let mut measured = self.measure_on(&Executor::open(choice)?)?;
        if shows_phases {
            let mut executor = Executor::open(choice)?;
            if let Some(device) = executor.device_mut() {
                device.time_launches(1)?;
            }
            self.measure_on(&executor)?;
            for (label, phase) in executor.device().map(Device::ledger).unwrap_or_default().phases {
                if let Some(time) = phase.estimated() {
                    let us = time.as_secs_f64() * 1e6 / phase.launches as f64;
                    writeln!(measured.phases, "    {label:<30} {:>6} launches, {us:>8.1} us each", phase.launches)?;
                }
            }
        }
        Ok(measured)
    }

    fn measure_on(&self, executor: &Executor) -> Result<Measured, AnyError> {
        let field = SocialField::builder(self.world.clone()).tables(self.tables.clone());
        let field = field.pedestrians(self.pedestrians.clone()).seed(SEED).summing(self.summing);
        let mut field = field.on(executor).build()?;
        for _ in 0..WARM_UP {
            field.step()?;
        }
        executor.wait()?;
        let since = Instant::now();
        for _ in 0..TICKS {
            field.step()?;
        }
        executor.wait()?;
        let time = since.elapsed();
        let on_device = |bytes| format!("    {:.0} MB on the device\n", bytes as f64 / 1e6);
        let phases = field.device_bytes().map(on_device).unwrap_or_default();
        Ok(Measured { time, hash: field.pedestrians()?.hash(), phases })
    }
}
