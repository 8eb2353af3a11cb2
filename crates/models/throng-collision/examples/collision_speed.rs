//! Measures the collision check:
//! `cargo run --release -p throng-collision --example collision_speed -- cpu all 1000000`.
//!
//! Arguments: `cpu` or a device such as `cuda:0`; `all` cases, or only `default` (default rule, area fraction 0.2,
//! steps of 0.25 L); one or more numbers of discs. With `--phases` a device also prints the time of each kernel. Discs
//! of one radius start at jittered points of a square lattice in a periodic world, in random order, and make random
//! steps; 100 are measured after 20 warm-up steps. Times exclude the generation of wishes. L is the side length of a
//! cell, 1.41 radii.

use std::time::{Duration, Instant};

use throng_collision::{CELL, Crowd, MIN_RADIUS, Options, Radii, Rule, Scene, World};
use throng_core::Philox;
use throng_device::neighbours::Boundary;
use throng_device::{CPU, DeviceId};

const WARM_UP: u32 = 20;
const STEPS: u32 = 100;
const FRACTIONS: [f64; 3] = [0.05, 0.2, 0.45];
const STEP_LENGTHS: [f64; 3] = [0.25, 1.0, 3.0];
type AnyError = Box<dyn std::error::Error>;

fn main() -> Result<(), AnyError> {
    let shows_phases = std::env::args().any(|argument| argument == "--phases");
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--phases");
    let executor = arguments.next().unwrap_or_else(|| "cpu".to_owned());
    let is_default = arguments.next().is_some_and(|which| which == "default");
    let mut sizes: Vec<usize> = arguments.map(|size| size.parse()).collect::<Result<_, _>>()?;
    if sizes.is_empty() {
        sizes.push(1_000_000);
    }
    let threads = rayon::current_num_threads();
    println!("{executor}, {threads} threads of the CPU, {STEPS} steps");
    println!("rule          discs  fraction  step/L  bound   ms/step  ns/disc granted");
    for discs in sizes {
        for fraction in FRACTIONS {
            for length in STEP_LENGTHS {
                let step = (length * f64::from(CELL)) as i32;
                let run = Run { discs, fraction, step };
                for rule in Rule::ALL {
                    if is_default && (rule, fraction, length) != (Rule::default(), 0.2, 0.25) {
                        continue;
                    }
                    // Unbounded checks are measured with the default rule only.
                    for longest_step in [Some(step), None].into_iter().take(1 + usize::from(rule == Rule::Sequential)) {
                        let options = Options { rule, seed: 1, longest_step, lattice: None };
                        let (time, share) = run.measure(&executor, options)?;
                        let (ms, bound) = (time.as_secs_f64() * 1e3 / f64::from(STEPS), longest_step.is_some());
                        let name = format!("{rule:?}");
                        let ns = ms * 1e6 / discs as f64;
                        println!(
                            "{name:<12} {discs:>7} {fraction:>8} {length:>8} {bound:>6} {ms:>9.3} {ns:>8.2} {share:>7.3}"
                        );
                        if shows_phases && executor != "cpu" {
                            print!("{}", run.phases(&executor, options)?);
                        }
                    }
                }
            }
        }
    }
    Ok(())
}

fn device_id(executor: &str) -> Result<DeviceId, AnyError> {
    DeviceId::parse(executor).ok_or_else(|| format!("\"{executor}\": give cpu, cuda:N or vulkan:N").into())
}

struct Run {
    discs: usize,
    fraction: f64,
    step: i32,
}

impl Run {
    fn start(&self) -> Result<(Scene, [Vec<i32>; 2]), AnyError> {
        let columns = (self.discs as f64).sqrt().ceil() as usize;
        let spacing = f64::from(MIN_RADIUS) * (std::f64::consts::PI / self.fraction).sqrt();
        let jitter = ((spacing - f64::from(2 * MIN_RADIUS)) * 0.7).floor().max(1.0) as u32;
        let side = (columns as f64 * spacing).ceil() as i32;
        let world = World::new([side, side], Boundary::Periodic)?;
        let draws = Philox::new(7);
        let mut order: Vec<u32> = (0..self.discs as u32).collect();
        order.sort_by_key(|&disc| draws.block([disc, 0, 2, 0]));
        let place = |axis: u32| {
            let at = |disc: usize| {
                let cell = order[disc] as usize;
                let number = if axis == 0 { cell % columns } else { cell / columns };
                (number as f64 * spacing) as i32 + draws.below(jitter, disc as u32, 0, axis, 0) as i32
            };
            (0..self.discs).map(at).collect()
        };
        Ok((Scene { world, walls: vec![], radii: Radii::equal(self.discs) }, [place(0), place(1)]))
    }

    fn measure(&self, executor: &str, options: Options) -> Result<(Duration, f64), AnyError> {
        if executor == "cpu" {
            return self.on_cpu(options);
        }
        on_device::measure(self, device_id(executor)?, options)
    }

    /// Returns a table of the kernel times on a device, blocking after each launch.
    fn phases(&self, executor: &str, options: Options) -> Result<String, AnyError> {
        on_device::phases(self, device_id(executor)?, options)
    }

    fn on_cpu(&self, options: Options) -> Result<(Duration, f64), AnyError> {
        let (scene, at) = self.start()?;
        let mut check = Crowd::in_units(scene, at, Vec::new(), options, &CPU)?;
        let draws = Philox::new(3);
        let (mut time, mut granted) = (Duration::ZERO, 0);
        for step in 0..WARM_UP + STEPS {
            let at = check.positions()?;
            let wish = |axis: usize| -> Vec<i32> {
                let reach = (f64::from(self.step) * std::f64::consts::FRAC_1_SQRT_2) as i32;
                let draw = |(disc, at): (usize, &i32)| {
                    at + draws.below(2 * reach as u32 + 1, disc as u32, step, axis as u32, 0) as i32 - reach
                };
                at[axis].iter().enumerate().map(draw).collect()
            };
            let wishes = [wish(0), wish(1)];
            let since = Instant::now();
            let accepted = check.step(wishes.each_ref().map(Vec::as_slice))?;
            if step >= WARM_UP {
                time += since.elapsed();
                granted += accepted;
            }
        }
        Ok((time, granted as f64 / (self.discs as f64 * f64::from(STEPS))))
    }
}

#[cfg(feature = "gpu")]
mod on_device {
    use throng_collision::Crowd;
    use throng_device::cubecl::{self, prelude::*};
    use throng_device::{Buffer, Executor, KernelArrays, open, philox, primitives};

    use super::{AnyError, DeviceId, Duration, Instant, Options, Run, STEPS, WARM_UP};

    #[derive(CubeType, CubeLaunch, KernelArrays)]
    struct Points {
        xs: Array<i32>,
        ys: Array<i32>,
    }

    /// Generates the wish of each disc: up to `reach` units along each axis.
    #[cube(launch)]
    fn make_wishes(at: &Points, to: &mut Points, step: u32, reach: u32) {
        let i = ABSOLUTE_POS;
        if i < to.xs.len() {
            let drawn = philox::words(3u32, 0u32, i as u32, step, 0u32, 0u32);
            to.xs[i] = at.xs[i] + (drawn.first % (2u32 * reach + 1u32)) as i32 - reach as i32;
            to.ys[i] = at.ys[i] + (drawn.second % (2u32 * reach + 1u32)) as i32 - reach as i32;
        }
    }

    pub fn measure(run: &Run, id: DeviceId, options: Options) -> Result<(Duration, f64), AnyError> {
        let device = open(id)?;
        measure_on(run, &device.into(), options)
    }

    pub fn phases(run: &Run, id: DeviceId, options: Options) -> Result<String, AnyError> {
        use std::fmt::Write as _;

        let mut device = open(id)?;
        device.time_launches(1)?;
        let on = Executor::from(device);
        measure_on(run, &on, options)?;
        let Some(device) = on.device() else { return Err("no device".into()) };
        let mut table = String::new();
        for (label, phase) in device.ledger().phases {
            if let Some(time) = phase.estimated() {
                let us = time.as_secs_f64() * 1e6 / phase.launches as f64;
                writeln!(table, "    {label:<28} {:>6} launches, {us:>8.1} us each", phase.launches)?;
            }
        }
        Ok(table)
    }

    fn measure_on(run: &Run, on: &Executor, options: Options) -> Result<(Duration, f64), AnyError> {
        let (scene, at) = run.start()?;
        let Some(device) = on.device() else { return Err("no device".into()) };
        let mut check = Crowd::in_units(scene, at, Vec::new(), options, on)?;
        let to: [Buffer<i32>; 2] = [device.empty("wishes", run.discs)?, device.empty("wishes", run.discs)?];
        let reach = (f64::from(run.step) * std::f64::consts::FRAC_1_SQRT_2) as u32;
        let wish = |check: &Crowd, step: u32| {
            let Some(([xs, ys], _)) = check.on_device() else { return Ok(()) };
            device.launch("wishes", run.discs, |client, cubes, dim| {
                let (at, to) = (PointsBuffers { xs, ys }, PointsBuffers { xs: &to[0], ys: &to[1] });
                make_wishes::launch(client, cubes, dim, at.arg(), to.arg(), step, reach);
            })
        };
        let mut granted = 0;
        for step in 0..WARM_UP {
            wish(&check, step)?;
            check.step_on_device(to.each_ref())?;
        }
        device.synchronize("warm up")?;
        let since = Instant::now();
        for step in WARM_UP..WARM_UP + STEPS {
            wish(&check, step)?;
            check.step_on_device(to.each_ref())?;
        }
        device.synchronize("steps")?;
        let with_wishes = since.elapsed();
        let since = Instant::now();
        for step in 0..STEPS {
            wish(&check, step)?;
        }
        device.synchronize("wishes")?;
        let time = with_wishes.saturating_sub(since.elapsed());
        for step in 0..10 {
            wish(&check, step)?;
            check.step_on_device(to.each_ref())?;
            let Some((_, accepted)) = check.on_device() else { continue };
            let accepted = primitives::sum(device, accepted, run.discs)?;
            granted += device.read(&accepted)?.iter().sum::<u64>();
        }
        check.check_targets()?;
        Ok((time, granted as f64 / (run.discs as f64 * 10.0)))
    }
}

#[cfg(not(feature = "gpu"))]
mod on_device {
    use super::{AnyError, DeviceId, Duration, Options, Run};

    pub fn measure(_: &Run, _: DeviceId, _: Options) -> Result<(Duration, f64), AnyError> {
        Err("this build has no devices".into())
    }

    pub fn phases(_: &Run, _: DeviceId, _: Options) -> Result<String, AnyError> {
        Err("this build has no devices".into())
    }
}
