//! Measures all programs in all cases in one run.

use std::sync::Arc;

use throng_core::{InputError, Progress};
use throng_device::neighbours::Boundary;
use throng_device::{Device, DeviceError};
use throng_model::Failure;
use throng_pedestrians::rules::grid::Grid;
use throng_pedestrians::{FieldParameters, FieldTables, Pedestrians, Start, World};

use super::ablation::Ablation;
use super::cases::{Case, Options};
use super::memory::{FieldSizeMeasurement, memory_table};
use super::method::Method;
use super::running::Setting;
use crate::experiment::{Row, Rows, SpeedUp, Times, defect, never_enough, repeated};

/// Further measurements of a program in a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TickMeasurement {
    /// Ticks per run.
    pub ticks: u32,
    /// Bytes of stored fields and cache on the device, or of all device memory of Throng's executor.
    pub bytes: Option<u64>,
}

impl Row<Case, Method, TickMeasurement> {
    /// Milliseconds per tick, the median of the runs.
    pub fn ms_per_tick(&self) -> f64 {
        self.per_tick().median() * 1e3
    }

    /// Times per tick.
    fn per_tick(&self) -> Times {
        self.times.per(f64::from(self.figures.ticks.max(1)))
    }
}

/// A program for which a case was too large.
#[derive(Debug, Clone, PartialEq)]
pub struct Refused {
    /// The case that was too large.
    pub case: Case,
    /// The program that refused the case.
    pub method: Method,
    /// The reason, with figures.
    pub reason: String,
}

/// All measurements of the experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct YuMeasurements {
    /// The requested options.
    pub options: Options,
    /// Measurements, by case.
    pub rows: Rows<Case, Method, TickMeasurement>,
    /// Programs and cases that did not fit.
    pub refused: Vec<Refused>,
    /// Measurements of table II, by field size.
    pub memory: Vec<FieldSizeMeasurement>,
    /// Times with and without each technique, by size.
    pub ablation: Ablation,
}

impl YuMeasurements {
    /// Time of one program divided by the time of another, in a case.
    pub fn ratio(&self, case: Case, slower: Method, faster: Method) -> Option<f64> {
        Some(self.compare(case, slower, faster)?.median)
    }

    /// How many times as fast a tick of `faster` is as one of `slower`, in a case.
    pub(crate) fn compare(&self, case: Case, slower: Method, faster: Method) -> Option<SpeedUp> {
        Some(SpeedUp::of(&self.rows.row(case, slower)?.per_tick(), &self.rows.row(case, faster)?.per_tick()))
    }
}

/// Measures all programs. The final state of each is compared with Throng's executor on the device, or on the
/// CPU without a device.
///
/// # Errors
/// If an option cannot be used, the device fails, or a program is wrong.
pub fn reproduce(
    device: Option<&Arc<Device>>,
    options: &Options,
    progress: &dyn Progress,
) -> Result<YuMeasurements, Failure> {
    let pool = throng_core::thread_pool(options.threads)?;
    let tables = FieldTables::new(&FieldParameters { size: options.field, ..FieldParameters::default() })?;
    let cases = options.cases();
    let (mut rows, mut refused) = (Rows::default(), Vec::new());
    progress.begin("all programs in all cases", Some(cases.len() as u64), "cases");
    for (i, &case) in cases.iter().enumerate() {
        progress.at(i as u64, &case.to_string());
        let setting =
            Setting { world: world(case.side)?, tables: tables.clone(), seed: options.seed, pool: &pool, device };
        let state = pool.install(|| pedestrians(&setting.world, case, options.seed))?;
        let task = Task { case, options, setting: &setting, leader: leader(device) };
        if i == 0 {
            task.compile()?;
        }
        task.measure(&state, &mut rows, &mut refused)?;
    }
    progress.end();
    let ablation = Ablation::measure(device, &pool, options, progress)?;
    let memory = memory_table(device, &pool, options, progress)?;
    Ok(YuMeasurements { options: options.clone(), rows, refused, memory, ablation })
}

/// The program that computes the initial states for the others and their expected final states.
fn leader(device: Option<&Arc<Device>>) -> Method {
    if device.is_some() { Method::Device } else { Method::Cpu }
}

/// The periodic world of all cases.
pub(super) fn world(side: u32) -> Result<World, InputError> {
    World::without_walls(Grid { width: side, height: side, boundary: Boundary::Periodic })
}

pub(super) fn pedestrians(world: &World, case: Case, seed: u64) -> Result<Pedestrians, InputError> {
    Start { density: case.density, flow: case.flow, periods: &[1], seed }.pedestrians(world)
}

/// A segment of a case: its first tick, the state before it, and its number of ticks.
struct Window {
    tick: u32,
    state: Pedestrians,
    ticks: u32,
}

/// The final state of a run in a window, to be compared with the leader's.
struct End {
    method: Method,
    window: usize,
    ticks: u32,
    hash: u64,
}

/// A case to measure.
struct Task<'a> {
    case: Case,
    options: &'a Options,
    setting: &'a Setting<'a>,
    leader: Method,
}

impl Task<'_> {
    fn measure(
        &self,
        state: &Pedestrians,
        rows: &mut Rows<Case, Method, TickMeasurement>,
        refused: &mut Vec<Refused>,
    ) -> Result<(), Failure> {
        let leading = self.lead(state)?;
        let windows = self.windows(state, leading.figures.ticks)?;
        let mut ends = Vec::new();
        for method in self.options.methods(self.case) {
            if method == self.leader {
                rows.0.push(leading.clone());
            } else if !method.is_on_device() || self.setting.device.is_some() {
                match self.run(method, &windows, &mut ends) {
                    Err(failure) if is_too_large(&failure) => {
                        let reason = failure.to_string().lines().next().unwrap_or_default().to_owned();
                        refused.push(Refused { case: self.case, method, reason });
                    }
                    found => rows.0.push(found?),
                }
            }
        }
        self.compare(&windows, &ends)
    }

    /// Compiles the kernels of all programs, in an untimed tick of a small world. Kernels depend neither on the size
    /// nor on the flow.
    fn compile(&self) -> Result<(), Failure> {
        let Setting { tables, seed, pool, device, .. } = self.setting;
        let world = world(tables.size().max(16))?;
        let small = Setting { world, tables: tables.clone(), seed: *seed, pool, device: *device };
        let state = pedestrians(&small.world, Case { density: 0.3, ..self.case }, *seed)?;
        let methods = self.options.case_of_sums().map(|case| self.options.methods(case)).unwrap_or_default();
        for method in methods.into_iter().filter(|method| method.is_on_device()) {
            if device.is_some() {
                small.start(method, &state, 0)?.run(1)?;
            }
        }
        Ok(())
    }

    /// Runs the leader, starting at the first tick.
    fn lead(&self, state: &Pedestrians) -> Result<Row<Case, Method, TickMeasurement>, Failure> {
        let mut made = TickMeasurement { ticks: 0, bytes: None };
        let times = repeated(self.options.repeat, never_enough, || {
            let mut program = self.setting.start(self.leader, state, 0)?;
            if made.ticks > 0 {
                return program.run(made.ticks);
            }
            let run = |ticks| program.run(ticks);
            let (ticks, seconds) = timed(run, self.leader, self.options.ticks, self.options.seconds)?;
            made = TickMeasurement { ticks, bytes: program.bytes() };
            Ok(seconds)
        })?;
        Ok(self.row(self.leader, times, made))
    }

    fn row(&self, program: Method, times: Times, figures: TickMeasurement) -> Row<Case, Method, TickMeasurement> {
        Row { case: self.case, program, times, figures }
    }

    /// Divides the leader's ticks into windows.
    fn windows(&self, state: &Pedestrians, ticks: u32) -> Result<Vec<Window>, Failure> {
        let count = self.options.windows.clamp(1, ticks);
        let begin = |window: u32| (u64::from(ticks) * u64::from(window) / u64::from(count)) as u32;
        let mut leader = self.setting.start(self.leader, state, 0)?;
        let mut windows = vec![Window { tick: 0, state: state.clone(), ticks: begin(1) }];
        for window in 1..count {
            leader.run(begin(window) - begin(window - 1))?;
            let state = leader.pedestrians()?;
            windows.push(Window { tick: begin(window), state, ticks: begin(window + 1) - begin(window) });
        }
        Ok(windows)
    }

    /// Runs a program in all windows, each to its end or until its time limit.
    fn run(
        &self,
        method: Method,
        windows: &[Window],
        ends: &mut Vec<End>,
    ) -> Result<Row<Case, Method, TickMeasurement>, Failure> {
        let max_seconds = self.options.seconds / windows.len() as f64;
        let (mut ticks, mut bytes) = (Vec::new(), None);
        let times = repeated(self.options.repeat, never_enough, || {
            let mut all = 0.0;
            for (number, window) in windows.iter().enumerate() {
                let mut program = self.setting.start(method, &window.state, window.tick)?;
                if let Some(&ticks) = ticks.get(number) {
                    all += program.run(ticks)?;
                    continue;
                }
                let (made, seconds) = timed(|ticks| program.run(ticks), method, window.ticks, max_seconds)?;
                ends.push(End { method, window: number, ticks: made, hash: program.pedestrians()?.hash() });
                bytes = program.bytes();
                ticks.push(made);
                all += seconds;
            }
            Ok::<_, Failure>(all)
        })?;
        Ok(self.row(method, times, TickMeasurement { ticks: ticks.iter().sum(), bytes }))
    }

    /// Fails if a program ends in a different state from the leader's.
    fn compare(&self, windows: &[Window], ends: &[End]) -> Result<(), Failure> {
        for (number, window) in windows.iter().enumerate() {
            let mut ends: Vec<&End> = ends.iter().filter(|end| end.window == number).collect();
            ends.sort_by_key(|end| end.ticks);
            let mut leader = self.setting.start(self.leader, &window.state, window.tick)?;
            let mut made = 0;
            for End { method, ticks, hash, .. } in ends {
                leader.run(ticks - made)?;
                made = *ticks;
                let expected = leader.pedestrians()?.hash();
                if *hash != expected {
                    let (name, leader, after) = (method.name(), self.leader.name(), window.tick + made);
                    let states =
                        format!("{name} has state {hash:016x} after tick {after}, but {leader} has {expected:016x}");
                    return Err(defect(format!("{states}: {}", self.case)));
                }
            }
        }
        Ok(())
    }
}

/// Whether a program was refused because a case is too large for it.
pub(super) fn is_too_large(failure: &Failure) -> bool {
    matches!(
        failure,
        Failure::Device(DeviceError::OutOfMemory { .. } | DeviceError::BufferTooLarge { .. })
            | Failure::Resource { .. }
    )
}

/// Ticks of the first measurement on a device, enough to make the wait for the device negligible.
const FIRST_ON_DEVICE: u32 = 16;

/// Calls `run`, which makes a number of ticks and returns their seconds, until `max_ticks` are done or `max_seconds`
/// have elapsed, but at least once. Returns the total ticks and seconds.
pub(super) fn timed(
    mut run: impl FnMut(u32) -> Result<f64, Failure>,
    method: Method,
    max_ticks: u32,
    max_seconds: f64,
) -> Result<(u32, f64), Failure> {
    let (mut ticks, mut seconds) = (0, 0.0);
    let mut next = if method.is_on_device() { FIRST_ON_DEVICE } else { 1 };
    while ticks < max_ticks && next > 0 {
        let batch = next.min(max_ticks - ticks);
        seconds += run(batch)?;
        ticks += batch;
        // Run at most twice as many ticks as in total so far, and no more than fit into the remaining time.
        let fit = (max_seconds - seconds) / (seconds / f64::from(ticks)).max(1e-9);
        next = (fit.max(0.0) as u32).min(2 * ticks);
    }
    Ok((ticks, seconds))
}

#[cfg(test)]
mod tests;
