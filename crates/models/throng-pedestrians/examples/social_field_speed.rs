//! Measures the social field model: `cargo run --release -p throng-pedestrians --example social_field_speed -- cpu 1000 0.5 7`.
//!
//! Arguments: `cpu` or a device such as `cuda:0`; side length of the periodic world in space units; density; one or
//! more field sizes in columns. Pedestrians start at random positions and walk in eight directions with a walk period
//! of 1; 100 ticks are measured after 20 warm-up ticks. With `--phases` a device also prints the time of each kernel.
//! `--windows`, `--sides`, `--units` or `--transforms` selects how fields are summed up, instead of the fastest way.
//! With `--traces` pedestrians leave traces, which requires `--units`.

use std::time::{Duration, Instant};

use throng_device::DeviceId;
use throng_device::neighbours::Boundary;
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
    let executor = arguments.next().unwrap_or_else(|| "cpu".to_owned());
    let side: u32 = arguments.next().map_or(Ok(1000), |side| side.parse())?;
    let density: f64 = arguments.next().map_or(Ok(0.5), |density| density.parse())?;
    let mut sizes: Vec<u32> = arguments.map(|size| size.parse()).collect::<Result<_, _>>()?;
    if sizes.is_empty() {
        sizes.push(7);
    }
    let world = World::open(Grid { width: side, height: side, boundary: Boundary::Periodic })?;
    let start = Start { density, flow: Flow::Eight, periods: &[1], seed: SEED };
    let pedestrians = start.pedestrians(&world)?;
    let threads = rayon::current_num_threads();
    println!(
        "{executor}, {threads} threads of the CPU, {side} x {side}, {} pedestrians, {TICKS} ticks",
        pedestrians.len()
    );
    println!("field  summing                          ms/tick  ns/pedestrian  hash after the last tick");
    for size in sizes {
        let trace_decay = if has("--traces") { 3 } else { 0 };
        let tables = FieldTables::new(&FieldParameters { size, trace_decay, ..FieldParameters::default() })?;
        let summing = given.unwrap_or_else(|| Summing::fastest(&tables));
        let run = Run { world: &world, tables: &tables, pedestrians: &pedestrians, summing };
        let Measured { time, hash, phases } = if executor == "cpu" {
            run.on_cpu()?
        } else {
            let id =
                DeviceId::parse(&executor).ok_or_else(|| format!("\"{executor}\": give cpu, cuda:N or vulkan:N"))?;
            on_device::measure(&run, id, shows_phases)?
        };
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
    fn on_cpu(&self) -> Result<Measured, AnyError> {
        let (world, tables) = (self.world.clone(), self.tables.clone());
        let mut field = SocialField::new(world, tables, self.pedestrians.clone(), SEED, 0, self.summing)?;
        let mut since = Instant::now();
        for tick in 0..WARM_UP + TICKS {
            if tick == WARM_UP {
                since = Instant::now();
            }
            field.step();
        }
        let time = since.elapsed();
        Ok(Measured { time, hash: field.pedestrians().hash(), phases: String::new() })
    }
}

#[cfg(feature = "gpu")]
mod on_device {
    use std::fmt::Write as _;

    use throng_device::{Device, open};
    use throng_pedestrians::DeviceSocialField;

    use super::{AnyError, DeviceId, Instant, Measured, Run, SEED, TICKS, WARM_UP};

    pub fn measure(run: &Run<'_>, id: DeviceId, shows_phases: bool) -> Result<Measured, AnyError> {
        let device = open(id)?;
        let mut measured = measure_on(run, &device)?;
        if shows_phases {
            let mut device = open(id)?;
            device.time_launches(1)?;
            measure_on(run, &device)?;
            for (label, phase) in device.ledger().phases {
                if let Some(time) = phase.estimated() {
                    let us = time.as_secs_f64() * 1e6 / phase.launches as f64;
                    writeln!(measured.phases, "    {label:<30} {:>6} launches, {us:>8.1} us each", phase.launches)?;
                }
            }
        }
        Ok(measured)
    }

    fn measure_on(run: &Run<'_>, device: &Device) -> Result<Measured, AnyError> {
        let mut field = DeviceSocialField::new(device, run.world, run.tables, run.pedestrians, SEED, 0, run.summing)?;
        for _ in 0..WARM_UP {
            field.step(device)?;
        }
        device.synchronize("warm up")?;
        let since = Instant::now();
        for _ in 0..TICKS {
            field.step(device)?;
        }
        device.synchronize("ticks")?;
        let time = since.elapsed();
        let hash = field.pedestrians(device)?.hash();
        let phases = format!("    {:.0} MB on the device\n", field.bytes() as f64 / 1e6);
        Ok(Measured { time, hash, phases })
    }
}

#[cfg(not(feature = "gpu"))]
mod on_device {
    use super::{AnyError, DeviceId, Measured, Run};

    pub fn measure(_: &Run<'_>, _: DeviceId, _: bool) -> Result<Measured, AnyError> {
        Err("this build has no devices".into())
    }
}
