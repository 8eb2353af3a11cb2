//! All methods in all cases, in one run.

#[cfg(feature = "gpu")]
mod on_device;

use std::time::Instant;

use throng_core::{Philox, Progress, StateHash};
use throng_device::Device;
use throng_model::Failure;

use super::cases::{Case, Options};
use super::crowd::{Crowd, Moves};
use super::defects::{Defects, count_defects};
use super::method::Method;
use super::overlaps::overlapping_pairs;

#[cfg(feature = "gpu")]
use on_device::on_device;

/// A measurement: all moves of all agents.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The crowd.
    pub case: Case,
    /// The check.
    pub method: Method,
    /// Moves of each agent.
    pub moves: u32,
    /// Seconds of each run, ascending. Wishes are drawn, checked and carried out where the check runs.
    pub seconds: Vec<f64>,
    /// Seconds when wishes are copied to the device and flags back, in each step.
    pub with_copies: Option<f64>,
    /// Seconds of all sorts.
    pub sort: Option<f64>,
    /// The share of wishes that were granted.
    pub moved: f64,
    /// Pairs of discs that overlap after the last move; not counted where all discs pass through each other.
    pub pairs: Option<usize>,
    /// A hash of all positions after the last move.
    pub positions: u64,
}

impl Row {
    /// The median of the runs, seconds.
    pub fn median_s(&self) -> f64 {
        self.seconds[self.seconds.len() / 2]
    }

    /// Nanoseconds of a move of an agent.
    pub fn ns_per_move(&self) -> f64 {
        self.median_s() * 1e9 / (f64::from(self.case.agents.max(1)) * f64::from(self.moves.max(1)))
    }

    /// The share of the sort in the time.
    pub fn sort_share(&self) -> Option<f64> {
        Some(self.sort? / self.median_s())
    }
}

/// What was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurements {
    /// What was asked for.
    pub options: Options,
    /// Id and name of the device, where there is one.
    pub device: Option<String>,
    /// Case by case.
    pub rows: Vec<Row>,
    /// Overlapping pairs, case by case.
    pub defects: Vec<Defects>,
}

impl Measurements {
    /// The measurement of a method in a case.
    pub fn row(&self, case: Case, method: Method) -> Option<&Row> {
        self.rows.iter().find(|row| row.case == case && row.method == method)
    }
}

/// Measures all methods. Before a method of a device is timed, its first step is compared with that of the CPU.
///
/// # Errors
/// When an option cannot be used, the device fails, or a program is wrong.
pub fn reproduce(device: Option<&Device>, options: &Options, progress: &dyn Progress) -> Result<Measurements, Failure> {
    let pool = throng_core::thread_pool(options.threads)?;
    let cases = options.cases();
    let mut rows = Vec::new();
    progress.begin("all checks in all cases", Some(cases.len() as u64), "cases");
    for (i, &case) in cases.iter().enumerate() {
        progress.at(i as u64, &format!("{} agents, area {}, steps of {} cells", case.agents, case.area, case.step));
        let crowd = pool.install(|| Crowd::new(case.agents as usize, case.area, options.seed))?;
        let task = Task { case, options, moves: crowd.moves(case.length()), crowd: &crowd };
        let on_cpu = pool.install(|| task.sequential())?;
        if let Some(device) = device {
            rows.extend(pool.install(|| on_device(&task, device))?);
            check_same(rows.last(), &on_cpu)?;
        }
        rows.push(on_cpu);
    }
    progress.end();
    let defects = pool.install(|| count_defects(options, progress))?;
    Ok(Measurements { options: options.clone(), device: device.map(|device| device.info().label()), rows, defects })
}

/// The sequential rule decides alike everywhere.
fn check_same(on_device: Option<&Row>, on_cpu: &Row) -> Result<(), Failure> {
    match on_device.filter(|row| row.method == Method::SequentialOnDevice) {
        Some(row) if (row.moved, row.positions) != (on_cpu.moved, on_cpu.positions) => {
            let message = format!(
                "the sequential rule grants {} of all wishes and ends with positions {:016x}, on the CPU {} and {:016x}",
                row.moved, row.positions, on_cpu.moved, on_cpu.positions
            );
            Err(Failure::resource(message, "this is a defect of the program or of the device"))
        }
        _ => Ok(()),
    }
}

/// The programs of a device, which this build does not have.
#[cfg(not(feature = "gpu"))]
fn on_device(_task: &Task<'_>, device: &Device) -> Result<Vec<Row>, Failure> {
    Err(device.no_kernels("throng-papers").into())
}

/// A case.
struct Task<'a> {
    case: Case,
    options: &'a Options,
    crowd: &'a Crowd,
    moves: Moves,
}

impl Task<'_> {
    /// The sequential rule on the CPU, once.
    fn sequential(&self) -> Result<Row, Failure> {
        let mut check = self.crowd.sequential(&self.moves, self.options.seed)?;
        let (draws, mut moved) = (Philox::new(self.options.seed), 0);
        let since = Instant::now();
        for step in 0..self.options.moves {
            let [xs, ys] = self.moves.wishes(draws, step, [&check.at()[0], &check.at()[1]]);
            moved += check.step([&xs, &ys])? as u64;
        }
        let seconds = since.elapsed().as_secs_f64();
        self.row(Method::SequentialOnCpu, vec![seconds], moved, check.at())
    }

    /// A row without what only some methods have.
    fn row(&self, method: Method, mut seconds: Vec<f64>, moved: u64, at: &[Vec<i32>; 2]) -> Result<Row, Failure> {
        seconds.sort_unstable_by(f64::total_cmp);
        let Options { moves, .. } = *self.options;
        let wishes = f64::from(self.case.agents.max(1)) * f64::from(moves.max(1));
        let pairs = match method {
            Method::NoCheck => None,
            _ => Some(overlapping_pairs(&self.crowd.world, [&at[0], &at[1]])?),
        };
        let mut hash = StateHash::new();
        for (disc, (&x, &y)) in at[0].iter().zip(&at[1]).enumerate() {
            hash.add(disc as u64, &[x as u64, y as u64]);
        }
        Ok(Row {
            case: self.case,
            method,
            moves,
            seconds,
            with_copies: None,
            sort: None,
            moved: moved as f64 / wishes,
            pairs,
            positions: hash.finish(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_that_ends_with_other_positions_is_refused() {
        let options = Options { moves: 3, ..Options::default() };
        let case = Case { agents: 50, area: 0.3, step: 1.0 };
        let crowd = Crowd::new(50, case.area, 1).unwrap();
        let task = Task { case, options: &options, moves: crowd.moves(case.length()), crowd: &crowd };
        let on_cpu = task.sequential().unwrap();
        let on_device = Row { method: Method::SequentialOnDevice, ..on_cpu.clone() };
        check_same(Some(&on_device), &on_cpu).unwrap();
        let wrong = Row { positions: on_device.positions ^ 1, ..on_device };
        let error = check_same(Some(&wrong), &on_cpu).unwrap_err().to_string();
        assert!(error.contains(&format!("ends with positions {:016x}", wrong.positions)), "{error}");
    }
}
